/** What a login event says of the person, in one shape for both kinds of event. */
import type { LoginKind } from '../settings.ts';
import { asciiLowerCase } from '../text.ts';

/** The name of a claim or attribute, and the form in which attributes are compared: without case. */
export interface Name {
  name: string;
  key: string;
}

/** Under which names the providers of one kind send things, in order of preference. */
export interface DefaultNames {
  kind: LoginKind;
  email: readonly Name[];
  /** Whether a login of this kind may have its e-mail address in a NameID. */
  emailNameId: boolean;
  first_name: readonly Name[];
  last_name: readonly Name[];
  full_name: readonly Name[];
  image_url: readonly Name[];
  affiliation: readonly Name[];
  external_id: readonly Name[];
  external_label: readonly Name[];
  groups: readonly Name[];
  scoped_affiliation: readonly Name[];
  /** The names under which a name of an operator's is looked up: itself, and others that mean the same. */
  expand(name: string): readonly string[];
}

export function namesOf(...names: string[]): Name[] {
  return names.map((name) => ({ name, key: asciiLowerCase(name) }));
}

/** Stands for the names that the default handlers look at. */
export const DEFAULTS = { use: 'defaults' } as const;

/** Stands for the NameID of an assertion. */
export const NAME_ID = { use: 'nameId' } as const;

/** Where a value is looked for: the name of a claim or attribute, or what stands for one. */
export type Source = string | { use: 'defaults' | 'nameId' };

/** Gets a value, and where it was found as the trace shows it; returns what it makes of it, null for nothing. */
export type Use<TResult> = (value: string, name: string, by?: string) => TResult | null;

export interface Received {
  issuer: string;
  /** The names of all claims or attributes, as they are now. */
  allNames(): string[];
  /** Whether there is anything under this name, be it empty. */
  has(name: Name): boolean;
  /** All texts under these names, empty ones left out, without surrounding white space. */
  all(names: readonly Name[]): string[];
  /**
   * As `all`, and those too that `all` prefers others to: by FriendlyName beside Name, in a nested claim beside a flat
   * one. For rules that deny: nothing may hide what they look for.
   */
  everywhere(names: readonly Name[]): ReceivedText[];
  /** The first text under these names that can be used, preferred names first; null where none can. */
  first<TResult>(names: readonly Name[], use: Use<TResult>): TResult | null;
  /** The NameID of an assertion; null for an ID token. */
  nameId: string | null;
  /** The NameID where it is an e-mail address; null otherwise. */
  emailNameId: string | null;
  /** The value under these names, by Name alone; null where there is none, or several differ. For identifiers. */
  only(names: readonly Name[]): string | null;
  /** What the provider says of this address under this name. */
  emailStanding(name: string, address: string): EmailStanding;
  /** Whether there is more under this name than can be read here: held back by the provider, or of another form. */
  isWithheld(name: Name): boolean;
}

export interface ReceivedText {
  text: string;
  /** Whether several values may have become this one text on the way. */
  mayBeJoined: boolean;
}

/**
 * `unverified` is said. `claimed`: said to be verified, in a place that proves it only where the mapping trusts the issuer
 * to. `unproven`: nothing is said.
 */
export type EmailStanding = 'verified' | 'claimed' | 'unverified' | 'unproven';
