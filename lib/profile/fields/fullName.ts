/** Names of people: what can be shown of one, the two halves of a full name, and what one half leaves of it. */

import { MAX_NAME_LENGTH, NOT_PRINTABLE_ASCII, showable, trimmed, unicodePattern } from '../../text.ts';

export type Half = 'first_name' | 'last_name';

interface Word {
  text: string;
  /** As it compares: without case, diacritics and hyphens. */
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

/** In characters. Nobody has a longer name, and each word is compared with each word of a half. */
const MAX_LENGTH = 500;

const letter = unicodePattern(String.raw`\p{L}`, 'u');
/** White space, marks of direction and other characters without ink. */
const NO_INK = String.raw`\s\p{Default_Ignorable_Code_Point}`;
const inked = unicodePattern(`[^${NO_INK}](?:.*[^${NO_INK}])?`, 'su');
const eastern = unicodePattern(String.raw`^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]+$`, 'u');
/** Fewer capitals may be initials. */
const capitals = unicodePattern(String.raw`\p{Lu}{3}`, 'u');
/** Such as `LI` and `LE`, as words compare. Initials seldom end in a vowel. */
const SHORT_FAMILY = /^[A-Z][AEIOU]$/;

/** An address, `DOMAIN\user`, or a distinguished name, such as `CN=…`. */
const NO_NAME = /[@\\]|^\s*[a-z]+=/i;
/** Marks, and hyphens and apostrophes: some write `Min-jun` as `Minjun`. */
const NOT_COMPARED = /[\u0300-\u036f\-\u2010-\u2013'’]/g;
/** Letters with a stroke and ligatures, which have no other form in Unicode. */
const OTHER_LETTERS: Readonly<Record<string, string>> = {
  Đ: 'D',
  Ð: 'D',
  Ħ: 'H',
  Ł: 'L',
  Ø: 'O',
  Ŧ: 'T',
  Æ: 'AE',
  Œ: 'OE',
  Þ: 'TH',
};
/** Of one in another, it is the inner one. A directory may have cut off its end. */
const ASIDE = /[([（【][^([（【)\]）】]*(?:[)\]）】]|$)/g;
/**
 * With what is short before `Dr.` or `Prof.`, as in `Univ.-Prof. Dr.`. `Ing` without a full stop is a given name. Czech doctors are
 * `RNDr.`, `MUDr.` and others.
 */
const TITLES =
  /^(?:(?:[a-z]{2,}\.[-\s]*|pd\s+)*?(?:(?:dr|mrs?|ms|prof)[.\s]|dipl\.(?:-[a-z]+\.)*|(?:doc|ing|mgr|med|rer|nat|phil|jur|habil|[a-z]{2,4}dr)\.)[-\s]*)+/i;
/** Behind a title, what it is of: `rer. nat.`, `h. c.`. */
const OF_TITLE = /^(?:(?:[a-z]{2,}|h\.\s*c)\.[-\s]*)+/;
/** Without a comma too: unlike `MD` or `MBA`, in these letters nobody has such a name. */
const LAST_DEGREE = /^(?:Ph\.?D|DPhil|MPhil|[BM]\.?Sc)\.?$/;
/** Only in this case: `Md` is the short form of a given name. */
const DEGREES = /^(?:PhD|DPhil|EdD|MD|MBA|MPH|MPhil|MSc|BSc|CSc|LLM)+$/;
/** They begin a family name. Only in small letters: `Van`, `Al` and `Di` are also given names. */
const PARTICLES =
  /^(?:aan|af|al|auf|aus|av|ben|bin|bint|binti|da|das|de[lmnrs]?|della|di|dos?|du|el|het|ibn|in|las?|le|los|op|te[nr]?|und|uit|van|vo[mn]|zu[mr]?|['’]t)$/;
const SUFFIX = /^(?:[JS][Rr]\.?|III?|IV)$/;

/** A name as it can be shown; null where nothing of it is left. */
export function usableName(value: string): string | null {
  if (value.length > MAX_NAME_LENGTH) return null;
  // Stryker disable next-line ConditionalExpression: what follows makes the same of it, and takes longer.
  if (!NOT_PRINTABLE_ASCII.test(value)) return trimmed(value);
  return inked().exec(showable(value))?.[0] ?? null;
}

/** Null for what is no name of a person, such as an address. */
export function readFullName(text: string): FullName | null {
  if (text.length > MAX_LENGTH || NO_NAME.test(text)) return null;
  const name = text.replace(ASIDE, '').replace(ASIDE, '').replace(/\s/g, ' ').split(/[|｜]/, 1).join();
  const [family, next, last] = (usableName(name) ?? '')
    .split(',')
    .map((part) => withoutDegree(withoutTitles(part.trim()).match(/\S+/g) ?? []))
    .filter((words) => words.length > 0 && !DEGREES.test(words.join('').replaceAll('.', '')));
  if (!family) return null;
  const isNextSuffix = next !== undefined && SUFFIX.test(next.join());
  const given = isNextSuffix ? last : next;
  const others = given?.filter(hasLetter).length ?? 0;
  const { words, suffix } = cutSuffix(withLetters(isNextSuffix ? [...family, ...next] : family, others));
  return {
    words: words.map(wordOf),
    given: given ? cutSuffix(withLetters(given, words.filter(hasLetter).length)).words.map(wordOf) : null,
    suffix,
    isEastern: !given && words.every(isEastern),
  };
}

function withoutTitles(part: string): string {
  const name = part.replace(TITLES, '');
  return name === part ? part : name.replace(OF_TITLE, '');
}

function withoutDegree(words: readonly string[]): readonly string[] {
  const isLast = words.length > 2 && LAST_DEGREE.test(words.slice(-1).join());
  return isLast ? words.slice(0, -1) : words;
}

/** An emoji or a number beside two words or more is no name. `others` are those on the other side of a comma. */
function withLetters(words: readonly string[], others: number): readonly string[] {
  const named = words.filter(hasLetter);
  return named.length > 0 && named.length + others > 1 ? named : words;
}

function hasLetter(word: string): boolean {
  return letter().test(word);
}

function cutSuffix(words: readonly string[]) {
  const last = words.slice(-1).join();
  return SUFFIX.test(last) ? { words: words.slice(0, -1), suffix: last } : { words, suffix: null };
}

function wordOf(text: string): Word {
  const letters = text.normalize('NFD').replace(NOT_COMPARED, '').toUpperCase();
  return { text, key: letters.replace(/[^A-Z]/g, (letter) => OTHER_LETTERS[letter] ?? letter) };
}

function isEastern(text: string): boolean {
  return NOT_PRINTABLE_ASCII.test(text) && eastern().test(text);
}

/** A single word is a first name. */
export function splitFullName(name: FullName): Record<Half, string | null> {
  const { words, given } = name;
  if (given) {
    // `Berg, Jan van den`
    const [start] = withParticles([given.length, given.length], given);
    const family = [...given.slice(start), ...words];
    return { first_name: textOf(given.slice(0, start)), last_name: familyOf(family, name) };
  }
  if (words.length === 1) return { first_name: textOf(words), last_name: null };
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

/** From the particles before a family name on, unless nothing else is left for a first name. */
function withParticles([start, end]: Place, words: readonly Word[]): Place {
  const before = words.findLastIndex(({ text }, place) => place < start && !PARTICLES.test(text)) + 1;
  return before === 0 && end === words.length ? [start, end] : [before, end];
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

/** Whether a half has all words of a full name, in any order. A name of one word is no more than a half. */
export function isWhole({ keys }: KnownHalf, name: FullName): boolean {
  return keys.length > 1 && keys.toSorted().join(' ') === keysOf(name).toSorted().join(' ');
}

export function isAtEnd({ keys, key }: KnownHalf, name: FullName): boolean {
  const words = allWords(name);
  // A suffix alone says nothing.
  if (keys.length === 0) return true;
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
  family: readonly Word[],
  given: readonly Word[],
  half: Half,
  key: string,
): readonly Word[] {
  const isGiven = half === 'first_name';
  const [own, other] = isGiven ? [given, family] : [family, given];
  const place = own.findIndex((_, index) => countAt(index, key, own) > 0);
  const isOwn = place >= 0 && (isGiven || own.slice(0, place).every(isParticle));
  return isOwn ? other : withoutWords([...family, ...given], half, key);
}

/** Such as `van` or `de la`, before a family name. */
function isParticle({ text }: Word): boolean {
  return text === text.toLowerCase();
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
