import { describe, expect, test } from '@jest/globals';
import { providerWords } from '../../tools/capture/refusals.ts';

describe("a provider's words are shown", () => {
  test.each([
    ['as they are', 'Invalid code.', 'Invalid code.'],
    ['without addresses', 'ada@example.org is (not eve@example.org) here', '… is (not …) here'],
    ['with a sign alone', 'mail @ example', 'mail @ example'],
    ['without secrets', 'the secret s3cret of s3cret', 'the secret … of …'],
  ])('%s', (_, text, shown) => expect(providerWords(text, ['s3cret', ''])).toBe(shown));

  test('with their beginning, and never half an address', () => {
    const shown = providerWords(`${'word '.repeat(399)}ada.lovelace@example.org`);
    expect(shown).toMatch(/word …$/);
    expect(shown).not.toContain('ada');
  });
});

test.each([
  ['letters', 'a'.repeat(1_000_000)],
  ['signs', '@'.repeat(1_000_000)],
  ['letters and signs', 'a@@@@'.repeat(200_000)],
])('a megabyte of %s costs next to nothing', (_, text) => {
  const before = process.cpuUsage();
  expect(providerWords(text, ['secret']).length).toBeLessThan(3_000);
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
});
