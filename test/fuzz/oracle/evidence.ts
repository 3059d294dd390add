/** What a login says of a person, in one shape for claims and attributes. */
import type { Source } from '../../../lib/profile/reader.ts';
import type { DefaultNames, ListName } from './names.ts';

export interface Evidence {
  issuer: string;
  /** What the person prefers, as it was sent: a language tag, or a list as in Accept-Language; null for nothing. */
  language: string | null;
  defaults: DefaultNames;
  /** The names that an operator's name stands for. */
  expanded(name: string): readonly string[];
  /** Null for an ID token. */
  nameId: string | null;
  /** The NameID where its format says that it is an e-mail address; null otherwise. */
  emailNameId: string | null;
  /** All that a field may be taken from under these names, in order of preference, as it was sent. */
  texts(names: readonly string[]): { text: string; name: string }[];
  /** What grants read under these names. */
  granted(names: readonly string[]): string[];
  /** What denial reads: more than grants do. */
  denied(names: readonly string[]): Value[];
  /** What was sent under these names, with its type, each item of a list by itself; of attributes by their Name alone. */
  exact(names: readonly string[]): unknown[];
  /** When the person signed in, in seconds since 1970; undefined where it is not said. */
  signedIn: unknown;
  /** Whether something was sent under one of these names. */
  isThere(names: readonly string[]): boolean;
  /** Whether the provider held something back under this name, or sent what cannot be read. */
  isUnknown(name: string): boolean;
  /** What the provider says of this address, which is the one under this name. */
  emailStatus(name: string, address: string): 'verified' | 'unverified' | 'unproven';
}

export interface Value {
  text: string;
  /** Whether it may be several values in one text. */
  joined: boolean;
  /** Whether it stands where a list is usual, and may be the only one left of it. */
  alone?: boolean;
}

/** The names that a source stands for, of a list of the default names; none for the NameID. */
export function namesOf({ defaults, expanded }: Evidence, source: Source, list: ListName): readonly string[] {
  if (typeof source === 'string') return expanded(source);
  return source.use === 'defaults' ? defaults(list) : [];
}

export function isNameId(source: Source): boolean {
  return typeof source !== 'string' && source.use === 'nameId';
}

/** Without surrounding white space, the empty ones left out. */
export function trimmed(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** ASCII alone: RFC 4343 section 3. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
