/** Names of people: what can be shown of one, and the two halves of a full name. */

import {
  isFoldable,
  MAX_NAME_LENGTH,
  NOT_PRINTABLE_ASCII,
  showable,
  trimmed,
  unicodePattern,
} from '../text.ts';

export type Half = 'first_name' | 'last_name';

export interface Word {
  text: string;
  /** As it compares: without case, marks and full stops. */
  key: string;
}

/** A full name, without titles, degrees and what stands in parentheses. */
export interface FullName {
  /** All of it, or the family name where a comma follows. */
  words: readonly Word[];
  /** Behind a comma; null where there is none. */
  given: readonly Word[] | null;
  /** `Jr.` or `III`, which belongs to the family name. */
  suffix: string | null;
  /** Written in Han, Kana or Hangul, and so with the family name first. */
  isEastern: boolean;
}

/** In characters. Nobody has a longer name, and folding one takes a microsecond a character. */
const MAX_LENGTH = 1_000;
/** Nobody has more. Each word is compared with each word of a half. */
const MAX_WORDS = 50;

/** White space, marks of direction and other characters without ink. */
const NO_INK = String.raw`\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const inked = unicodePattern(`[^${NO_INK}](?:.*[^${NO_INK}])?`, 'su');
const unheard = unicodePattern(String.raw`[\p{M}\p{Cf}]+`, 'gu');
const eastern = unicodePattern(
  String.raw`^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]{1,${MAX_WORDS}}$`,
  'u',
);
const letters = unicodePattern(String.raw`\p{L}`, 'gu');

const ASIDE = /[([（][^()[\]（）]*(?:[)\]）]|$)/g;
const ORGANISATION = /\s\|(?:\s|$)/;
const TITLE = /^(?:(?:dr|ing|mrs?|ms|prof)\.-?)+$|^(?:dr|mrs?|ms|prof)$/i;
/** In this case alone: `Md` is the short form of a given name. */
const DEGREE = /^(?:(?:Ph\.?D|PHD|M\.?D|M\.?Sc|MSC)\.?)+$/;
const SUFFIX = /^(?:[JSjs]r\.?|[JS]R\.?|II|III|IV)$/;
/** Two capitals are initials (`JP`, `AJ`), unless they read as a syllable (`LI`, `WU`). */
const SYLLABLE = /^[B-DF-HJ-NP-TV-Z][AEIOUY]$/;

/** A name as it can be shown; null where nothing of it is left. */
export function usableName(value: string): string | null {
  if (value.length > MAX_NAME_LENGTH) return null;
  // Stryker disable next-line ConditionalExpression: what follows makes the same of it, and takes longer.
  if (!NOT_PRINTABLE_ASCII.test(value)) return trimmed(value);
  return inked().exec(showable(value))?.[0] ?? null;
}

/** Null for what is no name of a person, such as an address. */
export function readFullName(text: string): FullName | null {
  if (text.length > MAX_LENGTH || text.includes('@') || !isFoldable(text)) return null;
  const [name = ''] = showable(text).replace(ASIDE, ' ').split(ORGANISATION);
  const [family, ...behind] = name
    .split(',')
    .map(untitled)
    .filter((words, index) => words.length > 0 && !(index > 0 && isDecoration(words)));
  const given = behind.find((words) => !isSuffix(words)) ?? null;
  if (!family || family.length + (given?.length ?? 0) > MAX_WORDS) return null;
  const [next] = behind;
  const { words, suffix } =
    next && isSuffix(next) ? { words: family, suffix: next.join() } : cutSuffix(family, given ? 1 : 2);
  return {
    words: words.map(wordOf),
    given: given && cutSuffix(given, 1).words.map(wordOf),
    suffix,
    isEastern: !given && words.every(isEastern),
  };
}

function untitled(text: string): string[] {
  const words = (usableName(text) ?? '').split(/\s+/).filter((word) => word !== '');
  const first = words.findIndex((word) => !TITLE.test(word));
  return words.slice(Math.max(first, 0));
}

/** A degree behind a comma, or titles. */
function isDecoration(words: readonly string[]): boolean {
  return DEGREE.test(words.join('')) || words.every((word) => TITLE.test(word));
}

function isSuffix(words: readonly string[]): boolean {
  return words.length === 1 && SUFFIX.test(words.join());
}

/** @param least how many words there must be before a suffix */
export function cutSuffix(words: readonly string[], least: number) {
  const last = words.at(-1);
  if (last === undefined || words.length <= least || !SUFFIX.test(last)) return { words, suffix: null };
  return { words: words.slice(0, -1), suffix: last };
}

function wordOf(text: string): Word {
  const plain = NOT_PRINTABLE_ASCII.test(text) ? text.normalize('NFKD').replace(unheard(), '') : text;
  return { text, key: plain.replace(/[.;’']/g, '').toUpperCase() };
}

export function isEastern(text: string): boolean {
  return NOT_PRINTABLE_ASCII.test(text) && eastern().test(text);
}

/** A single word is a first name. */
export function splitFullName(name: FullName): Record<Half, string | null> {
  const { words, given } = name;
  if (given) return { first_name: textOf(given), last_name: familyOf(words, name) };
  if (words.length === 1) return { first_name: textOf(words), last_name: null };
  const [start, end] = familyPlace(name);
  return {
    first_name: textOf([...words.slice(0, start), ...words.slice(end)]),
    last_name: familyOf(words.slice(start, end), name),
  };
}

/** Between which words the family name stands: first in East Asia; elsewhere words in capitals beside others, or the last word. */
function familyPlace(name: FullName): [start: number, end: number] {
  if (name.isEastern) return [0, 1];
  const words = name.words.map(({ text }) => text);
  const start = words.findIndex(isInCapitals);
  const end = words.findLastIndex(isInCapitals) + 1;
  const isTogether = start >= 0 && words.slice(start, end).every(isInCapitals);
  const isBesideOthers = words.some((word) => !isInCapitals(word) && lettersOf(word) > 1);
  return isTogether && isBesideOthers ? [start, end] : [words.length - 1, words.length];
}

function isInCapitals(word: string): boolean {
  if (word !== word.toUpperCase() || word === word.toLowerCase()) return false;
  return lettersOf(word) > 2 || SYLLABLE.test(word);
}

function lettersOf(word: string): number {
  return word.match(letters())?.length ?? 0;
}

/** A family name of these words, with what belongs to it; null for none. */
export function familyOf(words: readonly Word[], { suffix }: FullName): string | null {
  const family = textOf(words);
  return family && suffix ? `${family} ${suffix}` : family;
}

export function textOf(words: readonly Word[]): string | null {
  return usableName(words.map(({ text }) => text).join(' '));
}
