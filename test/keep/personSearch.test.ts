/** What the last search finds, and what it takes for nobody's. */
import { describe, expect, test } from '@jest/globals';
import { PersonSearch } from '../../tools/keep/person.ts';

describe('it finds', () => {
  test.each([
    ['a word', ['Lovelace'], 'by lovelace today'],
    ['a part of a word', ['Lovelace'], 'alovelace2'],
    ['a word of four', ['Adaq'], 'adaq'],
    ['a number of four digits', ['1815'], 'x1815'],
    ['a word of a longer text', ['Ada Lovelace'], 'LOVELACE'],
    ['words in another order', ['Bo Xu'], 'xu, bo'],
    ['words in another order among others', ['Bo Xu'], 'of xu bo or'],
    ['words together', ['Bo Xu'], 'mboxu'],
    ['words together in the other order', ['Bo Xu'], 'xubo'],
    ['eight words', ['a b c d e f g h'], 'h g f e d c b a'],
    ['accents', ['Šárka'], 'SARKA'],
    ['no accents', ['Sarka'], 's\u030ca\u0301rka'],
    ['a transliteration', ['Müller'], 'MUELLER'],
    ['a transliteration of a letter that is taken apart', ['Mu\u0308ller'], 'mueller'],
    ['a letter without its stroke', ['Łódź'], 'lodz'],
    ['a sharp s', ['Groß'], 'GROSS'],
    ...[
      'æaaa:aeaaa',
      'œaaa:oeaaa',
      'øaaa:oaaa',
      'đaaa:daaa',
      'ðaaa:daaa',
      'þaaa:thaaa',
      'ıaaa:iaaa',
      'ħaaa:haaa',
      'ŋaaa:naaa',
    ]
      .map((pair) => pair.split(':') as [string, string])
      .map(([written, plain]): [string, string[], string] => [`${written} as ${plain}`, [written], plain]),
    ...['äaaa:aeaaa', 'öaaa:oeaaa', 'øaaa:oeaaa', 'xåxx:xaaxx']
      .map((pair) => pair.split(':') as [string, string])
      .map(([written, plain]): [string, string[], string] => [`${written} as ${plain}`, [written], plain]),
    ['halfwidth voicing marks', ['ｶﾞｷﾞ'], 'カキ'],
    ['a word of two in another script', ['山田'], '山田さん'],
    ['percent-encoding', ['Zoë Q'], 'Zo%C3%ABq%20q%20zo%C3%AB'],
    ['Base64', ['Lovelace'], Buffer.from('x=lovelace').toString('base64')],
    ['Base64 behind other characters', ['Lovelace'], `qqq${Buffer.from('lovelace').toString('base64')}`],
    ['Base64 behind one character', ['Lovelace'], `q${Buffer.from('lovelace').toString('base64url')}`],
    ['short Base64', ['Adaq'], Buffer.from('adaq').toString('base64').replaceAll('=', '')],
    ['hexadecimal digits', ['Adaq'], Buffer.from('adaq').toString('hex').toUpperCase()],
    ['hexadecimal digits behind one', ['Adaq'], `f${Buffer.from('adaq').toString('hex')}`],
    ['the moment of the login', ['2026-11-21T10:00:00Z'], '2026-11-21T10:00:00Z'],
  ])('%s', (_, texts, text) => {
    expect(new PersonSearch(texts).finds(text)).toBe(true);
  });
});

describe('it does not find', () => {
  test.each([
    ['words of three letters', ['Ada'], 'ada'],
    ['one character of another script', ['山 田'], '山'],
    ['other words', ['Lovelace'], 'love lace'],
    ['words that are cut otherwise', ['Bo Xu'], 'box u'],
    ['some of the words', ['Bo Xu Li'], 'bo xu'],
    ['more words in between', ['Bo Xu'], 'bo of xu'],
    ['nine words in another order', ['a b c d e f g h i'], 'i h g f e d c b a'],
    [
      'words of URLs, domains and names',
      ['https http data image base64 example mail street emailaddress'],
      'data:image/png;base64,x https://example mail',
    ],
    ['words inside those', ['exam'], 'x.example'],
    ['parts of another moment', ['2026'], '2026-11-21T10:00:00Z'],
  ])('%s', (_, texts, text) => {
    expect(new PersonSearch(texts).finds(text)).toBe(false);
  });
});

test('it knows whole texts, as they are', () => {
  const search = new PersonSearch(['Ada Lovelace']);
  expect(['Ada Lovelace', 'Ada'].map((text) => search.has(text))).toEqual([true, false]);
});

describe('of a name of a sample it tells the person’s part', () => {
  test.each([
    [['adaq'], 'login-of-adaq', 'adaq'],
    [['Lovelace'], 'by-alovelace', 'alovelace'],
    [['Lovelace'], 'love-lace', 'love-lace'],
    [['staffq'], 'staffqing', 'staffqing'],
    [['staff'], 'staffing', null],
    [['staff', 'Lovelace'], 'xstaff', null],
    [['Bo Xu'], 'xu-bo', 'xu-bo'],
    [['Bo Xu'], 'boxu-guest', 'boxu'],
    [['Bo Xu'], 'bo-x-u', 'bo-x-u'],
    [['Ada'], 'ada', null],
    [['Lovelace'], 'guest', null],
  ])('%j in %s: %j', (texts, name, part) => {
    expect(new PersonSearch(texts).wordIn(name)).toBe(part);
  });
});
