/** Which stand-in a word gets: one for all its spellings, in the spelling of each place. */
import { describe, expect, test } from '@jest/globals';
import { inCaseOf, WordStandIns } from '../../tools/keep/wordStandIns.ts';
import { expandedForm, plainForm } from '../../tools/keep/words.ts';

const TRIES = 40;
const of = (...words: string[]) => new WordStandIns(words.map((word) => ({ word, isLong: false })));
const long = (...words: string[]) => new WordStandIns(words.map((word) => ({ word, isLong: true })));
const repeat = (check: () => void) => {
  for (let tries = 0; tries < TRIES; tries++) check();
};

test.each([
  ['Ada', 'xyz', 'Xyz'],
  ['ADA', 'xyz', 'XYZ'],
  ['ada', 'xyz', 'xyz'],
  ['A', 'xyz', 'Xyz'],
  ['a', 'xyz', 'xyz'],
  ['42', 'xyz', 'xyz'],
  ['aB1', 'xyz', 'xYz'],
  ['aB1c', 'xyz', 'xyz'],
  ['aB', 'xyz', 'xyz'],
  ['aB', 'xy', 'xy'],
  ['Ада', 'бвг', 'Бвг'],
  ['😀', 'x', 'x'],
])('in the case of %s, %s is %s', (word, standIn, expected) => {
  expect(inCaseOf(word, standIn)).toBe(expected);
});

describe('one word', () => {
  test('has one stand-in in every case', () => {
    repeat(() => {
      const words = of('Ada', 'ADA', 'ada');
      const standIn = words.of('ada');
      expect(standIn).toMatch(/^[a-z]{5,8}$/);
      expect(words.of('ADA')).toBe(standIn.toUpperCase());
      expect(words.of('Ada')).toBe(standIn.charAt(0).toUpperCase() + standIn.slice(1));
    });
  });

  test.each([
    ['Müller', 'Mueller', 'Muller'],
    ['Müller', 'Muller', 'Mueller'],
    ['Mueller', 'Müller', 'Muller'],
    ['Muller', 'Mueller', 'Müller'],
  ])('has one in every transliteration: %s, %s, %s', (...spellings) => {
    repeat(() => {
      const words = of(...spellings);
      const original = words.of('Müller');
      expect(original).toMatch(/^[A-Z][a-z]*[äöü][a-z]*$/);
      expect(words.of('mueller')).toBe(expandedForm(original));
      expect(words.of('muller')).toBe(plainForm(original));
      expect(words.of('MUELLER')).toBe(expandedForm(original).toUpperCase());
    });
  });

  test('has a diacritic that is not written as two letters, where its own is not', () => {
    repeat(() => {
      const words = of('Zoë', 'zoe');
      expect(words.of('Zoë')).toMatch(/^[A-Z][a-z]*[áéíóú][a-z]*$/);
      expect(words.of('zoe')).toBe(plainForm(words.of('Zoë')));
    });
  });

  test('keeps its Unicode form', () => {
    const words = of('Zoë');
    const decomposed = words.of('Zoë'.normalize('NFD'));
    expect(decomposed).toBe(words.of('Zoë').normalize('NFD'));
    expect(decomposed).not.toBe(words.of('Zoë'));
  });

  test('has its script', () => {
    expect(of('Ада').of('Ада')).toMatch(/^\p{Script=Cyrillic}{3}$/u);
    expect(of('李').of('李')).toMatch(/^\p{Script=Han}$/u);
  });

  test.each<[string, RegExp]>([
    ['42', /^\d{2,4}$/],
    ['p48213', /^[a-v]\d{5}$/],
    ['ab', /^[a-v]{2,4}$/],
    ['é', /^[áéíóú]{1,3}$/],
  ])('of the kind of %s', (word, form) => {
    repeat(() => expect(of(word).of(word)).toMatch(form));
  });

  test('has its length where a limit is near', () => {
    repeat(() => expect(long('Lovelace').of('lovelace')).toHaveLength(8));
    repeat(() => expect(long('Lovelaces').of('lovelaces')).toHaveLength(9));
    const found = { ada: false, lovelace: false, adalovelace: true };
    repeat(() => {
      const words = new WordStandIns(Object.entries(found).map(([word, isLong]) => ({ word, isLong })));
      expect(words.of('adalovelace')).toHaveLength(11);
      expect(words.hasCollided).toBe(false);
    });
  });

  test('has the length of its longest spelling where a limit is near', () => {
    expect(long('strasse', 'Straße').of('strasse')).toHaveLength(7);
    expect(long('Straße', 'strasse').of('strasse')).toHaveLength(7);
    const spellings = [
      { word: 'Müller', isLong: true },
      { word: 'Muller', isLong: false },
    ];
    repeat(() => expect(new WordStandIns(spellings).of('muller')).toHaveLength(6));
    repeat(() => expect(long('mueller').of('Müller')).toHaveLength(7));
    const cases = [
      { word: 'Zoe', isLong: true },
      { word: 'zoe', isLong: false },
    ];
    repeat(() => expect(new WordStandIns(cases).of('zoe')).toHaveLength(3));
  });

  test('keeps the stand-in that it has, whatever spelling comes later', () => {
    repeat(() => {
      const words = of('mueller');
      const standIn = words.of('mueller');
      expect(words.of('Müller').toLowerCase()).toBe(standIn);
    });
  });

  test('has any length where none is near', () => {
    const lengths = new Set<number>();
    for (let tries = 0; tries < 200; tries++) lengths.add(of('Ada').of('Lovelace').length);
    expect(lengths.size).toBe(4);
  });
});

describe('a word that contains others', () => {
  test('contains their stand-ins', () => {
    repeat(() => {
      const words = of('Ada', 'Lovelace', 'ALovelace42', 'adalovelace');
      if (words.of('adalovelace') && words.hasCollided) return;
      const [ada, lovelace] = [words.of('ada'), words.of('lovelace')];
      expect(words.of('adalovelace')).toBe(ada + lovelace);
      expect(words.of('ALovelace42')).toMatch(new RegExp(`^[A-Z]${words.of('Lovelace')}\\d\\d$`));
    });
  });

  test('is no word of its own where it contains nothing', () => {
    const words = of('Ada', 'Adam');
    expect(words.of('Adam').toLowerCase().startsWith(words.of('ada'))).toBe(true);
  });

  test('is found only from three letters on', () => {
    const words = of('Bo', 'Boxer');
    expect(words.of('Boxer')).toMatch(/^[A-Z][a-z]{4,7}$/);
  });

  test('has the longest words that begin in each place', () => {
    repeat(() => {
      const words = of('lov', 'love', 'lace', 'lovelace');
      const made = words.of('lovelace');
      if (!words.hasCollided) expect(made).toBe(words.of('love') + words.of('lace'));
    });
  });
});

describe('where stand-ins collide', () => {
  const [CONSONANTS, VOWELS] = [Array.from('bdfgklmnprstv'), Array.from('aeiou')];
  /** One of them is in every stand-in. */
  const everywhere = CONSONANTS.flatMap((one) =>
    VOWELS.flatMap((vowel) => CONSONANTS.map((other) => one + vowel + other)),
  );

  test('a word has its own, and it shows', () => {
    const words = of('ada', 'eve', 'adaeve', ...everywhere);
    expect(words.hasCollided).toBe(false);
    const [ada, eve] = [words.of('ada'), words.of('eve')];
    expect(words.hasCollided).toBe(false);
    expect(words.of('adaeve')).not.toBe(ada + eve);
    expect(words.hasCollided).toBe(true);
    words.of('ada');
    expect(words.hasCollided).toBe(true);
  });

  test.each<[string, string[], RegExp]>([
    ['ten digits', [...'0123456789'], /^\d{1,2}$/],
    ['all numbers of two digits', twoDigits(), /^\d{2,3}$/],
    ['letters with a digit', VOWELS.concat(CONSONANTS).flatMap((one) => digitsAfter(one)), /^[a-v]\d[a-v]?$/],
    ['digits with a letter', VOWELS.concat(CONSONANTS).flatMap((one) => digitsBefore(one)), /^\d[a-v]{1,2}$/],
    [
      'letters of another script',
      [...'李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧'],
      /^\p{Script=Han}{1,2}$/u,
    ],
    ['letters with diacritics', [...'àèìòùÿñç'], /^[áéíóú]{1,2}$/],
  ])('short ones are longer: %s', (_, originals, form) => {
    const words = of(...originals);
    const made = originals.map((one) => words.of(one));
    expect(new Set(made).size).toBe(originals.length);
    for (const one of made) expect(one).toMatch(form);
  });

  test('a number is letters where every number has another in it', () => {
    const numbers = Array.from({ length: 900 }, (_, index) => String(100 + index));
    expect(of(...numbers).of('123')).toMatch(/^[a-z]{5,8}$/);
  });

  function twoDigits(): string[] {
    return Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0'));
  }

  function digitsAfter(letter: string): string[] {
    return Array.from('0123456789', (digit) => letter + digit);
  }

  function digitsBefore(letter: string): string[] {
    return Array.from('0123456789', (digit) => digit + letter);
  }
});

describe('no stand-in', () => {
  test('has a word of the original in it, or is another’s', () => {
    const originals = Array.from(
      { length: 200 },
      (_, index) => `w${'bdfgklmnpr'.charAt(index % 10)}a${index}x`,
    );
    const words = of(...originals);
    const made = originals.map((one) => words.of(one));
    expect(new Set(made).size).toBe(originals.length);
    for (const one of made) for (const word of originals) expect(one).not.toContain(word);
  });

  test('is the word itself', () => {
    repeat(() => expect(of('7').of('7')).not.toBe('7'));
    expect(new Set(Array.from('0123456789', (digit) => of(...'0123456789').of(digit))).has('')).toBe(false);
  });

  test('of ten digits is that of another', () => {
    repeat(() => {
      const words = of(...'0123456789');
      const made = Array.from('0123456789', (digit) => words.of(digit));
      expect(new Set(made).size).toBe(10);
      expect(made.some((one) => /^\d$/.test(one))).toBe(true);
    });
  });

  test('is made where another one is clean', () => {
    const words = of('ada');
    const made = ['adam', 'radar', 'xada', 'eve'];
    expect(words.clean(() => made.shift() ?? 'none')).toBe('eve');
    const own = ['eve', 'bob'];
    expect(words.clean(() => own.shift() ?? 'none', new Set(['eve']))).toBe('bob');
    const [forms, others] = [
      ['Müller', 'bob'],
      ['Müller', 'bob'],
    ];
    expect(words.clean(() => forms.shift() ?? 'none', new Set(['muller']))).toBe('bob');
    expect(of('muller').clean(() => others.shift() ?? 'none')).toBe('bob');
    let tries = 0;
    expect(words.clean(() => `ada${++tries}`)).toBe('ada121');
  });
});
