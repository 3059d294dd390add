/** Finds the two halves of a person's name together: what one of them lacks is made of a full name. */

import { type FieldLookup, type FoundField, foundAt, namesTried, occurrencesOf } from './findField.ts';
import {
  type FullName,
  type Half,
  isAtEnd,
  isWhole,
  type KnownHalf,
  readFullName,
  readHalf,
  splitFullName,
  withoutHalf,
} from './fullName.ts';
import type { Occurrence, Reader } from './reader.ts';

export interface NameLookup {
  fields: Record<Half, FieldLookup>;
  names: {
    fullName: FieldLookup;
    /** Whether the mapping names the sources of a full name: whatever they have is one. */
    isFullNameNamed: boolean;
    /** Whether a half is made of a full name where it is absent. A half of named sources has no others. */
    isMade: Record<Half, boolean>;
  };
}

interface Found {
  text: string;
  occurrence: Occurrence;
  how?: string;
  /** Whether it may be several. */
  isJoined?: boolean;
}

interface FoundFullName extends Found {
  name: FullName;
}

/** Under the names of one source. More than anybody has. */
const MAX_NAMES = 10;

/** It is no more than a half, whatever full name arrives. */
// Stryker disable next-line Regex: it only saves time.
const ONE_WORD = /^[!-+\-.-:<-~]+$/;

const OTHER_HALF = { first_name: 'last_name', last_name: 'first_name' } as const;

const REST: Record<Half, string> = {
  first_name: 'the rest beside the family name',
  last_name: 'the rest beside the given name',
};

const JOINED = {
  note: 'joined',
  hint: 'Several names may have arrived as one text: have the provider send one Attribute, or one item of a list, for each value.',
} as const;

export function findNames(reader: Reader, { fields, names }: NameLookup): Record<Half, FoundField> {
  const fullNames = once(() => fullNamesOf(reader, names.fullName));
  // Stryker disable StringLiteral: which half it is matters only beside a full name of no more than a suffix.
  const arrived = {
    first_name: arrivedHalf('first_name', textsOf(reader, fields.first_name), fullNames),
    last_name: arrivedHalf('last_name', textsOf(reader, fields.last_name), fullNames),
  };
  // Stryker restore StringLiteral
  const known = (half: Half) => (arrived[half].isAll && names.isMade[half] ? null : arrived[half].found);
  const half = (one: Half) => {
    const { found } = arrived[one];
    const beside = known(OTHER_HALF[one]);
    const make = () =>
      names.isMade[one] ? made(one, { found, beside, fullNames: fullNames(), names }) : null;
    return fieldOf(known(one) ?? make() ?? found, fields[one], names.isMade[one] ? names.fullName : null);
  };
  return { first_name: half('first_name'), last_name: half('last_name') };
}

/** Most people have one plain name for each half, and need none of them. */
function once<TValue>(make: () => TValue): () => TValue {
  let made: { value: TValue } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function fullNamesOf(reader: Reader, lookup: FieldLookup): FoundFullName[] {
  return Array.from(textsOf(reader, lookup)).flatMap((found): FoundFullName[] => {
    const name = readFullName(found.text);
    return name ? [{ ...found, name }] : [];
  });
}

function* textsOf(reader: Reader, { candidates }: FieldLookup): Generator<Found> {
  for (const { names, use } of candidates) {
    let count = 0;
    for (const occurrence of occurrencesOf(reader, names)) {
      const text = use(occurrence.text);
      if (text === null) continue;
      if (count === MAX_NAMES) break;
      count += 1;
      yield { text, occurrence };
    }
  }
}

/**
 * The first attribute that has any counts. Its values have no order, so that the one counts that a full name has. One that is
 * all of a full name is no half.
 */
function arrivedHalf(half: Half, texts: Iterable<Found>, fullNames: () => readonly FoundFullName[]) {
  const halves = ofFirstSource(texts);
  const [first, ...others] = halves;
  // Stryker disable next-line ConditionalExpression: a plain name comes to the same below, and takes longer.
  if (first && others.length === 0 && ONE_WORD.test(first.text)) return { found: first, isAll: false };
  const known = halves.map((found) => ({ ...found, ...readHalf(found.text) }));
  const isPart = (one: KnownHalf) => fullNames().some(({ name }) => withoutHalf(name, half, one) !== null);
  const isNotAll = (one: KnownHalf) => !fullNames().some(({ name }) => isWhole(one, name));
  const found = known.find(isPart) ?? known.find(isNotAll);
  return { found: found ?? known[0] ?? null, isAll: !found };
}

function ofFirstSource(texts: Iterable<Found>): Found[] {
  const found: Found[] = [];
  for (const text of texts) {
    const { name, by } = (found[0] ?? text).occurrence;
    if (text.occurrence.name !== name || text.occurrence.by !== by) break;
    found.push(text);
  }
  return found;
}

interface Material {
  /** What arrived for this half: nothing, or all of a full name. */
  found: Found | null;
  beside: Found | null;
  fullNames: readonly FoundFullName[];
  names: NameLookup['names'];
}

function made(half: Half, material: Material): Found | null {
  const { found, beside, fullNames } = material;
  if (beside) {
    const known = readHalf(beside.text);
    const [whole] = fullNames;
    if (whole && isItalian(beside, known, material)) return { ...whole, how: 'the given name' };
    const rest = firstOf(fullNames, REST[half], (name) => withoutHalf(name, OTHER_HALF[half], known));
    // A given name without the family name in it is one, though a full name is the same.
    if (rest || (found && half === 'first_name')) return rest;
  }
  const split = firstOf(fullNames, 'split', (name) => splitInTwo(name, half));
  return split ?? firstOf(fullNames, 'single word', (name) => splitFullName(name)[half]);
}

function firstOf(
  fullNames: readonly FoundFullName[],
  how: string,
  make: (name: FullName) => string | null,
): Found | null {
  for (const { name, occurrence } of fullNames) {
    const text = make(name);
    if (text !== null) return { text, occurrence, how };
  }
  return null;
}

/** A full name in two parts goes before a single word, which may be the name of an account. */
function splitInTwo(name: FullName, half: Half): string | null {
  const halves = splitFullName(name);
  return halves.last_name === null ? null : halves[half];
}

/** SPID, Italy's federation, has the given name in `name`, beside `familyName`. Some providers have a full name there. */
function isItalian({ occurrence }: Found, known: KnownHalf, { fullNames, names }: Material): boolean {
  if (occurrence.name !== 'familyName' || names.isFullNameNamed) return false;
  return fullNames.every(({ name, occurrence }) => occurrence.name === 'name' && !isAtEnd(known, name));
}

function fieldOf(found: Found | null, half: FieldLookup, fullName: FieldLookup | null): FoundField {
  const tried = () => namesTried([...half.candidates, ...(fullName?.candidates ?? [])]);
  if (!found) {
    const { fallback } = half;
    const trace = () => ({ tried: tried(), found: fallback === null ? null : 'fallback' });
    return { value: fallback, isMissing: true, trace };
  }
  const { text, occurrence, how, isJoined } = found;
  return {
    value: text,
    isMissing: false,
    trace: (isDetailed) => ({
      tried: tried(),
      found: foundAt(occurrence, how),
      ...(isJoined && JOINED),
      ...(isDetailed && { path: occurrence.path }),
    }),
  };
}
