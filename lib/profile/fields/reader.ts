/**
 * What is read out of a login event: the names under which values are looked up, and one interface for the claims of an
 * ID token and the attributes of an assertion.
 */
import type { LoginKind } from '../../kinds.ts';
import { asciiLowerCase, trimmedAll } from '../../text.ts';
import type { FieldName } from '../schema/profileFields.ts';

/** As many groups of a person as Microsoft Graph names. More are not read. */
export const MAX_GROUPS = 11_000;

/** The name of a claim or attribute, and the form in which attributes are compared: without case. */
export interface Name {
  name: string;
  key: string;
}

export function namesOf(...names: string[]): Name[] {
  return names.map((name) => ({ name, key: asciiLowerCase(name) }));
}

/** Under which names the providers of one kind send things, in order of preference; left out where they agree on none. */
export interface NameLists extends Partial<Record<FieldName, readonly Name[]>> {
  email: readonly Name[];
  full_name: readonly Name[];
  groups: readonly Name[];
  scoped_affiliation: readonly Name[];
  assurance: readonly Name[];
}

export interface DefaultNames extends NameLists {
  kind: LoginKind;
  /** Whether a login of this kind may have its e-mail address in a NameID. */
  emailNameId: boolean;
  /** The keys of attributes whose values are identifiers with a scope: they compare without case. */
  scopedIds: ReadonlySet<string>;
  /** The names under which a name of an operator's is looked up: itself, and others that mean the same. */
  expand(name: string): readonly string[];
  /** All names of the same claim or attribute. */
  same(name: string): readonly string[];
}

/** What rules and groups read of a login. */
export interface RuleReader {
  /** The NameID of an assertion; null for an ID token. */
  readonly nameId: string | null;
  /** When the person signed in at the provider, in seconds since 1970, as far as it is a number; null where it is not said. */
  readonly signedInAt: PlacedValue | null;
  /** Whether there is anything under this name, even if it is empty. */
  has(name: Name): boolean;
  /**
   * Every text under these names, preferred ones first.
   *
   * @param all the names of a whole list, of which these are some: a FriendlyName counts where none of them arrived as a Name
   */
  occurrences(names: readonly Name[], all?: readonly Name[]): Occurrence[];
  /**
   * What a rule compares under these names: the value of a claim, or each member of its list, with its JSON type; each value of
   * an attribute only by its `Name` (SAML Core 2.7.3.1). Texts are without surrounding white space.
   */
  values(names: readonly Name[]): PlacedValue[];
  /** The same for a rule that denies, with all that is `deny-only`. */
  valuesEverywhere(names: readonly Name[]): PlacedValue[];
  /** The same with whole numbers, which may be groups, and with all that is `deny-only`, also from others of the same attributes. */
  occurrencesEverywhere(names: readonly Name[], all?: readonly Name[]): Occurrence[];
  /** The names of all claims or attributes, as they are now. */
  allNames(): string[];
  /** The names one level below claims that are objects. */
  nestedNames(): NestedName[];
  /** Under which other names of the same attribute anything arrived. */
  otherNames(name: string): readonly string[];
  /** Whether the provider says that it left out what stands under this name. */
  hasOverage(name: Name): boolean;
  /** The form of what stands under this name, where groups are not read of it; null where they are. */
  otherForm(name: Name): OtherForm | null;
}

export interface NestedName {
  /** As a mapping writes it, e.g. `attributes.mail`. */
  name: string;
  /** The claim that it stands in, e.g. `attributes`. */
  parent: string;
  /** Its name there, e.g. `mail`. */
  key: string;
  /** What stands there. */
  value: unknown;
}

/**
 * What providers send instead of a text or a list of texts. `items`: some item of a list has nothing that is read at the rest
 * of a path, the others do. `parent`: what should hold the rest of a path is neither an object nor a list.
 */
export interface OtherForm {
  form: 'objects' | 'object' | 'number' | 'items' | 'parent' | 'other';
  /** Of objects, where a text stands in the first of them. */
  key?: string;
}

/** Reads the claims of an ID token or the attributes of an assertion. */
export interface Reader extends RuleReader {
  /** The NameID where it is an e-mail address; null otherwise. */
  readonly emailNameId: string | null;
  /** What stands under one of `allNames`: the claim, or the values of the attribute. */
  own(name: string): unknown;
  /** The NameID where its format does not say what it is; null otherwise. */
  readonly unspecifiedNameId: string | null;
  /** What the provider says of this address under this name. */
  emailStatus(name: string, address: string): VerificationStatus;
}

/** A value, and where it stands in the event, below `id_token` or `assertion`. */
export interface PlacedValue {
  path: string;
  value: unknown;
}

/** A text without surrounding white space; any other value as it is. */
export function comparable({ path, value }: PlacedValue): PlacedValue {
  return { path, value: typeof value === 'string' ? value.trim() : value };
}

/** A text, and where it stands in the event. */
export interface Occurrence {
  /** One of the names that were looked up, or another name of the same attribute. */
  name: string;
  /** Below `id_token` or `assertion`. */
  path: string;
  text: string;
  by?: 'Name' | 'FriendlyName';
  attribute?: string;
  use: Use;
  shape: Shape;
}

/**
 * What looks at a text. `grant`: everything. `fallback`: a field of one value, where none is `grant`, such as by FriendlyName beside
 * Name. `deny-only`: only a rule that denies, from which nothing hides, such as a nested claim beside a flat one.
 */
export type Use = 'grant' | 'fallback' | 'deny-only';

/**
 * How a text may differ from one value. `item`: it is one. `maybe-joined`: services may have concatenated several values of an
 * attribute. `single`: one text where a list is usual, which may be the only one left of several.
 */
type Shape = 'item' | 'maybe-joined' | 'single';

/** The texts that grant something, without empty ones and surrounding white space. */
export function usedTexts(occurrences: readonly Occurrence[]): string[] {
  return trimmedAll(occurrences.filter(isUsed).map(({ text }) => text));
}

export function isUsed({ use }: Occurrence): boolean {
  return use === 'grant';
}

/** That of a NameID; none for null. */
export function nameIdOccurrences(text: string | null): Occurrence[] {
  if (text === null) return [];
  return [{ name: NAME_ID_NAME, path: 'subject.name_id', text, use: 'grant', shape: 'maybe-joined' }];
}

export const NAME_ID_NAME = 'NameID';

/**
 * Whether an e-mail address is verified. `claimed`: the provider says yes, in a place that proves it only where the mapping
 * trusts the issuer. `unverified`: it says no. `unreadable`: what it says is neither. `unknown`: it says nothing.
 */
export type VerificationStatus = 'verified' | 'claimed' | 'unverified' | 'unreadable' | 'unknown';
