/** Finds the two halves of a person's name together: what one of them lacks is made of a full name. */

import {
  type FieldLookup,
  type FoundField,
  type FoundText,
  fallbackOf,
  foundField,
  textsOf,
} from './findField.ts';
import { type FullName, readFullName } from './fullName.ts';
import {
  eachHalf,
  type Half,
  isAtEnd,
  isWhole,
  type KnownHalf,
  readHalf,
  splitFullName,
  withoutHalf,
} from './nameHalves.ts';
import type { Reader } from './reader.ts';

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

/** What stands for a half, and how it was made. */
interface MadeHalf extends FoundText {
  how: string;
}

interface FoundFullName extends FoundText {
  name: FullName;
}

/** Under the names of one source. More than anybody has. */
const MAX_NAMES = 10;

/** It is no more than a half, whatever full name arrives. */
// Stryker disable next-line Regex: it only saves time.
const ONE_WORD = /^[!-+\-.-:<-~]+$/;

const HALVES = ['first_name', 'last_name'] as const;
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
  const { fullName, isMade } = names;
  let read: FoundFullName[] | undefined;
  // Most people have one plain name for each half, and need none of them.
  const fullNames = () => {
    read ??= textsOf(reader, fullName, MAX_NAMES).flatMap((found): FoundFullName[] => {
      const name = readFullName(found.text);
      return name ? [{ ...found, name }] : [];
    });
    return read;
  };
  const arrived = eachHalf((half) => arrivedHalf(half, textsOf(reader, fields[half], MAX_NAMES), fullNames));
  // A half of named sources stays a whole full name where there is no other half: nothing of the name is lost.
  const isNone = (half: Half) => {
    const other = OTHER_HALF[half];
    return arrived[half].isAll && (isMade[half] || isMade[other] || arrived[other].found !== null);
  };
  const known = (half: Half) => (isNone(half) ? null : arrived[half].found);
  const named = HALVES.filter((half) => !isMade[half] && isNone(half)).flatMap(
    (half) => arrived[half].found ?? [],
  );
  const usable = () =>
    fullNames().filter(({ name }) => named.every(({ text }) => isWhole(readHalf(text), name)));
  return eachHalf((half) => {
    const lookup = fields[half];
    const { found } = arrived[half];
    const own = known(half);
    const made = own ? null : madeHalf(half, found, known(OTHER_HALF[half]), usable(), names);
    const source = isMade[half] ? made : found;
    if (made && source) {
      const isJoined = made.occurrence.text.includes(';');
      return foundField(made.text, lookup.tried, source.occurrence, {
        how: made.how,
        ...(isJoined && JOINED),
      });
    }
    if (!found) return fallbackOf(lookup);
    return foundField(found.text, lookup.tried, found.occurrence, found.isJoined ? JOINED : {});
  });
}

/**
 * The first attribute that has any counts. Its values have no order, so that the one counts that a full name has. One that is
 * all of a full name is no half.
 */
function arrivedHalf(half: Half, all: readonly FoundText[], fullNames: () => readonly FoundFullName[]) {
  const halves = all.filter(({ occurrence: { name, by } }) => {
    const source = (all[0] as FoundText).occurrence;
    return name === source.name && by === source.by;
  });
  const [first, ...others] = halves;
  // Stryker disable next-line ConditionalExpression: a plain name comes to the same below, and takes longer.
  if (first && others.length === 0 && ONE_WORD.test(first.text))
    return { found: { ...first, isJoined: false }, isAll: false };
  const known = halves.map((found) => ({ ...found, ...readHalf(found.text) }));
  const isPart = (one: KnownHalf) => fullNames().some(({ name }) => withoutHalf(name, half, one) !== null);
  const isNotAll = (one: KnownHalf) => !fullNames().some(({ name }) => isWhole(one, name));
  const found = known.find(isPart) ?? known.find(isNotAll);
  return { found: found ?? known[0] ?? null, isAll: !found };
}

/** Of the other half, `beside`, and of what arrived for this one: nothing, or all of a full name. */
function madeHalf(
  half: Half,
  found: FoundText | null,
  beside: FoundText | null,
  fullNames: readonly FoundFullName[],
  names: NameLookup['names'],
): MadeHalf | null {
  const firstOf = (how: string, make: (name: FullName) => string | null): MadeHalf | null => {
    for (const { name, occurrence } of fullNames) {
      const text = make(name);
      if (text !== null) return { text, occurrence, how };
    }
    return null;
  };
  if (beside) {
    const known = readHalf(beside.text);
    const [whole] = fullNames;
    const isGivenName =
      !names.isFullNameNamed &&
      beside.occurrence.name === 'familyName' &&
      fullNames.every(({ name, occurrence }) => occurrence.name === 'name' && !isAtEnd(known, name));
    // SPID, Italy's federation, has the given name in `name`, beside `familyName`. Some providers have a full name there.
    if (whole && isGivenName) return { ...whole, how: 'the given name' };
    const rest = firstOf(REST[half], (name) => withoutHalf(name, OTHER_HALF[half], known));
    // A given name without the family name in it is one, though a full name is the same.
    if (rest || (found && half === 'first_name')) return rest;
  }
  // A full name in two parts goes before a single word, which may be the name of an account.
  const split = firstOf('split', (name) => {
    const halves = splitFullName(name);
    return halves.last_name === null ? null : halves[half];
  });
  return split ?? firstOf('single word', (name) => splitFullName(name)[half]);
}
