/** In whose words a login is refused, and in which language. */
import type { Message } from '../../../lib/profile/mappingSchema.ts';
import type { Language } from '../../../lib/words/languages.ts';
import { OWN_WORDS } from '../../../tools/shared/ownWords.ts';
import type { Answer } from './answer.ts';
import { demand } from './demand.ts';
import { asciiLower } from './evidence.ts';

const MAX_PREFERENCE = 200;
const REQUEST_ID = 'request-1';

/**
 * @param operators the operator's words for this refusal; undefined where there are none
 * @param preferred of the person, as it was sent; null for nothing
 */
export function requireWords(
  { message }: Answer,
  operators: Message | undefined,
  preferred: string | null,
): void {
  if (operators !== undefined) {
    demand(message === textFor(operators, preferred), 'the words are those of the operator, unchanged');
    return;
  }
  const words = OWN_WORDS[languageFor(preferred, Object.keys(OWN_WORDS) as Language[]) ?? 'en'];
  const reference = ` ${words.reference.replace('{requestId}', REQUEST_ID)}`;
  demand(String(message).endsWith(reference), 'our own words have a reference in the language of the person');
  const beginnings = Object.values(words).map((text) => text.split('{')[0] ?? '');
  demand(
    beginnings.some((text) => /^\p{Lu}/u.test(text) && String(message).startsWith(text)),
    `our own words are in the language of the person: ${message}`,
  );
}

function textFor(message: Message, preferred: string | null): string | undefined {
  if (typeof message === 'string') return message;
  const tags = Object.keys(message);
  return message[languageFor(preferred, tags) ?? tags[0] ?? ''];
}

/** RFC 4647 section 3.4: of the tags that a range begins with, the longest. */
function languageFor<TTag extends string>(preferred: string | null, tags: readonly TTag[]): TTag | null {
  if (preferred === null || preferred.length > MAX_PREFERENCE) return null;
  for (const range of rangesOf(preferred)) {
    const [longest] = tags
      .filter((tag) => `${range}-`.startsWith(`${asciiLower(tag)}-`))
      .sort((one, other) => other.length - one.length);
    if (longest !== undefined) return longest;
  }
  return null;
}

/** RFC 9110 section 12.5.4; what is not of that form is left out. */
function rangesOf(list: string): string[] {
  const items = list.split(',').flatMap((item) => {
    const [range = '', ...parameters] = item.split(';').map((part) => asciiLower(part.trim()));
    const weights = parameters.map((parameter) => /^q=([01]\.?\d{0,3})$/.exec(parameter)?.[1]);
    const subtags = range.split(/[-_]/);
    const isRange = /^[a-z]+$/.test(subtags[0] ?? '') && subtags.every((tag) => /^[a-z0-9]{1,8}$/.test(tag));
    if (!isRange || weights.length > 1 || weights.includes(undefined)) return [];
    return [{ range: subtags.join('-'), weight: Number(weights[0] ?? 1) }];
  });
  const weighted = items.filter(({ weight }) => weight > 0);
  return weighted.toSorted((one, other) => other.weight - one.weight).map(({ range }) => range);
}
