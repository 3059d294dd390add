/** What a login event says of the person, in one shape for both kinds of event. */

/** A value, and the name under which it was found, as the trace shows it. */
export interface Finding {
  from: string;
  value: string;
}

export interface Received {
  issuer: string;
  /** The names of all claims or attributes. */
  names(): Iterable<string>;
  /** Whether there is anything under this name, be it empty. */
  has(name: string): boolean;
  /** The texts under these names, those under preferred names first. */
  find(names: readonly string[]): Iterable<Finding>;
  /** Whether this kind of login has a NameID at all. */
  hasNameId: boolean;
  /** The NameID of an assertion; nothing for an ID token. */
  nameId(): Finding | null;
  /** The NameID where it is an e-mail address; nothing for an ID token. */
  emailNameId(): Finding | null;
  /** What the provider says of the address under this name. */
  emailStanding(from: string): EmailStanding;
  /** Whether the provider holds something under this name that it did not send along. */
  isWithheld(name: string): boolean;
  defaults: DefaultNames;
}

/** `unverified` is said; `unproven` is what a provider is that says nothing. */
export type EmailStanding = 'verified' | 'unverified' | 'unproven';

/** Under which names providers send things, in order of preference. */
export interface DefaultNames {
  email: readonly string[];
  first_name: readonly string[];
  last_name: readonly string[];
  full_name: readonly string[];
  image_url: readonly string[];
  affiliation: readonly string[];
  groups: readonly string[];
  scoped_affiliation: readonly string[];
}
