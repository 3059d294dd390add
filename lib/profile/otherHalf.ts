/** Makes one half of a name out of a full name and the other half. */

import { unicodePattern } from '../text.ts';
import {
  cutSuffix,
  type FullName,
  familyOf,
  type Half,
  isEastern,
  readFullName,
  splitFullName,
  textOf,
  type Word,
} from './fullName.ts';

export const OTHER_HALF = { first_name: 'last_name', last_name: 'first_name' } as const;

/** A half as it arrived, and how it compares with a full name: without what that loses, and without a suffix. */
export interface KnownHalf {
  text: string;
  keys: readonly string[];
  /** Whether it may be several, with a comma or a semicolon between them. */
  isJoined: boolean;
}

const initials = unicodePattern(String.raw`^(?:\p{L}\.-?)+$`, 'u');

export function readHalf(text: string): KnownHalf {
  const name = readFullName(text);
  const words = name ? allWords(name) : [];
  const { length } = cutSuffix(
    words.map((word) => word.text),
    1,
  ).words;
  const keys = words.slice(0, length).map(({ key }) => key);
  return { text, keys, isJoined: text.includes(';') || Boolean(name?.given) };
}

/** Whether a half has all words of a full name, in any order. A name of one word is no more than a half. */
export function isWhole({ keys }: KnownHalf, name: FullName): boolean {
  const all = allWords(name).map(({ key }) => key);
  if (all.length === 1 && !name.isEastern) return false;
  return all.toSorted().join(' ') === keys.toSorted().join(' ');
}

/**
 * What is left of a full name without one half: the other half. Null where the name does not have the half, or nothing else.
 *
 * @param reach `ends`: the half counts only at the start and the end of the name
 */
export function withoutHalf(
  name: FullName,
  half: Half,
  known: KnownHalf,
  reach: 'ends' | 'anywhere' = 'anywhere',
): string | null {
  const { words, given } = name;
  if (known.keys.length === 0) return null;
  const [word] = words;
  if (name.isEastern && word && words.length === 1) return withoutCharacters(word.text, half, known.text);
  const search = { half, wanted: known.keys, isEastern: name.isEastern, reach };
  const rest = given ? besideComma(words, given, search) : withoutWords(words, search);
  return half === 'first_name' ? familyOf(rest, name) : textOf(rest);
}

interface Search {
  half: Half;
  wanted: readonly string[];
  isEastern: boolean;
  reach: 'ends' | 'anywhere';
}

/** Each half has a side of its own. What is behind the comma may also be a department, and the whole name before it. */
function besideComma(family: readonly Word[], given: readonly Word[], search: Search): readonly Word[] {
  const isGiven = search.half === 'first_name';
  const [own, other] = isGiven ? [given, family] : [family, given];
  const place = placeOf(search.wanted, own);
  if (place >= 0 && (isGiven || own.slice(0, place).every(isParticle))) return other;
  const isReversed = placeOf(search.wanted, other) === 0 && search.wanted.length === other.length;
  return isReversed ? own : withoutWords(family, search);
}

/** Such as `van` or `de la`, before a family name. */
function isParticle({ text }: Word): boolean {
  return text === text.toLowerCase();
}

/** The end at which a half usually stands goes before the other end, and both before the middle. */
function withoutWords(words: readonly Word[], { half, wanted, isEastern, reach }: Search): readonly Word[] {
  const end = words.length - wanted.length;
  if (end <= 0) return [];
  const leads = (half === 'first_name') !== isEastern;
  const ends = leads ? [0, end] : [end, 0];
  const place = ends.find((one) => standsAt(one, wanted, words)) ?? placeOf(wanted, words);
  if (place < 0 || (reach === 'ends' && !ends.includes(place))) return [];
  const isRestBehind = place === 0 || (leads && place < end);
  if (!isRestBehind) return words.slice(0, place);
  const rest = words.slice(place + wanted.length);
  return half === 'first_name' ? withoutInitials(rest) : rest;
}

/** Those right behind a given name belong to it. */
function withoutInitials(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => !initials().test(text));
  return words.slice(Math.max(first, 0));
}

/** The index of the first of the words that follow each other so; -1 where none do. */
function placeOf(wanted: readonly string[], words: readonly Word[]): number {
  return words.findIndex((_, place) => standsAt(place, wanted, words));
}

function standsAt(place: number, wanted: readonly string[], words: readonly Word[]): boolean {
  return wanted.every((key, index) => words[place + index]?.key === key);
}

/** Of a name without white space, in which characters are words. */
function withoutCharacters(name: string, half: Half, known: string): string | null {
  const text = name.normalize('NFC');
  const part = known.normalize('NFC');
  if (!isEastern(part)) return null;
  const behind = text.startsWith(part) ? text.slice(part.length) : '';
  const before = text.endsWith(part) ? text.slice(0, -part.length) : '';
  const rest = half === 'last_name' ? behind || before : before || behind;
  return rest.replace(/^・|・$/, '') || null;
}

/**
 * The other half of a full name that does not have this one, such as `Robert Smith` beside `Bob`. No word is said twice. Null
 * for a name of one word.
 */
export function besideHalf(name: FullName, half: Half, { keys }: KnownHalf): string | null {
  const halves = splitFullName(name);
  if (halves.last_name === null) return null;
  const other = halves[OTHER_HALF[half]];
  const words = allWords(name);
  const rest = words.filter(({ key }) => !keys.includes(key));
  const isSaidTwice = words.some((word) => !rest.includes(word) && other?.split(' ').includes(word.text));
  return isSaidTwice ? textOf(rest) : other;
}

function allWords({ words, given }: FullName): readonly Word[] {
  return given ? [...words, ...given] : words;
}
