/** Pseudonyms: of the kind of a text, the same for the same text, and times that tell neither the login nor its span. */
import { describe, expect, test } from '@jest/globals';
import { Pseudonyms, type Random } from '../../tools/keep/pseudonyms.ts';
import { saying, seeded } from './answering.ts';

const MOMENT = Date.UTC(2026, 10, 21, 10);
const LOGIN = MOMENT / 1_000;
const DAY = 86_400;
const none = () => false;

function pseudonyms(random: Random = seeded(1), isOfPerson: (text: string) => boolean = none) {
  return new Pseudonyms(MOMENT, isOfPerson, random);
}

const NAME = '[A-Z][a-z]{7}';
const IDENTIFIER = '(?:[g-z][0-9]){12}';
const DOMAIN = '[a-z]{8}\\.example';
const UUID = '(?:[a-f]\\d){4}-(?:[a-f]\\d){2}-4[a-f]\\d[a-f]-8[a-f]\\d[a-f]-(?:[a-f]\\d){6}';

describe('a pseudonym is of the kind of its text:', () => {
  test.each([
    ['Ada', NAME],
    ['o’Hara-St.', NAME],
    ['Нина', NAME],
    ['e\u0301a', NAME],
    ['Ada Lovelace', `${NAME} ${NAME}`],
    ['Lovelace,Ada', `${NAME} ${NAME}`],
    ['Ada,', IDENTIFIER],
    ['Group 7 of 9', `${NAME} ${NAME}`],
    ['2B1A8F7E-4c3d-4e5f-8a9b-0c1d2e3f4a5b', UUID],
    ['2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b2', IDENTIFIER],
    ['x2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b', IDENTIFIER],
    ['0000-0002-1825-009X', '(?:\\d{4}-){3}\\d{4}'],
    ['x0000-0002-1825-0097', IDENTIFIER],
    ['0000-0002-1825-009Xx', IDENTIFIER],
    ['0000-0002-1825-009A', IDENTIFIER],
    ['7', '[1-9]\\d{8}'],
    ['123456789012', '[1-9]\\d{8}'],
    ['+44 (20) 7946-09.58/1', '[1-9]\\d{8}'],
    ['HTTP://user:pw@example.org:8080/a', `https://${DOMAIN}/${IDENTIFIER}`],
    ['xhttps://', IDENTIFIER],
    ['cn=Ada Lovelace,OU=x', `CN=${NAME}`],
    ['xCN=Ada', IDENTIFIER],
    ['7tim_x.org#ext#', `${IDENTIFIER}#EXT#`],
    ['#EXT#x', IDENTIFIER],
    ['Ada <ada@x.org>', `${IDENTIFIER}@${DOMAIN}@${DOMAIN}`],
    ['uni-1.org', DOMAIN],
    ['maths.uni_1.org', DOMAIN],
    ['x.org/a', IDENTIFIER],
    ['/a.bc', IDENTIFIER],
  ])('%j', (text, kind) => {
    expect(pseudonyms().of(text)).toMatch(new RegExp(`^${kind}$`));
  });
});

test.each([
  [8_192, NAME],
  [8_193, IDENTIFIER],
])('a text of %i letters has a pseudonym of its kind: %s', (length, kind) => {
  expect(pseudonyms().of('q'.repeat(length))).toMatch(new RegExp(`^${kind}$`));
});

test('a pseudonym is the same for the same text, and nothing else is known', () => {
  const one = pseudonyms();
  const made = one.of('Ada Lovelace');
  expect(one.of('Ada Lovelace')).toBe(made);
  expect([one.known('Ada Lovelace'), one.known('Byron')]).toEqual([made, 'Byron']);
});

test('a number becomes another number, of nine digits', () => {
  const one = pseudonyms();
  expect(one.number(7)).toBeGreaterThanOrEqual(100_000_000);
  expect(one.number(7)).toBe(one.number(7));
  expect(String(one.number(7))).toBe(one.of('7'));
});

test('random numbers come from node:crypto where none are given', () => {
  const [one, two] = [0, 1].map(() => new Pseudonyms(MOMENT, none).of('x7'));
  expect(one).not.toBe(two);
});

const zeros = (length: number) => Array.from({ length }, () => 0);

describe('what is taken, or has the person in it, is made again:', () => {
  test('another text never has the same pseudonym', () => {
    // The first number is of the times, and an identifier takes 24.
    const one = pseudonyms(saying(...zeros(1 + 48)));
    expect([one.of('x1'), one.of('x2')]).toEqual(['g0'.repeat(12), expect.not.stringContaining('g0g0g0')]);
  });

  test('up to fifty times, and then an identifier serves', () => {
    let asked = 0;
    const one = pseudonyms(seeded(1), () => {
      asked += 1;
      return true;
    });
    expect(one.of('Ada')).toMatch(new RegExp(`^${IDENTIFIER}$`));
    expect(asked).toBe(50);
  });
});

describe('times of the login', () => {
  const dateTime = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000', '');
  const secondsOf = (time: number | string) => Date.parse(String(time)) / 1_000;

  test.each([
    [0, DAY],
    [60 * DAY - 1, 61 * DAY - 1],
  ])('move together, by one random span of sixty days into the past: %i', (number, shift) => {
    const asked: number[] = [];
    const one = pseudonyms((below) => {
      asked.push(below);
      return number;
    });
    expect(asked).toEqual([60 * DAY]);
    expect(one.time(LOGIN)).toBe(LOGIN - shift);
    expect(one.time(LOGIN + 300.9)).toBe(LOGIN + 300 - shift);
    expect(one.time(' 2026-11-21T11:00:01.123456+01:00 ')).toBe(dateTime(LOGIN + 1 - shift));
  });

  test('but no others: what is further away than a month, or stands elsewhere', () => {
    const one = pseudonyms();
    const shift = LOGIN - Number(one.time(LOGIN));
    const month = 31 * DAY;
    for (const time of [LOGIN + month, LOGIN - month]) expect(one.time(time)).toBe(time - shift);
    for (const time of [LOGIN + month + 1, LOGIN - month - 1]) {
      expect(one.time(time)).not.toBe(time - shift);
      expect(one.time(time)).toBe(one.time(time));
    }
    const times = ['10:00', '10:05', '10:06'].map((time) => one.of(`2026-11-21T${time}:00Z`));
    expect(secondsOf(String(times[0]))).not.toBe(LOGIN - shift);
    expect(new Set(times).size).toBe(3);
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test('and those elsewhere stay before the login or after it, at most 700 days', () => {
    const at = (number: number) => pseudonyms(saying(0, number));
    const moved = LOGIN - DAY;
    expect(at(0).time(LOGIN + 40 * DAY)).toBe(moved + 1);
    expect(at(700 * DAY - 1).time(LOGIN - 40 * DAY)).toBe(moved - 700 * DAY);
    expect(secondsOf(at(4).of('2026-11-21T10:00:00Z'))).toBe(moved - 5);
  });

  test('are of whole seconds, and a text that is no time is replaced by its kind', () => {
    const one = new Pseudonyms(MOMENT + 999, none, () => 0);
    expect(one.time(LOGIN)).toBe(LOGIN - DAY);
    expect(one.time('2026-01-01T00:00:00Z')).toBe(dateTime(LOGIN - DAY - 1));
    expect(pseudonyms().time(' Ada ')).toMatch(new RegExp(`^${NAME}$`));
  });
});
