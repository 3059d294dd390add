/**
 * What is read out of a login event: the names under which values are looked up, and one interface for the claims of an
 * ID token and the attributes of an assertion.
 */
import type { LoginKind } from '../settings.ts';
import { asciiLowerCase, trimmedAll } from '../text.ts';
import type { FieldName } from './fields.ts';

/** Stands for the names that the default handlers look at. */
export const DEFAULTS = { use: 'defaults' } as const;

/** Stands for the NameID of an assertion. */
export const NAME_ID = { use: 'nameId' } as const;

/** Where a value is looked for: the name of a claim or attribute, or what stands for one. */
export type Source = string | { use: 'defaults' | 'nameId' };

/** The name of a claim or attribute, and the form in which attributes are compared: without case. */
export interface Name {
  name: string;
  key: string;
}

export function namesOf(...names: string[]): Name[] {
  return names.map((name) => ({ name, key: asciiLowerCase(name) }));
}

/** Under which names the providers of one kind send things, in order of preference; left out where they agree on none. */
export interface DefaultNames extends Partial<Record<FieldName, readonly Name[]>> {
  kind: LoginKind;
  /** Whether a login of this kind may have its e-mail address in a NameID. */
  emailNameId: boolean;
  full_name: readonly Name[];
  groups: readonly Name[];
  scoped_affiliation: readonly Name[];
  /** The names under which a name of an operator's is looked up: itself, and others that mean the same. */
  expand(name: string): readonly string[];
}

/** Reads the claims of an ID token or the attributes of an assertion. */
export interface Reader {
  readonly issuer: string;
  /** The names of all claims or attributes, as they are now. */
  allNames(): string[];
  /** Whether there is anything under this name, even if it is empty. */
  has(name: Name): boolean;
  /** All texts under these names, without empty ones and surrounding white space: those of the places that are used. */
  all(names: readonly Name[]): string[];
  /**
   * Every text under these names and under others of the same attributes, also those over which others are preferred: by
   * FriendlyName beside Name, in a nested claim beside a flat one. Nothing hides from a rule that denies.
   */
  places(names: readonly Name[]): Place[];
  /** The first text under these names that `use` accepts, preferred names first; null where it accepts none. */
  first<TResult>(names: readonly Name[], use: Use<TResult>): TResult | null;
  /** The one value under these names, by Name alone; null where there is none, or several differ. For identifiers. */
  only(names: readonly Name[]): string | null;
  /** The NameID of an assertion; null for an ID token. */
  readonly nameId: string | null;
  /** The NameID where it is an e-mail address; null otherwise. */
  readonly emailNameId: string | null;
  /** What the provider says of this address under this name. */
  emailStatus(name: string, address: string): VerificationStatus;
  /** Whether there is more under this name than can be read here: the provider left values out, or their form is another. */
  hasOverage(name: Name): boolean;
}

/**
 * Gets a value and the name under which it was found; returns what it makes of it, null for what cannot be used.
 *
 * @param by `Name` or `FriendlyName` for an attribute
 */
export type Use<TResult> = (value: string, name: string, by?: string) => TResult | null;

/** A text, and where it stands in the event. */
export interface Place {
  /** One of the names that were looked up, or another name of the same attribute. */
  name: string;
  /** Below `id_token` or `assertion`. */
  path: string;
  text: string;
  /** Whether `all` returns it, unless it is empty. */
  isUsed: boolean;
  form: TextForm;
}

/**
 * How a text may differ from one value. `value`: it is one. `joinable`: services may have concatenated several values of an
 * attribute. `alone`: one text where a list is usual, which may be the only one left of several.
 */
type TextForm = 'value' | 'joinable' | 'alone';

/** The texts of these places that are used, without empty ones and surrounding white space. */
export function usedTexts(places: readonly Place[]): string[] {
  return trimmedAll(places.filter(({ isUsed }) => isUsed).map(({ text }) => text));
}

/** The path of the NameID. */
export const NAME_ID_PATH = 'subject.name_id';

/**
 * Whether an e-mail address is verified. `claimed`: the provider says yes, in a place that proves it only where the mapping
 * trusts the issuer. `unverified`: it says no. `unknown`: it says nothing.
 */
export type VerificationStatus = 'verified' | 'claimed' | 'unverified' | 'unknown';
