/** The two halves of a full name: where it is split, and what one half leaves of it. */

import { unicodePattern } from '../../text.ts';
import { type FullName, readFullName, usableName, type Word } from './fullName.ts';

export type Half = 'first_name' | 'last_name';

export function eachHalf<TValue>(make: (half: Half) => TValue): Record<Half, TValue> {
  return { first_name: make('first_name'), last_name: make('last_name') };
}

/** Fewer capitals may be initials. */
const capitals = unicodePattern(String.raw`\p{Lu}{3}`, 'u');
/** Such as `LI`, `LE` and `NG`, as words compare. Initials seldom end in a vowel. */
const SHORT_FAMILY = /^(?:[A-Z][AEIOU]|NG)$/;
/** They begin a family name. Only in small letters: `Van`, `Al` and `Di` are also given names. */
const PARTICLES = new Set(
  (
    'aan af al auf aus av ben bin bint binti da das de del dell della delle dem den der des di do dos du el het ibn in ' +
    "la las le los op te ten ter uit und v. v.d. van vom von zu zum zur 't ’t"
  ).split(' '),
);

/** Three syllables in Hangul are a whole name, and the family has one. Of other lengths, Han and Kana, it cannot be told. */
const KOREAN = /^[가-힣]{3}$/;

/** Another single word is a first name. */
export function splitFullName(name: FullName): Record<Half, string | null> {
  const { words } = name;
  if (name.given) {
    const { given, family } = sidesOf(words, name.given);
    return { first_name: textOf(given), last_name: familyOf(family, name) };
  }
  const [word, ...others] = words;
  if (word && others.length === 0) {
    if (KOREAN.test(word.text)) return { first_name: word.text.slice(1), last_name: word.text.slice(0, 1) };
    return { first_name: textOf(words), last_name: null };
  }
  const [start, end] = withParticles(familyPlace(name), words);
  const family = words.slice(start, end);
  return { first_name: textOf(words.toSpliced(start, family.length)), last_name: familyOf(family, name) };
}

type Place = [start: number, end: number];

/**
 * Where the family name begins, and where it ends. It stands first in East Asia; elsewhere it is the words in capitals that
 * stand together beside others, or the last word.
 */
function familyPlace({ words, isEastern }: FullName): Place {
  if (isEastern) return [0, 1];
  const last = words.length - 1;
  const [first] = words as [Word];
  if (words.every(isInCapitals)) return [last, last + 1];
  const end = words.findLastIndex(isFamily) + 1;
  if (end === 0) return isShort(first) ? [0, 1] : [last, last + 1];
  const start = words.findLastIndex((word, place) => place < end && !isFamily(word) && !isShort(word)) + 1;
  const isTogether = !words.slice(0, start).some(isFamily);
  return isTogether ? [start, end] : [last, last + 1];
}

/** Of a name with a comma. The end of `Berg, Jan van den` belongs to the family name. */
function sidesOf(family: readonly Word[], given: readonly Word[]) {
  const [start] = withParticles([given.length, given.length], given);
  return { given: given.slice(0, start), family: [...given.slice(start), ...family] };
}

/** From the particles before a family name on, unless nothing else is left for a first name. */
function withParticles([start, end]: Place, words: readonly Word[]): Place {
  const before = words.findLastIndex((word, place) => place < start && !isParticle(word)) + 1;
  return before === 0 && end === words.length ? [start, end] : [before, end];
}

/** Also that of `Heuvel-de Vries`. */
function isParticle({ text }: Word): boolean {
  return PARTICLES.has(text.replace(/.*-/, ''));
}

function isInCapitals({ text }: Word): boolean {
  return text === text.toUpperCase();
}

/** What ends with a full stop is a short form, such as the title `RNDr.` */
function isFamily({ text }: Word): boolean {
  return capitals().test(text) && !text.endsWith('.');
}

/** By itself only the first word, but also before other words of a family name: `DE LA CRUZ`. */
function isShort(word: Word): boolean {
  return isInCapitals(word) && SHORT_FAMILY.test(word.key);
}

/** A family name of these words, with what belongs to it; null for none. */
function familyOf(words: readonly Word[], { suffix }: FullName): string | null {
  const family = textOf(words);
  return family && suffix ? `${family} ${suffix}` : family;
}

function textOf(words: readonly Word[]): string | null {
  return usableName(words.map(({ text }) => text).join(' '));
}

export interface KnownHalf {
  text: string;
  /** As it compares with a full name: without what that loses, and without a suffix. */
  keys: readonly string[];
  /** All of these together. */
  key: string;
  /** Whether it may be several, with a comma or a semicolon between them. */
  isJoined: boolean;
}

export function readHalf(text: string): KnownHalf {
  const name = readFullName(text);
  const keys = name ? keysOf(name) : [text];
  return { text, keys, key: keys.join(''), isJoined: text.includes(';') || Boolean(name?.given) };
}

function keysOf(name: FullName): string[] {
  return allWords(name).map(({ key }) => key);
}

function allWords({ words, given }: FullName): readonly Word[] {
  return given ? [...words, ...given] : words;
}

/** Whether a half has all words of a full name, in any order. A name that has no two halves is no more than one. */
export function isWhole({ keys }: KnownHalf, name: FullName): boolean {
  const isSame = keys.toSorted().join(' ') === keysOf(name).toSorted().join(' ');
  return isSame && splitFullName(name).last_name !== null;
}

export function isAtEnd({ keys, key }: KnownHalf, name: FullName): boolean {
  // A suffix alone says nothing.
  if (keys.length === 0) return true;
  const words = allWords(name);
  return words.some((_, place) => {
    const count = countAt(place, key, words);
    return count > 0 && (place === 0 || place + count === words.length);
  });
}

/** What is left of a full name without one half: the other half. Null where the name does not have the half, or nothing else. */
export function withoutHalf(name: FullName, half: Half, { text, key }: KnownHalf): string | null {
  const { words, given } = name;
  const [word, ...others] = words;
  if (name.isEastern && word && others.length === 0) return withoutCharacters(word.text, half, text);
  const rest = given ? besideComma(words, given, half, key) : withoutWords(words, half, key);
  return half === 'first_name' ? familyOf(rest, name) : textOf(rest);
}

/** Each half has a side of its own. What is behind the comma may also be a department, and the whole name before it. */
function besideComma(
  words: readonly Word[],
  behind: readonly Word[],
  half: Half,
  key: string,
): readonly Word[] {
  const isGiven = half === 'first_name';
  const { given, family } = sidesOf(words, behind);
  const [own, other] = isGiven ? [given, family] : [family, given];
  const place = own.findIndex((_, index) => countAt(index, key, own) > 0);
  if (place >= 0 && (isGiven || own.slice(0, place).every(isParticle))) return other;
  const rest = withoutWords(words, half, key);
  return rest.length > 0 ? rest : withoutWords([...words, ...behind], half, key);
}

/** What follows a given name, or what precedes a family name; what is on the other side where that is nothing. */
function withoutWords(words: readonly Word[], half: Half, key: string): readonly Word[] {
  const isGiven = half === 'first_name';
  const isHere = (_: Word, index: number) => countAt(index, key, words) > 0;
  const place = isGiven ? words.findIndex(isHere) : words.findLastIndex(isHere);
  // Stryker disable next-line ArrayDeclaration: what is no word makes no text.
  if (place < 0) return [];
  const before = words.slice(0, place);
  const behind = words.slice(place + countAt(place, key, words));
  if (isGiven) return behind.length > 0 ? withoutInitials(behind) : before;
  return before.length > 0 ? before : behind;
}

/** Those right behind a given name, such as `M.`, belong to it. */
function withoutInitials(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => !(text.length === 2 && text.endsWith('.')));
  return words.slice(Math.max(first, 0));
}

/** How many words from this place on are a half; 0 where it is not there. `Smith-Jones` may also be two words. */
function countAt(place: number, key: string, words: readonly Word[]): number {
  let end = place;
  let compared = 0;
  while (compared < key.length) {
    const word = words[end]?.key;
    // Stryker disable next-line ConditionalExpression: no key begins with what is not there.
    if (word === undefined || !key.startsWith(word, compared)) return 0;
    compared += word.length;
    end += 1;
  }
  return end - place;
}

/** Of a name without white space, in which characters are words. */
function withoutCharacters(name: string, half: Half, known: string): string | null {
  const behind = name.startsWith(known) ? name.slice(known.length) : '';
  const before = name.endsWith(known) ? name.slice(0, -known.length) : '';
  return (half === 'last_name' ? behind || before : before || behind) || null;
}
