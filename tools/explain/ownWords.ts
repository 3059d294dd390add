/** What the functions say themselves, in all of their languages. */
import { WORDS as CS } from '../../lib/messages/cs.ts';
import { WORDS as DE } from '../../lib/messages/de.ts';
import { WORDS as EN, type Words } from '../../lib/messages/en.ts';
import { WORDS as ES } from '../../lib/messages/es.ts';
import { WORDS as FR } from '../../lib/messages/fr.ts';
import type { Language } from '../../lib/messages/languages.ts';

export const OWN_WORDS: Readonly<Record<Language, Words>> = { en: EN, de: DE, fr: FR, es: ES, cs: CS };

/** What a message of ours says before its reference, which is of one login; any other message as it is. */
export function withoutReference(message: string): string {
  for (const { reference } of Object.values(OWN_WORDS)) {
    const [before = '', after = ''] = reference.split('{requestId}');
    const start = message.lastIndexOf(` ${before}`);
    if (start >= 0 && message.endsWith(after)) return message.slice(0, start);
  }
  return message;
}
