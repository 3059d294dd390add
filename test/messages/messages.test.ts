/** Which language a person reads, and what the functions say themselves in each: the same, no more of it, and short. */
import { describe, expect, test } from '@jest/globals';
import { WORDS as ENGLISH, type Words } from '../../lib/messages/en.ts';
import { format, LANGUAGES, lookUpLanguage, wordsIn } from '../../lib/messages/languages.ts';
import { OWN_WORDS } from '../../tools/explain/ownWords.ts';
import { openId } from '../profile/decided.ts';

describe('of the languages that there are, a person reads', () => {
  test.each<[preferred: string | null, tags: string[], found: string | null]>([
    ['de', ['en', 'de'], 'de'],
    // RFC 4647 section 3.4: a range is shortened until it is a tag.
    ['de-CH', ['en', 'de'], 'de'],
    ['de-CH', ['de', 'de-CH'], 'de-CH'],
    ['de', ['de-CH', 'en'], null],
    // RFC 5646 section 2.1.1, and OpenID Connect Core 5.1.
    ['cs_CZ', ['en', 'cs'], 'cs'],
    // RFC 2798 section 2.7: as in Accept-Language.
    ['it, de-AT', ['en', 'de'], 'de'],
    ['de;q=0.5, fr;q=0.8', ['de', 'fr'], 'fr'],
    [' de ; q=0.125 ,, it', ['de'], 'de'],
    ['de;q=1', ['de'], 'de'],
    ['de;q=0, fr;q=0.000', ['de', 'fr'], null],
    ['de-*', ['de'], null],
    // What is no range says nothing, and neither does a list of more than 200 characters.
    ['?de', ['de'], null],
    [null, ['en'], null],
    ['de'.padEnd(200), ['de'], 'de'],
    ['de'.padEnd(201), ['de'], null],
  ])('%j of %j: %j', (preferred, tags, found) => {
    expect(lookUpLanguage(preferred, tags)).toBe(found);
  });
});

test.each<[string, Record<string, unknown>, string]>([
  ['at most {max} bytes', { max: 7 }, 'at most 7 bytes'],
  ['not valid. {problems}.', { problems: ['a: $&', '{max}'], max: 7 }, 'not valid. a: $&; {max}.'],
])('%j with %j: %j', (template, values, sentence) => {
  expect(format(template, values)).toBe(sentence);
});

test('each language has words of its own', async () => {
  const all = await Promise.all(LANGUAGES.map(wordsIn));
  expect(LANGUAGES).toEqual(['en', 'de', 'fr', 'es', 'cs']);
  expect(new Set(all.map(({ not_completed }) => not_completed)).size).toBe(LANGUAGES.length);
});

const MAX_LENGTH = 200;
/** What is no sentence. */
const PARTS = ['email', 'first_name', 'last_name', 'and', 'reference'];

const placeholdersIn = (template: string) => [...template.matchAll(/\{\w+\}/g)].flat().toSorted();

/** The words of each refusal of an address, where both names are missing too. */
const PROFILES = [
  { email: '' },
  { email: 'ada@example.org' },
  { email: 'ada@example.org', email_verified: false },
  { email: 'ada@example.orgada@uni.example' },
  { email: 'ada@example．org' },
  { email: 'ada\u200b@example.org' },
  { email: Array.from({ length: 101 }, () => 'ada@') },
].flatMap((claims) =>
  (['refuse', 'demand_proof'] as const).flatMap((unverified) => {
    const { decision } = openId({ email: { unverified } }, { given_name: '', family_name: '', ...claims });
    return decision.words?.sentence ?? [];
  }),
);

describe.each(LANGUAGES)('%s', (language) => {
  const words = OWN_WORDS[language];
  const entries = Object.entries(words) as [keyof Words, string][];

  test.each(entries)('%s has the placeholders of the English words', (key, text) => {
    expect(placeholdersIn(text)).toEqual(placeholdersIn(ENGLISH[key]));
  });

  test.each(entries.filter(([key]) => !PARTS.includes(key)))('%s is short sentences', (_, text) => {
    expect(text).toMatch(/^\p{Lu}[^{}]*(?:\{\w+\}[^{}]*)?\.$/u);
    expect(text.length).toBeLessThanOrEqual(MAX_LENGTH);
  });

  test('what is said of a profile is short, whatever is refused of it', () => {
    expect(PROFILES).toHaveLength(14);
    for (const sentence of PROFILES) expect(sentence(words).length).toBeLessThanOrEqual(MAX_LENGTH);
  });
});
