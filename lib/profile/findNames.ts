/** Finds the two halves of a person's name together: what one of them lacks is made of a full name. */

import { asciiLowerCase } from '../text.ts';
import { type FieldLookup, type FoundField, foundAt, namesTried, placesOf } from './findField.ts';
import { type FullName, type Half, isEastern, readFullName, splitFullName } from './fullName.ts';
import { besideHalf, isWhole, type KnownHalf, OTHER_HALF, readHalf, withoutHalf } from './otherHalf.ts';
import type { Place, Reader } from './reader.ts';

/** How the names of people are looked up in one kind of login. */
export interface NamePolicy {
  fields: Record<Half, FieldLookup>;
  names: {
    fullName: FieldLookup;
    /** Whether the mapping names the sources of a full name: whatever they have is one. */
    isFullNameNamed: boolean;
    /** Whether a half is made of a full name where it is absent. A half of named sources has no others. */
    isMade: Record<Half, boolean>;
  };
}

/** A text that is used, and where it stands. */
interface Found {
  text: string;
  place: Place;
  /** How it was made. */
  how?: string;
}

interface ArrivedHalf extends Found, KnownHalf {}

interface FoundFullName extends Found {
  name: FullName;
}

/** More than anybody has. */
const MAX_NAMES = 10;

const REST = {
  first_name: 'the rest beside the family name',
  last_name: 'the rest beside the given name',
} as const satisfies Record<Half, string>;

const JOINED = {
  note: 'joined',
  hint: 'Several names may have arrived as one text: have the provider send one Attribute, or one item of a list, for each value.',
} as const;

export function findNames(reader: Reader, { fields, names }: NamePolicy): Record<Half, FoundField> {
  let read: FoundFullName[] | undefined;
  const fullNames = () => {
    read ??= fullNamesIn(reader, names.fullName);
    return read;
  };
  const arrived = {
    first_name: arrivedHalf('first_name', halvesIn(reader, fields.first_name), fullNames),
    last_name: arrivedHalf('last_name', halvesIn(reader, fields.last_name), fullNames),
  };
  const known = (half: Half) => (arrived[half].isAll && names.isMade[half] ? null : arrived[half].found);
  const half = (one: Half) => {
    const { found } = arrived[one];
    const beside = known(OTHER_HALF[one]);
    const make = () => names.isMade[one] && made(one, { found, beside, fullNames: fullNames(), names });
    return fieldOf(known(one) || make() || found, fields[one], names.isMade[one] ? names.fullName : null);
  };
  return { first_name: half('first_name'), last_name: half('last_name') };
}

function fullNamesIn(reader: Reader, { candidates }: FieldLookup): FoundFullName[] {
  const texts = candidates.flatMap((candidate) => textsUnder(reader, candidate));
  return texts.slice(0, MAX_NAMES).flatMap(({ text, place }) => {
    const name = readFullName(text);
    return name ? [{ name, text, place }] : [];
  });
}

/** The texts of the first name that has any. */
function halvesIn(reader: Reader, { candidates }: FieldLookup): Found[] {
  for (const candidate of candidates) {
    const texts = textsUnder(reader, candidate);
    const [first] = texts;
    const isSame = ({ place }: Found) => place.name === first?.place.name && place.by === first.place.by;
    if (first) return texts.filter(isSame);
  }
  return [];
}

function textsUnder(reader: Reader, { names, use }: FieldLookup['candidates'][number]): Found[] {
  const found: Found[] = [];
  for (const place of placesOf(reader, names)) {
    const text = use(place.text);
    if (text !== null) found.push({ text, place });
    if (found.length === MAX_NAMES) break;
  }
  return found;
}

/**
 * Several values of an attribute have no order, so that the one counts that a full name has. One that is all of a full name is
 * no half.
 */
function arrivedHalf(half: Half, texts: readonly Found[], fullNames: () => readonly FoundFullName[]) {
  const halves: ArrivedHalf[] = texts.map((found) => ({ ...found, ...readHalf(found.text) }));
  const [first = null] = halves;
  // Stryker disable next-line ConditionalExpression: what follows finds the same, and takes longer.
  if (first === null || isOneOfOne(halves)) return { found: first, isAll: false };
  const isPart = (one: KnownHalf) => fullNames().some(({ name }) => withoutHalf(name, half, one) !== null);
  const isNotAll = (one: KnownHalf) => !fullNames().some(({ name }) => isWhole(one, name));
  const found = halves.find(isPart) ?? halves.find(isNotAll);
  return { found: found ?? first, isAll: !found };
}

/** Whether there is one word alone, which is no full name. */
function isOneOfOne([only, ...others]: readonly ArrivedHalf[]): boolean {
  return others.length === 0 && only?.keys.length === 1 && !isEastern(only.text);
}

interface Material {
  /** What arrived for this half: nothing, or all of a full name. */
  found: ArrivedHalf | null;
  /** The other half. */
  beside: ArrivedHalf | null;
  fullNames: readonly FoundFullName[];
  names: NamePolicy['names'];
}

function made(half: Half, material: Material): Found | null {
  const { found, beside, fullNames } = material;
  if (!beside) {
    const split = firstOf(fullNames, 'split', ({ name }) => splitInTwo(name, half));
    return split ?? (found ? null : singleWord(half, fullNames));
  }
  const other = OTHER_HALF[half];
  if (half === 'first_name' && isItalian(material)) {
    return (
      firstOf(fullNames, REST[half], ({ name }) => withoutHalf(name, other, beside, 'ends')) ??
      firstOf(fullNames, 'the given name', ({ text }) => text)
    );
  }
  const rest = firstOf(fullNames, REST[half], ({ name }) => withoutHalf(name, other, beside));
  // A given name without the family name in it is one, though a full name is the same.
  if (rest || (found && half === 'first_name')) return rest;
  return (
    firstOf(fullNames, 'split', ({ name }) => besideHalf(name, other, beside)) ?? singleWord(half, fullNames)
  );
}

function firstOf(
  fullNames: readonly FoundFullName[],
  how: string,
  make: (fullName: FoundFullName) => string | null,
): Found | null {
  for (const fullName of fullNames) {
    const text = make(fullName);
    if (text !== null) return { text, place: fullName.place, how };
  }
  return null;
}

/** A full name in two parts goes before a single word, which may be the name of an account. */
function splitInTwo(name: FullName, half: Half): string | null {
  const halves = splitFullName(name);
  return halves.last_name === null ? null : halves[half];
}

function singleWord(half: Half, fullNames: readonly FoundFullName[]): Found | null {
  return firstOf(fullNames, 'single word', ({ name }) => splitFullName(name)[half]);
}

/** SPID, Italy's federation, has the given name in `name`, beside `familyName`. Some providers have a full name there. */
function isItalian({ found, beside, fullNames, names }: Material): boolean {
  const isSpid = beside?.place.by === 'Name' && asciiLowerCase(beside.place.name) === 'familyname';
  return isSpid && !found && !names.isFullNameNamed && fullNames.every(({ place }) => place.name === 'name');
}

function fieldOf(
  found: Found | ArrivedHalf | null,
  half: FieldLookup,
  fullName: FieldLookup | null,
): FoundField {
  const tried = () => namesTried([...half.candidates, ...(fullName?.candidates ?? [])]);
  if (!found) {
    const { fallback } = half;
    const trace = () => ({ tried: tried(), found: fallback === null ? null : 'fallback' });
    return { value: fallback, isMissing: true, isRefused: false, trace };
  }
  const { text, place, how } = found;
  return {
    value: text,
    isMissing: false,
    isRefused: false,
    trace: (isDetailed) => ({
      tried: tried(),
      found: foundAt(place, how),
      ...('isJoined' in found && found.isJoined && JOINED),
      ...(isDetailed && { path: place.path }),
    }),
  };
}
