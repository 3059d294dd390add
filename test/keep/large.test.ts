/** Texts of some megabytes are replaced, and no pattern and no list takes more than fits. */
import { expect, test } from '@jest/globals';
import { eventOf, plan } from './answering.ts';

test.each<[string, Record<string, unknown>]>([
  ['a photo of 160 kB', { photo: Buffer.alloc(120_000, 'photo').toString('base64') }],
  ['a word of 5 MB', { photo: 'x7'.repeat(2_500_000) }],
  ['a word of 5 MB in another alphabet', { photo: 'ж7'.repeat(2_500_000) }],
  ['a domain of 500,000 labels', { photo: `${'ж.'.repeat(500_000)}7` }],
  ['a number of 5 MB', { photo: '71'.repeat(2_500_000) }],
  ['a photo of 5 MB in its URL', { picture: `data:image/png;base64,${'Zm9vYg'.repeat(900_000)}` }],
  ['a letter with 200,000 marks', { photo: `Ada${'\u0301'.repeat(200_000)}`, ada: 'Ada' }],
  ['a mark before a word, and the word without it', { nickname: '\u0301ada', given_name: 'ada' }],
  ['a URL of 100,000 parts', { website: `https://x.org/${'a/b='.repeat(50_000)}` }],
])('%s is kept', async (_, claims) => {
  expect((await plan(eventOf({ given_name: 'Ada', ...claims }))).blockers).toEqual([]);
});
