/** The words of a text, and the forms in which words compare: without case, diacritics and spelling of transliteration. */
import { isIPv6 } from 'node:net';

/** Shorter words occur inside everything. In characters. */
export const MIN_PART = 3;

/** A run of letters, marks and digits. */
export const WORD = /[\p{L}\p{M}\p{N}]+/gu;

export const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Letters that Unicode does not take apart, as they are written without their strokes. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŋ: 'n' },
};
/** As German, Danish and Swedish write them without diacritics. */
const EXPANDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

/** Most words: they have one form, and it is quickly made. */
// Stryker disable next-line Regex: the way of other words ends at the same form, and takes longer.
const ASCII = /^\p{ASCII}*$/u;

/** A letter of a word, with the marks after it, in both forms. */
interface Letter {
  text: string;
  /** `ü` is `u`. */
  plain: string;
  /** `ü` is `ue`. */
  expanded: string;
}

export function lettersOf(word: string): Letter[] {
  // Stryker disable next-line ConditionalExpression: as above.
  if (ASCII.test(word)) return Array.from(word, (text) => asciiLetter(text, text.toLowerCase()));
  return Array.from(word.matchAll(/\P{M}\p{M}*|\p{M}+/gu), ([text]) => {
    const lower = text.normalize('NFC').toLowerCase();
    const bare = PLAIN[lower] ?? lower.normalize('NFKD').replace(/\p{M}/gu, '');
    return { text, plain: bare, expanded: EXPANDED[lower] ?? bare };
  });
}

function asciiLetter(text: string, lower: string): Letter {
  return { text, plain: lower, expanded: lower };
}

export function plainForm(word: string): string {
  // Stryker disable next-line ConditionalExpression: as above.
  if (ASCII.test(word)) return word.toLowerCase();
  return lettersOf(word)
    .map(({ plain }) => plain)
    .join('');
}

export function expandedForm(word: string): string {
  // Stryker disable next-line ConditionalExpression: as above.
  if (ASCII.test(word)) return word.toLowerCase();
  return lettersOf(word)
    .map(({ expanded }) => expanded)
    .join('');
}

/** The forms of a word: one for most. */
export function formsOf(word: string): string[] {
  return [...new Set([plainForm(word), expandedForm(word)])].filter((form) => form !== '');
}

export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** Texts that are one thing each, though they have several words: UUIDs, addresses of machines, dates. */
const UNIT = new RegExp(
  String.raw`${UUID.source}|(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}.])|^\s*\d{4}-\d{2}-\d{2}(?:[Tt][\d:.+Zz-]+)?\s*$`,
  'giu',
);

export function unitsOf(text: string): string[] {
  if (isIPv6(text.trim())) return [text.trim().toLowerCase()];
  return (text.match(UNIT) ?? []).map((unit) => unit.trim().toLowerCase());
}

export function withoutUnits(text: string): string {
  return isIPv6(text.trim()) ? '' : text.replace(UNIT, ' ');
}

/** Percent-encoding that is none stays. */
export function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** Words to look for inside texts; it takes no longer for many than for few. */
export class WordSet {
  readonly #words = new Set<string>();
  readonly #lengths = new Set<number>();

  constructor(words: Iterable<string>) {
    for (const word of words) this.add(word);
  }

  add(word: string): void {
    this.#words.add(word);
    this.#lengths.add(word.length);
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }

  /** @param form of a text, as `plainForm` makes it */
  occursIn(form: string): boolean {
    // Stryker disable next-line MethodExpression,ConditionalExpression: longer words are not found, which takes time.
    const lengths = [...this.#lengths].filter((length) => length <= form.length);
    // Stryker disable next-line EqualityOperator: at the end there is no word.
    for (let start = 0; start < form.length; start++) {
      if (lengths.some((length) => this.#words.has(form.slice(start, start + length)))) return true;
    }
    return false;
  }
}
