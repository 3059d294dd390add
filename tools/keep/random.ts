/** Random stand-ins. Nothing of them is made of what they stand for, except its kind of characters. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const CONSONANTS = 'bdfgklmnprstv';
const VOWELS = 'aeiou';
/** Letters of scripts in which names are written, by the property of their letters. */
const SCRIPTS: readonly [RegExp, string][] = [
  [/\p{Script=Cyrillic}/u, 'абвгдезиклмнопрстуфхя'],
  [/\p{Script=Greek}/u, 'αβγδεζηθικλμνξοπρτυφχω'],
  [/\p{Script=Arabic}/u, 'ابتثجحدذرزسشصطعغفقكلمنهوي'],
  [/\p{Script=Hebrew}/u, 'אבגדהוזחטילמנסעפצקרשת'],
  [
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
    '山川田木林森石水火土金月日春夏秋冬東西南北',
  ],
];

export function pick(alphabet: string): string {
  const letters = Array.from(alphabet);
  return letters[randomInt(letters.length)] as string;
}

/** @param length in characters; default: 5 to 8 */
export function syllables(length = 5 + randomInt(4)): string {
  return Array.from({ length }, (_, index) => pick(index % 2 === 0 ? CONSONANTS : VOWELS)).join('');
}

/**
 * With a diacritic on its first vowel.
 *
 * @param isExpanded whether it is a letter that is also written as two, as `ü` is `ue`
 */
export function withDiacritic(word: string, isExpanded: boolean): string {
  return word.replace(/[aeiou]/, () => pick(isExpanded ? 'äöü' : 'áéíóú'));
}

/** The letters of another script than Latin; null for a word of Latin letters. */
export function scriptOf(word: string): string | null {
  return SCRIPTS.find(([pattern]) => pattern.test(word))?.[1] ?? null;
}

export function lettersFrom(alphabet: string, length: number): string {
  return Array.from({ length }, () => pick(alphabet)).join('');
}

/** Digits for digits, letters for letters, hexadecimal digits for those. */
export function sameKinds(text: string): string {
  if (/^[0-9a-f]{8,}$/i.test(text)) return lettersFrom('0123456789abcdef', text.length);
  return Array.from(text, (character, index) =>
    /\p{N}/u.test(character) ? digit(index === 0 && character !== '0') : pick(CONSONANTS + VOWELS),
  ).join('');
}

function digit(isFirst: boolean): string {
  return String(isFirst ? 1 + randomInt(9) : randomInt(10));
}

/** @param like its version and variant stay */
export function uuidLike(like: string): string {
  const uuid = randomUUID();
  return uuid.slice(0, 14) + like.slice(14, 15) + uuid.slice(15, 19) + like.slice(19, 20) + uuid.slice(20);
}

/** Of the networks for documents (RFC 5737, RFC 3849). */
export function addressLike(like: string): string {
  if (like.includes(':'))
    return `2001:db8::${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`;
  return `${['192.0.2', '198.51.100', '203.0.113'][randomInt(3)]}.${1 + randomInt(254)}`;
}

export function date(): string {
  return new Date(Date.UTC(1940 + randomInt(60), randomInt(12), 1 + randomInt(28)))
    .toISOString()
    .slice(0, 10);
}

export function opaque(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
