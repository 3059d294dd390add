/** Finds the value of one profile field: candidates in order, the first usable one wins. */

import { MAX_NAME_LENGTH, trimmed } from '../text.ts';
import { type AcceptedAddress, ADDRESS_REFUSALS, AddressChoice, type Unverified } from './addressChoice.ts';
import type { FieldTrace } from './decision.ts';
import { isConcatenated } from './emailAddress.ts';
import { FIELDS, type FieldName } from './fields.ts';
import { namesIn, usableName } from './fullName.ts';
import { type DefaultNames, NAME_ID_PATH, type Name, namesOf, type Reader, type Source } from './reader.ts';

export interface FieldSpec {
  from: readonly Source[];
  /** The value where no source has any; null for none. */
  fallback: string | null;
  /** E-mail only. */
  unverified?: Unverified;
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
  /** The field's value, null for what cannot be used. An address is judged by what the provider says of it too. */
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

const USE: Record<(typeof FIELDS)[FieldName]['form'], Candidate['use']> = {
  address: trimmed,
  name: usableName,
  link: trimmed,
  identifier: usableIdentifier,
};

/** Neighbouring names are looked up together: `Name` for all of them goes before `FriendlyName`. */
export function fieldLookup(
  field: FieldName,
  { from, ...rest }: FieldSpec,
  defaults: DefaultNames,
): FieldLookup {
  const { form } = FIELDS[field];
  const use = USE[form];
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
  return { ...rest, candidates, isIdentifier: form === 'identifier' };
}

function defaultCandidates(field: FieldName, defaults: DefaultNames, use: Candidate['use']): Candidate[] {
  const candidates: Candidate[] = [{ names: defaults[field] ?? [], use }];
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

/** A value that is used, and where it was found. */
interface Hit extends AcceptedAddress {
  text: string;
  name: string;
  by?: string | undefined;
}

/** The first value that can be used. An address that is refused blocks the fallback: it makes nobody somebody else. */
export function findField(reader: Reader, lookup: FieldLookup): FoundField {
  const { candidates, fallback, unverified, trustsVerified = false } = lookup;
  if (candidates.length === 0) return NOTHING_WANTED;
  const addresses = unverified && new AddressChoice(reader, unverified, trustsVerified);
  for (const candidate of candidates) {
    const hit = hitOf(reader, lookup, candidate, addresses);
    if (hit) return { value: hit.value, isMissing: false, trace: traceOf(reader, lookup, candidate, hit) };
  }
  const refusal = addresses?.refusal ?? null;
  const value = refusal === null ? fallback : null;
  const found = value === null ? null : 'fallback';
  const why = refusal && { note: refusal, hint: ADDRESS_REFUSALS[refusal].hint };
  return {
    value,
    isMissing: refusal === null,
    trace: () => ({ tried: namesTried(lookup), found, ...why }),
  };
}

function hitOf(
  reader: Reader,
  { isIdentifier }: FieldLookup,
  { names, nameId, use }: Candidate,
  addresses: AddressChoice | undefined,
): Hit | null {
  const take = (text: string, name: string, by?: string): Hit | null => {
    const accepted = addresses ? addresses.accept(text, name) : withoutNote(use(text));
    return accepted && { ...accepted, text, name, by };
  };
  if (!nameId && !isIdentifier) return reader.first(names, take);
  // Which of several identifiers comes first must not decide who somebody is.
  const only = nameId ? reader[nameId] : reader.only(names);
  return only === null ? null : take(only, nameId ? 'NameID' : names.map(({ name }) => name).join(', '));
}

function withoutNote(value: string | null): AcceptedAddress | null {
  return value === null ? null : { value, note: null };
}

function traceOf(
  reader: Reader,
  lookup: FieldLookup,
  candidate: Candidate,
  { text, name, by, note }: Hit,
): FoundField['trace'] {
  const { how } = candidate;
  const found = `${by ? `${by} ` : ''}${name}${how ? `, ${how}` : ''}`;
  return (isDetailed) => ({
    tried: namesTried(lookup),
    found,
    ...(note && { note }),
    ...(isDetailed && { path: pathOf(reader, lookup, candidate, { text, name }) }),
  });
}

/** An identifier is looked for under several names at a time. What stands under a Name goes before what is called so by FriendlyName. */
function pathOf(
  reader: Reader,
  { isIdentifier }: FieldLookup,
  { nameId, names }: Candidate,
  { text, name }: Pick<Hit, 'text' | 'name'>,
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

/** Each once, in the order in which they are tried. */
function namesTried({ candidates }: FieldLookup): string[] {
  const names = candidates.flatMap(({ names, nameId }) => {
    if (nameId) return [nameId === 'emailNameId' ? EMAIL_NAME_ID : 'NameID'];
    return names.map(({ name }) => name);
  });
  return [...new Set(names)];
}

/** An identifier compares whole: nothing is taken out of it. One with two scopes is several, concatenated. */
function usableIdentifier(value: string): string | null {
  return value.length > MAX_NAME_LENGTH || isConcatenated(value) ? null : trimmed(value);
}
