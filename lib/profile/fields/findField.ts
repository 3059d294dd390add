/** Finds the value of one profile field: candidates in order, the first usable one wins. */

import { trimmed } from '../../text.ts';
import { FIELDS, type FieldName, type FieldSources } from '../schema/profileFields.ts';
import { ADDRESS_PROBLEMS, type AddressRefusal, type AddressSpec, judgeAddress } from './addressChoice.ts';
import { usableName } from './fullName.ts';
import { friendlyNameNote } from './nearMiss.ts';
import {
  type DefaultNames,
  isUsed,
  type Name,
  nameIdOccurrences,
  namesOf,
  type Occurrence,
  type Reader,
} from './reader.ts';

interface FieldSpec extends FieldSources {
  /** E-mail only. */
  address?: AddressSpec;
  /** Of identifiers, also those that a setting names: whether the issuer stands in front. */
  issuer?: boolean | undefined;
}

export type IdentifierProblem = 'several_values' | 'other_form' | 'too_long';

export interface FieldTrace {
  /** The candidates, each once, in the order in which they are tried. */
  tried: readonly string[];
  /** The one that won, and how; null where none did. */
  found: string | null;
  /** Why an address or an identifier was refused, or what the provider does not say of an address; or that a name may be several, joined. */
  note?: AddressRefusal | IdentifierProblem | 'joined';
  hint?: string | undefined;
  /** Where the value stands that was used. An explanation has it at level DEBUG. */
  path?: string | undefined;
}

/** Names that are looked up together, or the NameID. */
type Candidate = readonly Name[] | 'nameId' | 'emailNameId';

/** How a field is looked up in one kind of login. */
export interface FieldLookup extends Omit<FieldSpec, 'from'> {
  candidates: readonly Candidate[];
  /** Those of all candidates. */
  names: readonly Name[];
  tried: readonly string[];
  /** The keys of attributes whose values are identifiers with a scope. */
  scopedIds: ReadonlySet<string>;
  /** Takes what arrived, and gives null for what cannot be used. An address is judged by what the provider says of it too. */
  use: (text: string) => string | null;
}

export interface FoundField {
  value: string | null;
  /** Whether it was looked for and not there. A value that is there and refused is not missing; one that a fallback hides is. */
  isMissing: boolean;
  /** Whether it is an address or an identifier that is there, and may not be used. */
  isRefused?: boolean;
  /** The domain of an identifier that has one, which rules on scopes look at. */
  scope?: string | undefined;
  trace: FieldTrace;
}

/** @param alsoTried by the look-up of a full name, of which the field is made where it is absent */
export function fieldLookup(
  field: FieldName | 'full_name',
  { from, ...rest }: FieldSpec,
  defaults: DefaultNames,
  alsoTried: readonly string[] = [],
): FieldLookup {
  // What is no name is taken out of a full one when it is read.
  const form = (FIELDS as Readonly<Record<string, string>>)[field];
  const candidates: Candidate[] = [];
  // Stryker disable next-line ArrayDeclaration: the first name begins a list of its own.
  let joined: Name[] = [];
  for (const source of from) {
    if (typeof source === 'string') {
      // Neighbouring names are looked up together: `Name` for all of them goes before `FriendlyName`.
      if (candidates.at(-1) !== joined || form === 'identifier') {
        joined = [];
        candidates.push(joined);
      }
      joined.push(...namesOf(...defaults.expand(source)));
    } else if (source.use === 'nameId') candidates.push('nameId');
    else {
      candidates.push(defaults[field] ?? []);
      if (field === 'email' && defaults.emailNameId) candidates.push('emailNameId');
    }
  }
  const tried = candidates.flatMap((names) => {
    if (typeof names !== 'string') return names.map(({ name }) => name);
    return names === 'nameId' ? 'NameID' : 'NameID of format emailAddress';
  });
  return {
    ...rest,
    candidates,
    // Stryker disable next-line MethodExpression,ConditionalExpression,StringLiteral: what is no list has no name that arrives.
    names: candidates.filter((names) => typeof names !== 'string').flat(),
    tried: [...new Set([...tried, ...alsoTried])],
    scopedIds: defaults.scopedIds,
    use: form === 'name' ? usableName : trimmed,
  };
}

/** A text that can be the value of a field. */
export interface FoundText {
  text: string;
  occurrence: Occurrence;
}

/** The usable texts of a field in the order in which they are tried, at most so many of each candidate. */
export function textsOf(reader: Reader, { candidates, names, use }: FieldLookup, max: number): FoundText[] {
  return candidates.flatMap((candidate) => {
    const found: FoundText[] = [];
    const occurrences =
      typeof candidate === 'string'
        ? nameIdOccurrences(reader[candidate])
        : reader.occurrences(candidate, names);
    // A loop, because it runs in every login, and ends at the first text for most fields.
    for (const occurrence of occurrences) {
      if (found.length === max) break;
      const text = use(occurrence.text);
      if (text !== null) found.push({ text, occurrence });
    }
    return found;
  });
}

/** The first value that can be used. An address that is refused blocks the fallback: it makes nobody somebody else. */
export function findField(reader: Reader, lookup: FieldLookup): FoundField {
  if (lookup.address) return findAddress(reader, lookup, lookup.address);
  const [first] = textsOf(reader, lookup, 1);
  return first ? foundField(first.text, lookup.tried, first.occurrence) : fallbackOf(lookup);
}

/** More than anybody has. */
const MAX_ADDRESSES = 100;

/** Of several addresses the first that every rule on addresses allows; where there is none, the first, which a rule then refuses. */
function findAddress(reader: Reader, lookup: FieldLookup, spec: AddressSpec): FoundField {
  const { tried } = lookup;
  const arrived = textsOf(reader, lookup, MAX_ADDRESSES).slice(0, MAX_ADDRESSES);
  // Rules decide by it: a FriendlyName does not count beside another one (SAML Core 2.7.3.1).
  const used = arrived.filter(({ occurrence }) => isUsed(occurrence));
  const texts = used.length > 0 ? used : arrived;
  const first = texts[0]?.text;
  const judged = texts.map(({ text: address, occurrence }) => {
    const isFirst = address === first;
    const { refusal, ...note } = judgeAddress(reader, spec, { address, name: occurrence.name, isFirst });
    return { address, occurrence, refusal, note };
  });
  const usable = judged.filter(({ refusal }) => refusal === undefined);
  const isAllowed = ({ address }: { address: string }) => spec.tests.every((allows) => allows(address));
  const found = usable.find(isAllowed) ?? usable[0];
  if (found) return foundField(found.address, tried, found.occurrence, found.note);
  const refusal = judged.at(-1)?.refusal;
  return refusal ? refusedField(tried, refusal, ADDRESS_PROBLEMS[refusal].hint) : fallbackOf(lookup);
}

/** @param more what else the trace says, and `how`: what was made of what stands there */
export function foundField(
  value: string,
  tried: readonly string[],
  occurrence: Pick<Occurrence, 'name' | 'by' | 'path' | 'attribute'>,
  { how, ...more }: Pick<FieldTrace, 'note' | 'hint'> & { how?: string | undefined } = {},
): FoundField {
  const { name, by, path } = occurrence;
  const found = `${by ? `${by} ` : ''}${name}${how ? `, ${how}` : ''}`;
  const friendly = by === 'FriendlyName' && { hint: friendlyNameNote(name, occurrence).note };
  return { value, isMissing: false, trace: { tried, found, ...friendly, ...more, path } };
}

/** Of a field that no source has. */
export function fallbackOf({ candidates, tried, fallback }: FieldLookup, hint?: string): FoundField {
  const found = fallback === null ? null : 'fallback';
  return { value: fallback, isMissing: candidates.length > 0, trace: { tried, found, hint } };
}

export function refusedField(
  tried: readonly string[],
  note: AddressRefusal | IdentifierProblem,
  hint: string,
): FoundField {
  return { value: null, isMissing: false, isRefused: true, trace: { tried, found: null, note, hint } };
}
