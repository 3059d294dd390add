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
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
};
/** As German, Danish and Swedish write them without diacritics. */
const EXPANDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
/** Marks, and the halfwidth ones that become marks: sorting many in a row takes the square of their number. */
const MARKS = /[\p{M}\uff9e\uff9f]/gu;
const CODES = [
  { signs: /[\w+/-]{6,}/g, encoding: 'base64url', group: 4 },
  { signs: /[0-9a-f]{8,}/gi, encoding: 'hex', group: 2 },
] as const;

export class PersonSearch {
  readonly #texts: ReadonlySet<string>;
  /** Words of the texts, and of each name its words together: as one word, and between spaces, which stand around words alone. */
  readonly #words: ReadonlySet<string>;
  readonly #lengths: ReadonlySet<number>;

  /** @param texts of the person, whole */
  constructor(texts: Iterable<string>) {
    this.#texts = new Set(texts);
    const spellings = [...this.#texts].flatMap((text) => [wordsOf(text), wordsOf(expanded(text))]);
    this.#words = new Set(
      spellings.flatMap((words) => {
        const orders = ordersOf(words);
        const long = [...words, ...orders.map((order) => order.join(''))].filter(isLongEnough);
        return [...long, ...orders.map(spaced)];
      }),
    );
    this.#lengths = new Set(Array.from(this.#words, ({ length }) => length));
  }

  /** Whether one of the texts, or a word of one, is in a text. */
  finds(text: string): boolean {
    // Digits of a moment are in many numbers.
    if (parseDateTime(text)) return this.#texts.has(text);
    const readable = [percentDecoded(text), ...decoded(text)];
    return readable.some((one) => this.#isInside(spaced(wordsOf(one))));
  }

  /** Whether the name of a sample tells who the person is: by one of its words, or by more together. */
  isToldBy(name: string): boolean {
    const words = wordsOf(name);
    const joined = words.join('');
    return (
      [...words, joined].some((word) => this.#words.has(word)) ||
      [spaced(words), joined].some((one) => this.#isInside(one, MIN_PART_OF_NAME))
    );
  }

  #isInside(text: string, least = 0): boolean {
    const lengths = [...this.#lengths].filter((length) => length >= least);
    return lengths.some((length) => {
      for (let start = 0; start + length <= text.length; start++)
        if (this.#words.has(text.slice(start, start + length))) return true;
      return false;
    });
  }
}

function isLongEnough(word: string): boolean {
  return word.length >= (/^[a-z0-9]*$/.test(word) ? MIN_WORD : MIN_WORD_OF_OTHER_SCRIPT);
}

/** The words of a name from each of them on, and backwards: of three words these are all orders. None for a single word. */
function ordersOf(words: readonly string[]): string[][] {
  if (words.length < 2 || words.length > MAX_ORDERED_WORDS) return [];
  return [words, words.toReversed()].flatMap((one) =>
    one.map((_, start) => [...one.slice(start), ...one.slice(0, start)]),
  );
}

function spaced(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
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

/** What stands in a text by these codes, from each sign on that a group of them has: what is before it may be another text. */
function decoded(text: string): string[] {
  return CODES.flatMap(({ signs, encoding, group }) =>
    Array.from(text.matchAll(signs), ([found]) =>
      Array.from({ length: group }, (_, start) => Buffer.from(found.slice(start), encoding).toString()),
    ).flat(),
  );
}
