/** How texts compare, how long they may be, and how they are shown. */
import { describe, expect, test } from '@jest/globals';
import { foldText, inWords, isFoldable, shortened, showable, showableNames } from '../lib/text.ts';

test.each<[string, string, boolean]>([
  ['30 marks in a row', `a${'\u0301'.repeat(30)}`, true],
  ['31 marks behind others', `a\u0301a${'\u0301'.repeat(31)}`, false],
  ['a letter of which NFKC makes 18', '\ufdfa', true],
  ['two of them, and as many letters', '\ufdfa\ufdfaab', true],
  ['two of them, and one letter', '\ufdfa\ufdfaa', false],
])('%s can be folded: %p', (_, text, expected) => {
  expect(isFoldable(text)).toBe(expected);
});

test.each([
  ['a  b', 'a\u0085b'],
  ['ab', 'a\u200bb'],
  ['ΔΙΑΓΡΑΜΜΈΝΟΣ', 'διαγραμμένος'],
  ['iptal', 'İPTAL'],
  [' a ', 'A'],
  [' ä ', 'Ä'],
  [' a ~', '\uff21  \uff5e'],
  ['\u1fb4', '\u03b1\u0345\u200b\u0301'],
])('%j and %j are folded alike', (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

test.each([
  ['a b', 'ab'],
  ['ας', 'α'],
])('%j and %j are not', (one, other) => {
  expect(foldText(one)).not.toBe(foldText(other));
});

test.each([
  ['plain text', 'plain text'],
  ['a\u202eb\u0007', 'ab'],
  ['\ud800', '\ufffd'],
])('%j is shown as %j', (text, shown) => {
  expect(showable(text)).toBe(shown);
});

test.each([
  ['x'.repeat(201), 'x'.repeat(200)],
  ['😀'.repeat(201), '😀'.repeat(200)],
])('%# is shortened to 200 characters', (text, short) => {
  expect(shortened(text)).toBe(short);
});

test.each([
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('%j in words: %s', (texts, words) => {
  expect(inWords(texts, 'or')).toBe(words);
});

describe('names that may be shown', () => {
  test.each<[string[], string[], number]>([
    [['b', 'a', 'b'], ['a', 'b'], 0],
    [['https://x.example/a#b', 'urn:x:_-1'], ['https://x.example/a#b', 'urn:x:_-1'], 0],
    [['ada@x.example', 'a b', '', 'ä', 'a\n'], [], 5],
  ])('of %j: %j, and %i others', (names, shown, others) => {
    expect(showableNames(names)).toEqual({ names: shown, others });
  });

  test('are 60 at most', () => {
    const { names, others } = showableNames(Array.from({ length: 70 }, (_, index) => `n${index}`));
    expect([names.length, others]).toEqual([60, 10]);
  });
});
