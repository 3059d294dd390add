/** What the page makes of texts, addresses and logins. */
import { describe, expect, test } from '@jest/globals';
import { beginning } from '../../tools/shared/readable.ts';
import { addressIn, hrefTo } from '../../tools/studio/address.ts';
import { piecesOf } from '../../tools/studio/views/parts.tsx';
import { cellText } from '../../tools/studio/words.ts';

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
  expect(piecesOf(text).join('')).toBe(shown);
});

test('an escape is told from a text that looks like one', () => {
  expect(piecesOf('\\u202e\u202e')).toEqual(['\\u202e', '\\u202e', '']);
});

test('a cell shows what it is of', () => {
  const texts = [undefined, '', 'text', null, ['a']].map(cellText);
  expect(texts).toEqual(['absent', 'empty text', 'text', 'null', '["a"]']);
});

test('a cut text ends with a whole character', () => {
  expect([beginning('ab😀c', 3), beginning('abc', 2), beginning('abc', 3)]).toEqual(['ab…', 'ab…', 'abc']);
});

describe('an address', () => {
  test.each([
    ['', 'logins', null],
    ['#/logins/openidLoggedIn.entra?outcome=forbidden', 'logins', 'openidLoggedIn.entra'],
    ['#/logins/a%2Fb', 'logins', 'a/b'],
    ['#/logins/%', 'logins', '%'],
    ['#/keep/x', 'keep', 'x'],
    ['#/sign-in/', 'sign-in', null],
    ['#/__proto__/x', 'logins', null],
    ['#nothing', 'logins', null],
  ])('%j is of the view %s and the id %j', (hash, view, id) => {
    expect(addressIn(hash)).toMatchObject({ view, id });
  });

  test('leads back to what it is of', () => {
    const href = hrefTo('compare', 'a/b ?#', { with: 'handlers/x&y', empty: '', none: null });
    const { view, id, query } = addressIn(href);
    expect([view, id, [...query]]).toEqual(['compare', 'a/b ?#', [['with', 'handlers/x&y']]]);
  });
});
