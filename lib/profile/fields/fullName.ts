/** Names of people: what can be shown of one, and what is read of a full one. */

import { MAX_NAME_LENGTH, NOT_PRINTABLE_ASCII, showable, trimmed, unicodePattern } from '../../text.ts';

export interface Word {
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

/** An address, `DOMAIN\user`, or a distinguished name, such as `CN=…`. */
const NO_NAME = /[@\\]|\w=\w/;
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
/** `Ing` without a full stop is a given name. Czech doctors are `RNDr.`, `MUDr.` and others. */
const TITLE = /(?:dr|mrs?|ms|prof)[.\s]|(?:doc|dott|ing|mag|mgr|[a-z]{2,4}dr)\.|dipl\.(?:-[a-z]+\.)*/;
/** Short before a title, as in `Univ.-Prof.` and `PD Dr.` */
const BEFORE_TITLE = /[a-z]{2,}\.[-\s]*|pd\s/;
/** Of titles of women, behind the full stop: `Mag.a`, `Dr.in`, `Prof.ssa`. In `Dr.A Kumar` stands an initial. */
const OF_WOMEN = /(?<=\.)(?:in|ssa)\s|(?<=mag\.)a\s/;
const TITLES = new RegExp(
  `^(?:(?:${BEFORE_TITLE.source})*?(?:${TITLE.source})(?:${OF_WOMEN.source})?[-\\s]*)+`,
  'i',
);
/** Behind a title, what it is of: `rer. nat.`, `h. c.`. */
const OF_TITLE = /^(?:(?:[a-z]{2,}|h\.\s*c)\.[-\s]*)+/;
/** Only in this case: `Md` is the short form of a given name. */
const DEGREES = /^(?:PhD|DPhil|EdD|MD|MBA|MPH|MPhil|MSc|BSc|CSc|LLM)+$/;
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
  const parts = (usableName(name) ?? '')
    .split(',')
    .map((part) => withoutDegree(withoutTitles(part.trim()).match(/\S+/g) ?? []));
  // An emoji or a number beside two words or more is no name.
  const isNamed = parts.flat().filter(hasLetter).length > 1;
  const [family, next, last] = parts
    .map((words) => (isNamed ? words.filter(hasLetter) : words))
    .filter((words) => words.length > 0 && !isDegree(words.join('')));
  if (!family) return null;
  const isNextSuffix = next !== undefined && SUFFIX.test(next.join());
  const given = isNextSuffix ? last : next;
  const { words, suffix } = cutSuffix(isNextSuffix ? [...family, ...next] : family);
  return {
    words: words.map(wordOf),
    given: given ? cutSuffix(given).words.map(wordOf) : null,
    suffix,
    isEastern: !given && words.every(isEastern),
  };
}

function withoutTitles(part: string): string {
  const name = part.replace(TITLES, '');
  return name === part ? part : name.replace(OF_TITLE, '');
}

/** One without a comma before it is told from a name by its small letters: `MD` and `MBA` may be names in capitals. */
function withoutDegree(words: readonly string[]): readonly string[] {
  const last = words.slice(-1).join();
  return words.length > 2 && isDegree(last) && /[a-z]/.test(last) ? words.slice(0, -1) : words;
}

function isDegree(text: string): boolean {
  return DEGREES.test(text.replaceAll('.', ''));
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
