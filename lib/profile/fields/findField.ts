/** Finds the value of one profile field: candidates in order, the first usable one wins. */

import { trimmed } from '../../text.ts';
import { FIELDS, type FieldName, type Source } from '../schema/profileFields.ts';
import {
  type AcceptedAddress,
  ADDRESS_PROBLEMS,
  AddressChoice,
  type AddressRefusal,
  type AddressTest,
  type Unverified,
} from './addressChoice.ts';
import { usableName } from './fullName.ts';
import {
  type DefaultNames,
  type Name,
  nameIdOccurrences,
  namesOf,
  type Occurrence,
  type Reader,
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

export type IdentifierProblem = 'several_values' | 'other_form' | 'too_long';

export interface FieldTrace {
  /** The candidates, in the order in which they are tried. */
  tried: string[];
  /** The one that won, and how; null where none did. */
  found: string | null;
  /** Why an address or an identifier was refused, or what the provider does not say of an address; or that a name may be several, joined. */
  note?: AddressRefusal | IdentifierProblem | 'joined';
  hint?: string;
  /** At level DEBUG, where the value stands that was used. */
  path?: string | undefined;
}

/** How a field is looked up in one kind of login. */
export interface FieldLookup extends Omit<FieldSpec, 'from'> {
  candidates: readonly Candidate[];
}

interface Candidate {
  /** Names that are looked up together, or the NameID. */
  names: readonly Name[] | 'nameId' | 'emailNameId';
  /** The field's value, null for what cannot be used. An address is judged by what the provider says of it too. */
  use: (text: string) => string | null;
}

export interface FoundField {
  value: string | null;
  /** Whether it was looked for and not there. A value that is there and refused is not missing; one that a fallback hides is. */
  isMissing: boolean;
  /** Of an address or an identifier that is there, and may not be used. */
  isRefused?: boolean;
  /** The domain of an identifier that has one, which rules on scopes look at. */
  scope?: string | undefined;
  /** @param isDetailed whether it has the path of the value */
  trace(isDetailed: boolean): FieldTrace;
}

export function fieldLookup(
  field: FieldName | 'full_name',
  { from, ...rest }: FieldSpec,
  defaults: DefaultNames,
): FieldLookup {
  // What is no name is taken out of a full one when it is read.
  const form = field === 'full_name' ? null : FIELDS[field].form;
  const use = form === 'name' ? usableName : trimmed;
  const candidates = joinedSources(from, form !== 'identifier').flatMap((source): Candidate[] => {
    if (Array.isArray(source)) return [{ names: namesOf(...source.flatMap(defaults.expand)), use }];
    return source.use === 'defaults' ? defaultCandidates(field, defaults, use) : [{ names: 'nameId', use }];
  });
  return { ...rest, candidates };
}

type JoinedSource = string[] | Exclude<Source, string>;

/** @param areJoined whether neighbouring names are looked up together: `Name` for all of them goes before `FriendlyName` */
function joinedSources(from: readonly Source[], areJoined: boolean): JoinedSource[] {
  const joined: JoinedSource[] = [];
  for (const source of from) {
    const last = joined.at(-1);
    if (typeof source !== 'string') joined.push(source);
    else if (areJoined && Array.isArray(last)) last.push(source);
    else joined.push([source]);
  }
  return joined;
}

function defaultCandidates(
  field: FieldName | 'full_name',
  defaults: DefaultNames,
  use: Candidate['use'],
): Candidate[] {
  const candidates: Candidate[] = [{ names: defaults[field] ?? [], use }];
  if (field === 'email' && defaults.emailNameId) candidates.push({ names: 'emailNameId', use });
  return candidates;
}

interface Hit extends AcceptedAddress {
  value: string;
  occurrence: Occurrence;
}

/** The first value that can be used. An address that is refused blocks the fallback: it makes nobody somebody else. */
export function findField(reader: Reader, lookup: FieldLookup): FoundField {
  const { candidates, fallback, unverified, trustsVerified = false } = lookup;
  const addresses = unverified && new AddressChoice(reader, unverified, trustsVerified);
  const hit = firstHit(reader, lookup, addresses);
  if (hit) return { value: hit.value, isMissing: false, trace: traceOf(hit, candidates) };
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
  for (const { names, use } of candidates) {
    for (const occurrence of occurrencesOf(reader, names)) {
      const value = use(occurrence.text);
      if (value === null) continue;
      const accepted = addresses ? addresses.accept(value, occurrence.name) : {};
      if (!accepted) continue;
      const hit = { value, occurrence, ...accepted };
      if (addressTests.every((allows) => allows(value))) return hit;
      first ??= hit;
    }
  }
  return first;
}

/** The occurrences of a candidate in the order in which they are tried. */
export function occurrencesOf(reader: Reader, names: Candidate['names']): IteratorObject<Occurrence> {
  if (typeof names === 'string') return nameIdOccurrences(reader[names]).values();
  return reader.occurrences(names);
}

function traceOf({ occurrence, note }: Hit, candidates: FieldLookup['candidates']): FoundField['trace'] {
  return (isDetailed) => ({
    tried: namesTried(candidates),
    found: foundAt(occurrence),
    ...(note && { note }),
    ...(isDetailed && { path: occurrence.path }),
  });
}

/** @param how what was made of what stands there */
export function foundAt({ name, by }: Occurrence, how?: string): string {
  return `${by ? `${by} ` : ''}${name}${how ? `, ${how}` : ''}`;
}

/** Each once, in the order in which they are tried. */
export function namesTried(candidates: FieldLookup['candidates']): string[] {
  const names = candidates.flatMap(({ names }) => {
    if (typeof names !== 'string') return names.map(({ name }) => name);
    return names === 'nameId' ? 'NameID' : 'NameID of format emailAddress';
  });
  return [...new Set(names)];
}
