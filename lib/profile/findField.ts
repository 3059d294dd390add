/** Finds the value of one profile field: candidates in order, the first usable one wins. */

import { trimmed } from '../text.ts';
import {
  type AcceptedAddress,
  ADDRESS_PROBLEMS,
  AddressChoice,
  type AddressTest,
  type Unverified,
} from './addressChoice.ts';
import type { FieldTrace } from './decision.ts';
import { FIELDS, type FieldName } from './fields.ts';
import { namesIn, usableName } from './fullName.ts';
import {
  type DefaultNames,
  type Name,
  nameIdPlaces,
  namesOf,
  type Place,
  type Reader,
  type Source,
} from './reader.ts';

export interface FieldSpec {
  from: readonly Source[];
  /** The value where no source has any; null for none. */
  fallback: string | null;
  /** E-mail only. */
  unverified?: Unverified;
  /** Whether the issuer stands in front of an identifier; undefined where the mapping does not say. Of an identifier only. */
  issuer?: boolean | undefined;
  /** Whether an assertion of this issuer proves an address by saying that it is verified. E-mail only. */
  trustsVerified?: boolean;
  /** What rules ask of the address that is used. E-mail only. */
  addressTests?: readonly AddressTest[];
}

/** How a field is looked up in one kind of login. */
export interface FieldLookup extends Omit<FieldSpec, 'from'> {
  candidates: readonly Candidate[];
}

/** Where a value is looked for, and what is made of it. */
interface Candidate {
  /** Names that are looked up together, or the NameID. */
  names: readonly Name[] | 'nameId' | 'emailNameId';
  /** The field's value, null for what cannot be used. An address is judged by what the provider says of it too. */
  use: (text: string) => string | null;
  /** What the trace says of a value that was found here. */
  how?: string;
}

export interface FoundField {
  value: string | null;
  /** Whether it was looked for and not there. A value that is there and refused is not missing; one that a fallback hides is. */
  isMissing: boolean;
  /** Whether it is an address or an identifier that is there, and may not be used. */
  isRefused: boolean;
  /** @param isDetailed whether it has the path of the value */
  trace(isDetailed: boolean): FieldTrace;
}

const USE: Record<(typeof FIELDS)[FieldName]['form'], Candidate['use']> = {
  address: trimmed,
  name: usableName,
  link: trimmed,
  identifier: trimmed,
};

export function fieldLookup(
  field: FieldName,
  { from, ...rest }: FieldSpec,
  defaults: DefaultNames,
): FieldLookup {
  const { form } = FIELDS[field];
  const use = USE[form];
  const sources = form === 'identifier' ? eachAlone(from) : withNeighbours(from);
  const candidates = sources.flatMap((source): Candidate[] => {
    if (Array.isArray(source)) return [{ names: namesOf(...source.flatMap(defaults.expand)), use }];
    return source.use === 'defaults' ? defaultCandidates(field, defaults, use) : [{ names: 'nameId', use }];
  });
  return { ...rest, candidates };
}

type JoinedSource = string[] | Exclude<Source, string>;

function eachAlone(from: readonly Source[]): JoinedSource[] {
  return from.map((source) => (typeof source === 'string' ? [source] : source));
}

/** Neighbouring names are looked up together: `Name` for all of them goes before `FriendlyName`. */
function withNeighbours(from: readonly Source[]): JoinedSource[] {
  const joined: JoinedSource[] = [];
  for (const source of from) {
    const last = joined.at(-1);
    if (typeof source !== 'string') joined.push(source);
    else if (Array.isArray(last)) last.push(source);
    else joined.push([source]);
  }
  return joined;
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
  if (field === 'email' && defaults.emailNameId) candidates.push({ names: 'emailNameId', use });
  return candidates;
}

/** A value that is used, and where it stands. */
interface Hit extends AcceptedAddress {
  value: string;
  place: Place;
  how: string | undefined;
}

/** The first value that can be used. An address that is refused blocks the fallback: it makes nobody somebody else. */
export function findField(reader: Reader, lookup: FieldLookup): FoundField {
  const { candidates, fallback, unverified, trustsVerified = false } = lookup;
  const addresses = unverified && new AddressChoice(reader, unverified, trustsVerified);
  const hit = firstHit(reader, lookup, addresses);
  if (hit) return { value: hit.value, isMissing: false, isRefused: false, trace: traceOf(hit, candidates) };
  const refusal = addresses?.refusal ?? null;
  const value = refusal === null ? fallback : null;
  const found = value === null ? null : 'fallback';
  const why = refusal && { note: refusal, hint: ADDRESS_PROBLEMS[refusal].hint };
  return {
    value,
    isMissing: candidates.length > 0 && refusal === null,
    isRefused: refusal !== null,
    trace: () => ({ tried: namesTried(candidates), found, ...why }),
  };
}

/** Of several addresses the first that every rule on addresses allows; where there is none, the first, which a rule then refuses. */
function firstHit(
  reader: Reader,
  { candidates, addressTests = [] }: FieldLookup,
  addresses: AddressChoice | undefined,
): Hit | null {
  let first: Hit | null = null;
  for (const { names, use, how } of candidates) {
    for (const place of placesOf(reader, names)) {
      const value = use(place.text);
      if (value === null) continue;
      const accepted = addresses ? addresses.accept(value, place.name) : {};
      if (!accepted) continue;
      const hit = { value, place, how, ...accepted };
      if (addressTests.every((allows) => allows(value))) return hit;
      first ??= hit;
    }
  }
  return first;
}

/** The places of a candidate in the order in which they are tried, without those that only a rule that denies looks at. */
export function placesOf(reader: Reader, names: Candidate['names']): Iterable<Place> {
  if (typeof names === 'string') return nameIdPlaces(reader[names]);
  return reader.places(names).filter(({ rank }) => rank !== 'hidden');
}

function traceOf(
  { place: { name, by, path }, how, note }: Hit,
  candidates: FieldLookup['candidates'],
): FoundField['trace'] {
  const found = `${by ? `${by} ` : ''}${name}${how ? `, ${how}` : ''}`;
  return (isDetailed) => ({
    tried: namesTried(candidates),
    found,
    ...(note && { note }),
    ...(isDetailed && { path }),
  });
}

/** Each once, in the order in which they are tried. */
export function namesTried(candidates: FieldLookup['candidates']): string[] {
  const names = candidates.flatMap(({ names }) => {
    if (typeof names !== 'string') return names.map(({ name }) => name);
    return names === 'nameId' ? 'NameID' : 'NameID of format emailAddress';
  });
  return [...new Set(names)];
}
