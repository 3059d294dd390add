import { expect, test } from '@jest/globals';
import { cellText, cut, escaped, piecesOf } from '../../../tools/studio/page/showing.ts';

test.each([
  ['plain text', 'Ada Lovelace', 'Ada Lovelace'],
  ['letters of all scripts', 'Łukasz 李小龙 עברית', 'Łukasz 李小龙 עברית'],
  ['HTML', '<b onclick="x">', '<b onclick="x">'],
  ['a change of direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
  ['control characters', 'a\u0000b\u001bc\u0085', 'a\\u0000b\\u001bc\\u0085'],
  ['breaks and tabs', 'a\r\n\tb', 'a\\r\\n\\tb'],
  ['characters without ink', 'a\u200bb\u00adc\ufeff', 'a\\u200bb\\u00adc\\ufeff'],
  ['white space of another kind', 'a\u00a0b\u3000c\u2028', 'a\\u00a0b\\u3000c\\u2028'],
  ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
  ['half of a surrogate pair', 'a\ud800b', 'a\\ud800b'],
])('%s: nothing hides or reorders', (_, text, shown) => {
  expect(escaped(text)).toBe(shown);
  expect(
    piecesOf(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(shown);
});

test('an escape is told from a text that looks like one', () => {
  expect(piecesOf('\\u202e\u202e')).toEqual([
    { text: '\\u202e', isEscape: false },
    { text: '\\u202e', isEscape: true },
  ]);
});

test.each([
  [undefined, 'absent'],
  ['', 'empty text'],
  ['text', 'text'],
  [null, 'null'],
  [['a'], '["a"]'],
])('a cell shows %j as %s', (value, text) => {
  expect(cellText(value)).toBe(text);
});

test('a cut text ends with a whole character', () => {
  expect(cut('ab😀c', 3)).toBe('ab…');
  expect(cut('abc', 2)).toBe('ab…');
  expect(cut('abc', 3)).toBe('abc');
});
