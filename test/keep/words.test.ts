/** Words, and the forms in which they compare. */
import { describe, expect, test } from '@jest/globals';
import {
  expandedForm,
  formsOf,
  lettersOf,
  percentDecoded,
  plainForm,
  unitsOf,
  WordSet,
  withoutUnits,
  wordsOf,
} from '../../tools/keep/words.ts';

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

test.each([
  ['Ada', 'ada', 'ada'],
  ['Müller', 'muller', 'mueller'],
  ['Mu\u0308ller', 'muller', 'mueller'],
  ['MÜLLER', 'muller', 'mueller'],
  ['Ångström', 'angstrom', 'aangstroem'],
  ['Bjørn', 'bjorn', 'bjoern'],
  ['Jäger', 'jager', 'jaeger'],
  ['Straße', 'strasse', 'strasse'],
  ['Æsœłđðþıħŋ', 'aesoelddthihn', 'aesoelddthihn'],
  ['Zoë', 'zoe', 'zoe'],
  ['ﬁn', 'fin', 'fin'],
  ['Ада', 'ада', 'ада'],
  ['', '', ''],
])('%s is %s, and %s where letters are written as two', (word, plain, expanded) => {
  expect([plainForm(word), expandedForm(word)]).toEqual([plain, expanded]);
  expect(formsOf(word)).toEqual([...new Set([plain, expanded])].filter(Boolean));
});

test.each([
  ['Ab', ['A', 'b'], ['a', 'b']],
  ['Ü\u0301x', ['Ü\u0301', 'x'], ['u', 'x']],
  ['\u0301\u0308a', ['\u0301\u0308', 'a'], ['', 'a']],
])('the letters of %j are %j, plainly %j', (word, texts, plain) => {
  expect(lettersOf(word).map(({ text }) => text)).toEqual(texts);
  expect(lettersOf(word).map((letter) => letter.plain)).toEqual(plain);
});

test.each([
  ['Ada-King, 2nd (née Byron)', ['Ada', 'King', '2nd', 'née', 'Byron']],
  [' .,;', []],
])('the words of %j are %j', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

describe('texts that are one thing each', () => {
  test.each([
    [`x ${UUID.toUpperCase()}.y`, [UUID], 'x  .y'],
    ['at 203.0.113.77:80', ['203.0.113.77'], 'at  :80'],
    ['1.203.0.113.77', [], '1.203.0.113.77'],
    ['203.0.113.77.1', [], '203.0.113.77.1'],
    ['a203.0.113.77', [], 'a203.0.113.77'],
    ['203.0.113.7777', [], '203.0.113.7777'],
    [' 1815-12-10 ', ['1815-12-10'], ' '],
    ['1815-12-10T10:00:00.5Z', ['1815-12-10t10:00:00.5z'], ' '],
    ['born 1815-12-10', [], 'born 1815-12-10'],
    ['1815-12-10 there', [], '1815-12-10 there'],
    [' 2001:DB8::1 ', ['2001:db8::1'], ''],
    ['2001:db8::1 x', [], '2001:db8::1 x'],
  ])('in %j are %j', (text, units, rest) => {
    expect(unitsOf(text)).toEqual(units);
    expect(withoutUnits(text)).toBe(rest);
  });
});

test.each([
  ['a%20b%C3%BC', 'a bü'],
  ['%zz%2', '%zz%2'],
  ['%ff and %41', '%ff and A'],
])('%s decodes to %s', (text, decoded) => {
  expect(percentDecoded(text)).toBe(decoded);
});

test('words are found inside texts', () => {
  const words = new WordSet(['king', 'ada']);
  words.add('byron');
  expect(['king', 'byron', 'kin'].map((word) => words.has(word))).toEqual([true, true, false]);
  expect(['xkingx', 'ada', 'adbyron', 'kin', 'ad', ''].map((text) => words.occursIn(text))).toEqual([
    ...[true, true, true],
    ...[false, false, false],
  ]);
  expect(new WordSet([]).occursIn('ada')).toBe(false);
});
