/** Random stand-ins: of which kind they are, however often they are made. */
import { describe, expect, test } from '@jest/globals';
import {
  addressLike,
  date,
  lettersFrom,
  opaque,
  pick,
  sameKinds,
  scriptOf,
  syllables,
  uuidLike,
  withDiacritic,
} from '../../tools/keep/random.ts';

const MANY = 4_000;
const many = <T>(make: () => T): T[] => Array.from({ length: MANY }, make);
const lengthsOf = (texts: string[]) => [...new Set(texts.map((text) => text.length))].sort();

test('one of the letters of an alphabet, each', () => {
  expect(new Set(many(() => pick('aü😀')))).toEqual(new Set(['a', 'ü', '😀']));
  expect(lettersFrom('x', 3)).toBe('xxx');
});

describe('syllables', () => {
  test('have five to eight letters, or as many as are wanted', () => {
    expect(lengthsOf(many(() => syllables()))).toEqual([5, 6, 7, 8]);
    expect(lengthsOf(many(() => syllables(3)))).toEqual([3]);
  });

  test('are consonants and vowels in turn', () => {
    for (const text of many(() => syllables(4))) {
      expect(text).toMatch(/^[bdfgklmnprstv][aeiou][bdfgklmnprstv][aeiou]$/);
    }
  });
});

test('a diacritic is on the first vowel', () => {
  expect(new Set(many(() => withDiacritic('babe', false)))).toEqual(
    new Set(['bábe', 'bébe', 'bíbe', 'bóbe', 'búbe']),
  );
  expect(new Set(many(() => withDiacritic('babe', true)))).toEqual(new Set(['bäbe', 'böbe', 'bübe']));
});

test.each([
  ['Ада', 'Cyrillic'],
  ['Άδα', 'Greek'],
  ['علي', 'Arabic'],
  ['עדה', 'Hebrew'],
  ['李明', 'Han'],
  ['ひら', 'Han'],
  ['カタ', 'Han'],
  ['한글', 'Han'],
])('%s is written in letters of %s', (word, script) => {
  expect(scriptOf(word)).toMatch(new RegExp(`^\\p{Script=${script}}{10,}$`, 'u'));
});

test.each(['Ada', 'Müller', '42', ''])('%j is written in Latin letters', (word) => {
  expect(scriptOf(word)).toBeNull();
});

describe('the same kinds of characters', () => {
  test.each<[string, RegExp]>([
    ['42', /^[1-9]\d$/],
    ['007', /^\d{3}$/],
    ['a1b', /^[a-v]\d[a-v]$/],
    ['٤x', /^[1-9][a-v]$/],
    ['deadbeef', /^[0-9a-f]{8}$/],
    ['DEADBEEF01', /^[0-9a-f]{10}$/],
    ['deadbee', /^[a-v]{7}$/],
    ['deadbeefx', /^[a-v]{9}$/],
    ['xdeadbeef', /^[a-v]{9}$/],
  ])('as %s', (like, pattern) => {
    for (const made of many(() => sameKinds(like))) expect(made).toMatch(pattern);
  });

  test('may be each digit', () => {
    expect(new Set(many(() => sameKinds('7'))).size).toBe(9);
    expect(new Set(many(() => sameKinds('0'))).size).toBe(10);
    expect(new Set(many(() => sameKinds('77').charAt(1))).size).toBe(10);
    expect(new Set(many(() => sameKinds('00000000').charAt(0))).size).toBe(16);
    expect(new Set(many(() => sameKinds('x'))).size).toBe(18);
  });
});

test('a UUID keeps its version and its variant, and nothing else', () => {
  const like = '00000000-0000-7000-c000-000000000000';
  for (const made of many(() => uuidLike(like)).slice(0, 500)) {
    expect(made).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-c[0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(uuidLike(like)).not.toBe(uuidLike(like));
});

test('an address of a machine is one for documents', () => {
  const made = many(() => addressLike('10.0.0.1'));
  for (const one of made) expect(one).toMatch(/^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/);
  const last = new Set(made.map((one) => Number(one.split('.')[3])));
  expect([Math.min(...last), Math.max(...last)]).toEqual([1, 254]);
  expect(new Set(made.map((one) => one.replace(/\.\d+$/, ''))).size).toBe(3);
  expect(addressLike('fe80::1')).toMatch(/^2001:db8::[0-9a-f]{4}:[0-9a-f]{4}$/);
});

test('a date is of somebody who was born from 1940 to 1999', () => {
  const made = many(date);
  for (const one of made) expect(one).toMatch(/^19[4-9]\d-(?:0\d|1[0-2])-(?:[01]\d|2[0-8])$/);
  expect([made.toSorted().at(0)?.slice(0, 4), made.toSorted().at(-1)?.slice(0, 4)]).toEqual(['1940', '1999']);
  expect(new Set(made.map((one) => one.slice(5, 7))).size).toBe(12);
  const days = made.map((one) => one.slice(8));
  expect([days.toSorted().at(0), days.toSorted().at(-1)]).toEqual(['01', '28']);
});

test('what is opaque has as many bytes as are wanted', () => {
  expect(Buffer.from(opaque(24), 'base64url')).toHaveLength(24);
  expect(opaque(24)).toMatch(/^[\w-]{32}$/);
  expect(opaque(24)).not.toBe(opaque(24));
});
