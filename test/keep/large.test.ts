/** Long texts are replaced, and no pattern and no list takes more than fits. */
import { expect, test } from '@jest/globals';
import { eventOf, plan } from './answering.ts';

test.each<[string, Record<string, unknown>]>([
  ['a word of 500 kB', { photo: 'x7'.repeat(250_000) }],
  ['a word of 500 kB in another alphabet', { photo: 'ж7'.repeat(250_000) }],
  ['a domain of 200,000 labels', { photo: `${'ж.'.repeat(200_000)}7` }],
  ['a number of 500 kB', { photo: '71'.repeat(250_000) }],
  ['a photo of 500 kB in its URL', { picture: `data:image/png;base64,${'Zm9vYg'.repeat(90_000)}` }],
  ['a letter with 200,000 marks', { photo: `Ada${'\u0301'.repeat(200_000)}`, ada: 'Ada' }],
  ['a mark before a word, and the word without it', { nickname: '\u0301ada', given_name: 'ada' }],
  ['a URL of 100,000 parts', { website: `https://x.org/${'a/b='.repeat(50_000)}` }],
])('%s is kept', async (_, claims) => {
  expect((await plan(eventOf({ given_name: 'Ada', ...claims }))).blockers).toEqual([]);
});
