/** What the functions say themselves, in all of their languages. */
import { WORDS as CS } from '../../lib/words/cs.ts';
import { WORDS as DE } from '../../lib/words/de.ts';
import { WORDS as EN, type Words } from '../../lib/words/en.ts';
import { WORDS as ES } from '../../lib/words/es.ts';
import { WORDS as FR } from '../../lib/words/fr.ts';
import type { Language } from '../../lib/words/languages.ts';

export const OWN_WORDS: Readonly<Record<Language, Words>> = { en: EN, de: DE, fr: FR, es: ES, cs: CS };

const REFERENCES = Object.values(OWN_WORDS).map(({ reference }) => reference.split('{requestId}')[0] ?? '');

/** A message without the reference at its end, which is of one login. */
export function withoutReference(message: string): string {
  const start = Math.max(...REFERENCES.map((reference) => message.lastIndexOf(` ${reference}`)));
  return start >= 0 && message.endsWith(')') ? message.slice(0, start) : message;
}
