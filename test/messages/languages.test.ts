/** Which language a person reads. */
import { describe, expect, test } from '@jest/globals';
import { format, LANGUAGES, lookUpLanguage, wordsIn } from '../../lib/messages/languages.ts';

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
