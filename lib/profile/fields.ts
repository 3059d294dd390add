/** Finds the value of one profile field: candidates in order, the first usable one wins. */

import { MAX_NAME_LENGTH, trimmed } from '../text.ts';
import type { FieldTrace } from './decision.ts';
import { namesIn, usableName } from './fullName.ts';
import type { ProfileField } from './missing.ts';
import {
  type DefaultNames,
  NAME_ID_PATH,
  type Name,
  namesOf,
  type Reader,
  type Source,
  type Use,
} from './reader.ts';
import { isEmail } from './response.ts';

/** A field of one value. */
export type FieldName = Exclude<ProfileField, 'user_group_uuids'>;

export interface FieldSpec {
  from: readonly Source[];
  /** The value where no source has any; null for none. */
  fallback: string | null;
  /** Addresses said to be unverified are refused, or accepted, or proof is demanded of all. E-mail only. */
  unverified?: 'refuse' | 'accept' | 'demand_proof';
  /** Whether an assertion of this issuer proves an address by saying that it is verified. E-mail only. */
  trustsVerified?: boolean;
}

/** How a field is looked up in one kind of login. */
export interface FieldLookup extends Omit<FieldSpec, 'from'> {
  candidates: readonly Candidate[];
  isIdentifier: boolean;
}

/** Names that are looked up together, or the NameID; and what is made of a value found there. */
interface Candidate {
  names: readonly Name[];
  nameId?: 'nameId' | 'emailNameId';
  /** The field's value, null for what cannot be used. */
  use: (value: string) => string | null;
  /** What the trace says of a value that was found here. */
  how?: string;
}

export interface FoundField {
  value: string | null;
  /** Whether it was looked for and not there. A value that is there and refused is not missing; one that a fallback hides is. */
  isMissing: boolean;
  /** @param isDetailed whether it has the path of the value: then the event must be as it was */
  trace(isDetailed?: boolean): FieldTrace;
}

const EMAIL_NAME_ID = 'NameID of format emailAddress';
const UNVERIFIED_HINT =
  'The switch at the provider: Keycloak "Email verified" of the user or "Trust email" of the identity provider; ' +
  'authentik the scope mapping "email"; Cognito the attribute mapping of email_verified; Entra the optional claim ' +
  'xms_edov. To accept the addresses of this issuer all the same, see handlers/accept-unverified-email.';

const HINTS: Readonly<Record<string, string>> = {
  ambiguous: 'Several addresses arrived as one text: have the provider send one Attribute for each value.',
  invalid: 'An e-mail address has one @ and no white space, control character or any of <>"(),;:\\[].',
};

const USE: Partial<Record<FieldName, Candidate['use']>> = {
  email: usableEmail,
  image_url: trimmed,
  external_id: usableIdentifier,
};

/** Neighbouring names are looked up together: `Name` for all of them goes before `FriendlyName`. */
export function fieldLookup(
  field: FieldName,
  { from, ...rest }: FieldSpec,
  defaults: DefaultNames,
): FieldLookup {
  const use = USE[field] ?? usableName;
  const candidates: Candidate[] = [];
  let names: string[] = [];
  const takeNames = () => {
    if (names.length > 0) candidates.push({ names: namesOf(...names), use });
    names = [];
  };
  for (const source of from) {
    if (typeof source === 'string') {
      names.push(...defaults.expand(source));
      continue;
    }
    takeNames();
    if (source.use === 'defaults') candidates.push(...defaultCandidates(field, defaults, use));
    else candidates.push({ names: [], nameId: 'nameId', use });
  }
  takeNames();
  return { ...rest, candidates, isIdentifier: field === 'external_id' };
}

function defaultCandidates(field: FieldName, defaults: DefaultNames, use: Candidate['use']): Candidate[] {
  const candidates: Candidate[] = [{ names: defaults[field], use }];
  if (field === 'first_name' || field === 'last_name') {
    // A full name in two parts goes before a single word, which may be the name of an account.
    const whole = (fullName: string) => {
      const { first_name, last_name } = namesIn(fullName);
      return last_name === null ? null : { first_name, last_name }[field];
    };
    candidates.push({ names: defaults.full_name, use: whole, how: 'split' });
    if (field === 'first_name') {
      const single = (fullName: string) => namesIn(fullName).first_name;
      candidates.push({ names: defaults.full_name, use: single, how: 'single word' });
    }
  }
  if (field === 'email' && defaults.emailNameId) candidates.push({ names: [], nameId: 'emailNameId', use });
  return candidates;
}

/** An address that the provider says is unverified is not used, unless the lookup accepts it. */
export function findField(reader: Reader, lookup: FieldLookup): FoundField {
  const { candidates, fallback } = lookup;
  if (candidates.length === 0) return NOTHING_WANTED;
  let refused: string | undefined;

  const useNow =
    (candidate: Candidate) =>
    (text: string, name: string, by?: string): FoundField | null => {
      const { use, how } = candidate;
      const value = use(text);
      if (value === null) {
        if (lookup.unverified && text.trim() !== '') refused = isConcatenated(text) ? 'ambiguous' : 'invalid';
        return null;
      }
      const note = noteOn(reader, lookup, name, value);
      if (note && isRefused(note, lookup)) {
        refused = note;
        return null;
      }
      const found = `${by ? `${by} ${name}` : name}${how ? `, ${how}` : ''}`;
      return {
        value,
        isMissing: false,
        trace: (isDetailed) => ({
          tried: tried(),
          found,
          ...(note && { note }),
          ...(isDetailed && { path: pathOf(reader, lookup, candidate, { text, name }) }),
        }),
      };
    };
  const tried = () => [...new Set(candidates.flatMap(namesTried))];

  for (const candidate of candidates) {
    const use = useNow(candidate);
    const nameId = candidate.nameId ? reader[candidate.nameId] : null;
    const found = nameId === null ? firstOf(reader, lookup, candidate, use) : use(nameId, 'NameID');
    if (found) return found;
  }
  // Nobody becomes somebody else because their own address was refused.
  const value = refused === undefined ? fallback : null;
  const found = value === null ? null : 'fallback';
  const isMissing = refused === undefined;
  const refusal = () => (refused ? { note: refused, hint: HINTS[refused] ?? UNVERIFIED_HINT } : {});
  return { value, isMissing, trace: () => ({ tried: tried(), found, ...refusal() }) };
}

/** An identifier is taken where there is only one: which of several comes first must not decide who somebody is. */
function firstOf(
  reader: Reader,
  { isIdentifier }: FieldLookup,
  { names }: Candidate,
  use: Use<FoundField>,
): FoundField | null {
  if (!isIdentifier) return reader.first(names, use);
  const only = reader.only(names);
  return only === null ? null : use(only, names.map(({ name }) => name).join(', '));
}

/** An identifier is looked for under several names at a time. What stands under a Name goes before what is called so by FriendlyName. */
function pathOf(
  reader: Reader,
  { isIdentifier }: FieldLookup,
  { nameId, names }: Candidate,
  { text, name }: { text: string; name: string },
): string | undefined {
  if (nameId) return NAME_ID_PATH;
  return reader
    .places(isIdentifier ? names : namesOf(name))
    .find((place) => place.text.trim() === text.trim())?.path;
}

const NOTHING_WANTED: FoundField = {
  value: null,
  isMissing: false,
  trace: () => ({ tried: [], found: null }),
};

/** What the trace notes of an e-mail address that is not verified; null for one that is, and for other fields. */
function noteOn(
  reader: Reader,
  { unverified, trustsVerified }: FieldLookup,
  name: string,
  address: string,
): 'unverified' | 'unproven' | null {
  if (!unverified) return null;
  const status = reader.emailStatus(name, address);
  if (status === 'verified' || (status === 'claimed' && trustsVerified)) return null;
  return status === 'unverified' ? 'unverified' : 'unproven';
}

function isRefused(note: 'unverified' | 'unproven', { unverified }: FieldLookup): boolean {
  return unverified === 'demand_proof' || (unverified === 'refuse' && note === 'unverified');
}

function namesTried({ names, nameId }: Candidate): string[] {
  if (nameId) return [nameId === 'emailNameId' ? EMAIL_NAME_ID : 'NameID'];
  return names.map(({ name }) => name);
}

function isConcatenated(value: string): boolean {
  return value.indexOf('@') !== value.lastIndexOf('@');
}

/** An identifier compares whole: nothing is taken out of it. One with two scopes is several, concatenated. */
function usableIdentifier(value: string): string | null {
  return value.length > MAX_NAME_LENGTH || isConcatenated(value) ? null : trimmed(value);
}

/** Two concatenated addresses have two `@`: they are not one address. */
function usableEmail(value: string): string | null {
  const address = value.trim();
  return isEmail(address) ? address : null;
}
