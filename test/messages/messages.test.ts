/** What the functions say themselves, in each language: the same, no more of it, and short. */
import { describe, expect, test } from '@jest/globals';
import { WORDS as ENGLISH, type Words } from '../../lib/messages/en.ts';
import { LANGUAGES } from '../../lib/messages/languages.ts';
import { OWN_WORDS } from '../../tools/explain/ownWords.ts';
import { openId } from '../profile/decided.ts';

const MAX_LENGTH = 200;
/** What is no sentence. */
const PARTS = ['email', 'first_name', 'last_name', 'and', 'reference'];

const placeholdersIn = (template: string) => [...template.matchAll(/\{\w+\}/g)].flat().toSorted();

/** Each login that is refused for its profile: every choice of what is missing, and every refusal of an address. */
const PROFILES = ['', 'first_name', 'last_name', 'first_name last_name'].flatMap((missing) =>
  [
    { email: '' },
    { email: 'ada@example.org' },
    { email: 'ada@example.org', email_verified: false },
    { email: 'ada@example.orgada@uni.example' },
    { email: 'ada@example．org' },
    { email: 'ada\u200b@example.org' },
    { email: Array.from({ length: 101 }, () => 'ada@') },
  ].flatMap((claims) => {
    const names = { given_name: 'Ada', family_name: 'Lovelace' };
    if (missing.includes('first_name')) names.given_name = '';
    if (missing.includes('last_name')) names.family_name = '';
    return ['refuse' as const, 'demand_proof' as const].flatMap((unverified) => {
      const { decision } = openId({ email: { unverified } }, { ...names, ...claims });
      return decision.words?.sentence ?? [];
    });
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

  test('what is said of a profile is short, whatever is missing or refused', () => {
    expect(PROFILES.length).toBeGreaterThan(40);
    for (const sentence of PROFILES) expect(sentence(words).length).toBeLessThanOrEqual(MAX_LENGTH);
  });
});
