/** Makes one half of a name out of a full name and the other half. */

import { type FullName, familyOf, type Half, readFullName, textOf, type Word } from './fullName.ts';

/** A half as it arrived. */
export interface KnownHalf {
  text: string;
  /** As it compares with a full name: without what that loses, and without a suffix. */
  keys: readonly string[];
  /** Whether it may be several, with a comma or a semicolon between them. */
  isJoined: boolean;
}

export function readHalf(text: string): KnownHalf {
  const name = readFullName(text);
  return { text, keys: name ? keysOf(name) : [text], isJoined: text.includes(';') || Boolean(name?.given) };
}

function keysOf(name: FullName): string[] {
  return allWords(name).map(({ key }) => key);
}

function allWords({ words, given }: FullName): readonly Word[] {
  return given ? [...words, ...given] : words;
}

/** Whether a half has all words of a full name, in any order. A name of one word is no more than a half. */
export function isWhole({ keys }: KnownHalf, name: FullName): boolean {
  return keys.length > 1 && keys.toSorted().join(' ') === keysOf(name).toSorted().join(' ');
}

/** Whether a full name begins or ends with a half. */
export function isAtEnd({ keys }: KnownHalf, name: FullName): boolean {
  const words = allWords(name);
  return standsAt(0, keys, words) || standsAt(words.length - keys.length, keys, words);
}

/** What is left of a full name without one half: the other half. Null where the name does not have the half, or nothing else. */
export function withoutHalf(name: FullName, half: Half, { text, keys }: KnownHalf): string | null {
  const { words, given } = name;
  const [word, ...others] = words;
  if (name.isEastern && word && others.length === 0) return withoutCharacters(word.text, half, text);
  const rest = given ? besideComma(words, given, half, keys) : withoutWords(words, half, keys);
  return half === 'first_name' ? familyOf(rest, name) : textOf(rest);
}

/** Each half has a side of its own. What is behind the comma may also be a department, and the whole name before it. */
function besideComma(
  family: readonly Word[],
  given: readonly Word[],
  half: Half,
  keys: readonly string[],
): readonly Word[] {
  const isGiven = half === 'first_name';
  const [own, other] = isGiven ? [given, family] : [family, given];
  const place = own.findIndex((_, index) => standsAt(index, keys, own));
  const isOwn = place >= 0 && (isGiven || own.slice(0, place).every(isParticle));
  return isOwn ? other : withoutWords([...family, ...given], half, keys);
}

/** Such as `van` or `de la`, before a family name. */
function isParticle({ text }: Word): boolean {
  return text === text.toLowerCase();
}

/** What follows a given name, or what precedes a family name; what is on the other side where that is nothing. */
function withoutWords(words: readonly Word[], half: Half, keys: readonly string[]): readonly Word[] {
  const isGiven = half === 'first_name';
  const isHere = (_: Word, index: number) => standsAt(index, keys, words);
  const place = isGiven ? words.findIndex(isHere) : words.findLastIndex(isHere);
  if (place < 0) return [];
  const before = words.slice(0, place);
  const behind = words.slice(place + keys.length);
  if (isGiven) return behind.length > 0 ? withoutInitials(behind) : before;
  return before.length > 0 ? before : behind;
}

/** Those right behind a given name, such as `M.`, belong to it. */
function withoutInitials(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex(({ text }) => !(text.length === 2 && text.endsWith('.')));
  return words.slice(Math.max(first, 0));
}

function standsAt(place: number, keys: readonly string[], words: readonly Word[]): boolean {
  return keys.every((key, index) => words[place + index]?.key === key);
}

/** Of a name without white space, in which characters are words. */
function withoutCharacters(name: string, half: Half, known: string): string | null {
  const behind = name.startsWith(known) ? name.slice(known.length) : '';
  const before = name.endsWith(known) ? name.slice(0, -known.length) : '';
  return (half === 'last_name' ? behind || before : before || behind) || null;
}
