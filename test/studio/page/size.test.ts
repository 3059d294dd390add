import { expect, test } from '@jest/globals';
import { bodySize, MAX_BODY_BYTES, sizeProblem, sizeText } from '../../../tools/studio/page/paste/size.ts';

const EMPTY = { text: '', form: 'plain' } as const;

test('a paste that fits is sent, and one byte more is not', () => {
  const room = MAX_BODY_BYTES - bodySize(EMPTY);
  expect(sizeProblem({ ...EMPTY, text: 'x'.repeat(room) })).toBeNull();
  expect(sizeProblem({ ...EMPTY, text: 'x'.repeat(room + 1) })).toContain('the studio takes 10 MB');
});

test('what counts is the body, with its escapes and its metadata', () => {
  expect(bodySize({ ...EMPTY, text: '"é"' })).toBe(bodySize(EMPTY) + 6);
  expect(bodySize({ ...EMPTY, metadata: 'x' })).toBeGreaterThan(bodySize(EMPTY));
});

test.each([
  [12, '12 bytes'],
  [12_400, '12 KB'],
  [10_000_000, '10 MB'],
  [10_000_001, '10.1 MB'],
])('%d is shown as %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
