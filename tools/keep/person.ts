/** Looks for texts of a person, whatever their case, accents, encoding and order of words. */
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { isFoldable } from '../../lib/text.ts';
import { percentDecoded } from '../capture/encoded.ts';

/** In characters. Shorter words of ASCII letters and digits occur inside everything; of other scripts, no pseudonym has any. */
const MIN_WORD = 4;
const MIN_WORD_OF_OTHER_SCRIPT = 2;
/** In characters: `alovelace` tells a family name, and `staffing` does not tell that somebody is called Staff. */
const MIN_PART_OF_NAME = 6;
/** Names of people have no more. */
const MAX_ORDERED_WORDS = 8;

/** Words of URLs and domains that pseudonyms have too. */
const WORDS_OF_KINDS = new Set(['https', 'http', 'example']);

/** Letters that Unicode does not take apart, as they are written without their strokes. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ŋ: 'n' },
};
/** As German, Danish and Swedish write them without diacritics. */
const EXPANDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
/** Marks, and the halfwidth ones that become marks: sorting many in a row takes the square of their number. */
const MARKS = /[\p{M}\uff9e\uff9f]/gu;
const BASE64 = /[\w+/-]{6,}/g;
const HEXADECIMAL = /[0-9a-f]{8,}/gi;

export class PersonSearch {
  readonly #texts: ReadonlySet<string>;
  readonly #words = new Set<string>();
  readonly #lengths = new Set<number>();
  /** The words of each text, in one order, and how many they are. */
  readonly #orders = new Set<string>();
  readonly #counts = new Set<number>();

  /** @param texts of the person, whole */
  constructor(texts: Iterable<string>) {
    this.#texts = new Set(texts);
    for (const text of this.#texts) {
      for (const words of [wordsOf(text), wordsOf(expanded(text))]) this.#add(words);
    }
  }

  /** Whether one of the texts, or a word of one, is in a text. */
  finds(text: string): boolean {
    if (parseDateTime(text)) return this.#texts.has(text);
    return [percentDecoded(text), ...decodedBase64(text), ...decodedHexadecimal(text)].some((readable) =>
      this.#findsIn(wordsOf(readable)),
    );
  }

  /** Whether a text is one of the texts, whole. */
  has(text: string): boolean {
    return this.#texts.has(text);
  }

  /** Whether the name of a sample tells who the person is: by one of its words, or by more together. */
  isToldBy(name: string): boolean {
    const words = wordsOf(name);
    const isTelling = (word: string) => this.#words.has(word) || this.#isInside(word, MIN_PART_OF_NAME);
    return [...words, words.join('')].some(isTelling) || this.#isOrdered(words);
  }

  #findsIn(words: readonly string[]): boolean {
    return words.some((word) => this.#isInside(word)) || this.#isOrdered(words);
  }

  #isInside(word: string, least = 0): boolean {
    const lengths = [...this.#lengths].filter((length) => length >= least);
    return lengths.some((length) => {
      for (let start = 0; start + length <= word.length; start++)
        if (this.#words.has(word.slice(start, start + length))) return true;
      return false;
    });
  }

  #isOrdered(words: readonly string[]): boolean {
    return [...this.#counts].some((count) =>
      words.some((_, start) => this.#orders.has(inOneOrder(words.slice(start, start + count)))),
    );
  }

  #add(words: readonly string[]): void {
    for (const word of words) this.#addWord(word);
    if (words.length < 2 || words.length > MAX_ORDERED_WORDS) return;
    this.#orders.add(inOneOrder(words));
    this.#counts.add(words.length);
    for (const joined of [words.join(''), [...words].reverse().join('')]) this.#addWord(joined);
  }

  #addWord(word: string): void {
    const least = /^[a-z0-9]*$/.test(word) ? MIN_WORD : MIN_WORD_OF_OTHER_SCRIPT;
    if (word.length < least) return;
    this.#words.add(word);
    this.#lengths.add(word.length);
  }
}

/** The words of a text, without case and accents. */
function wordsOf(text: string): string[] {
  const plain = text.replace(MARKS, '').normalize('NFKD').replace(MARKS, '').toLowerCase();
  // A match of a run of characters takes memory for each of them.
  const words = spelled(plain, PLAIN).split(/[^\p{L}\p{N}]/u);
  return words.filter((word) => word !== '' && !WORDS_OF_KINDS.has(word));
}

function expanded(text: string): string {
  const composed = isFoldable(text) ? text.normalize('NFC') : text;
  return spelled(composed.toLowerCase(), EXPANDED);
}

function spelled(text: string, spelling: Readonly<Record<string, string>>): string {
  return Object.entries(spelling).reduce((made, [letter, plain]) => made.replaceAll(letter, plain), text);
}

function inOneOrder(words: readonly string[]): string {
  return [...words].sort().join(' ');
}

/** From each of the four characters on that a group of Base64 has, because what is before it may be another text. */
function decodedBase64(text: string): string[] {
  return Array.from(text.matchAll(BASE64), ([found]) =>
    [0, 1, 2, 3].map((start) => Buffer.from(found.slice(start), 'base64url').toString()),
  ).flat();
}

function decodedHexadecimal(text: string): string[] {
  return Array.from(text.matchAll(HEXADECIMAL), ([found]) =>
    [0, 1].map((start) => Buffer.from(found.slice(start), 'hex').toString()),
  ).flat();
}
