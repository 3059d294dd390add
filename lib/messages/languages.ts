/** The languages of this bundle's own words, and which language a person reads. */
import { WORDS, type Words } from './en.ts';

/** English is in each process: handlers read the messages of our responses in it. The others are loaded when somebody needs them. */
const LOAD = {
  en: async () => ({ WORDS }),
  de: () => import('./de.ts'),
  fr: () => import('./fr.ts'),
  es: () => import('./es.ts'),
  cs: () => import('./cs.ts'),
} satisfies Record<string, () => Promise<{ WORDS: Words }>>;

export type Language = keyof typeof LOAD;

export const LANGUAGES = Object.keys(LOAD) as Language[];

/** The words of a language; English where its file cannot be read, e.g. because a handler left too many files open. */
export async function wordsIn(language: Language): Promise<Words> {
  // Stryker disable next-line ArrowFunction,ObjectLiteral: only in the built bundle a file can be missing
  const loaded = await LOAD[language]().catch(() => ({ WORDS }));
  return loaded.WORDS;
}

/** A sentence of ours, in the words of any language. */
export type Sentence = (words: Words) => string;

/** A template with its placeholders filled: `{maxBytes}`. Of a list, the items have `; ` between them. */
export function format(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => [values[name]].flat().join('; '));
}

/** In characters, of what a person prefers. A longer text says nothing. */
const MAX_PREFERENCE = 200;
/** A language range (RFC 4647 section 2.1), with `_` too (OpenID Connect Core 5.1), and its weight (RFC 9110 section 12.5.4). */
const RANGE = /^([a-z]{1,8}(?:[-_][a-z0-9]{1,8})*)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/;

/**
 * The language among these that a person reads, by lookup (RFC 4647 section 3.4): a range matches a tag that is the same, or is
 * the same as its beginning, `de-CH` then `de`.
 *
 * @param preferred a language tag, or a list as in Accept-Language; null for nothing
 * @returns null where none matches
 */
export function lookUpLanguage<TTag extends string>(
  preferred: string | null,
  tags: readonly TTag[],
): TTag | null {
  if (preferred === null || preferred.length > MAX_PREFERENCE) return null;
  const prefixes = rangesIn(preferred).flatMap(prefixesOf);
  const matches = prefixes.map((prefix) => tags.find((tag) => tag.toLowerCase() === prefix));
  return matches.find((tag) => tag !== undefined) ?? null;
}

/** The preferred one first, in lower case. */
function rangesIn(list: string): string[] {
  return (
    list
      .toLowerCase()
      .split(',')
      .map((item) => RANGE.exec(item.trim()))
      .filter((match) => match !== null)
      // The pattern always has a range.
      .map(([, range, weight = '1']) => [(range as string).replaceAll('_', '-'), Number(weight)] as const)
      .filter(([, weight]) => weight > 0)
      .sort(([, one], [, other]) => other - one)
      .map(([range]) => range)
  );
}

/** `zh-hant-tw`, `zh-hant`, `zh`. What ends with a subtag of one character is no tag, and matches none. */
function prefixesOf(range: string): string[] {
  const subtags = range.split('-');
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'));
}
