/** Times of a stand-in: all of a login move by the same whole seconds into the past. */
import { describe, expect, test } from '@jest/globals';
import { Moments } from '../../tools/keep/moments.ts';

const LOGIN = Date.parse('2026-11-21T10:00:00Z');
const SECONDS = LOGIN / 1_000;
const DAY = 86_400;

test('move into the past, by a day to two months', () => {
  const shifts = Array.from({ length: 3_000 }, () => SECONDS - new Moments(LOGIN).moved(SECONDS));
  for (const shift of shifts) expect(Number.isInteger(shift)).toBe(true);
  expect(Math.min(...shifts)).toBeGreaterThanOrEqual(DAY);
  expect(Math.max(...shifts)).toBeLessThan(61 * DAY);
  expect(Math.max(...shifts)).toBeGreaterThan(50 * DAY);
});

describe('a date-time', () => {
  test.each([
    ['2026-11-21T10:00:00Z', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
    ['2026-11-21t10:00:00.1234567+02:00', /^\d{4}-\d\d-\d\dt\d\d:\d\d:\d\d\.1234567\+02:00$/],
    [' 2026-11-21T10:00:00 ', /^ \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d $/],
  ])('%s keeps its form', (text, form) => {
    const moments = new Moments(LOGIN);
    const moved = moments.movedText(text) ?? '';
    expect(moved).toMatch(form);
    const local = (one: string) => Date.parse(`${one.trim().slice(0, 19).toUpperCase()}Z`);
    expect(local(moved) - local(text)).toBe((moments.moved(0) - 0) * 1_000);
  });

  test.each(['', 'yesterday', '2026-11-21', '2026-02-30T10:00:00Z'])('%j is none', (text) => {
    expect(new Moments(LOGIN).movedText(text)).toBeNull();
  });
});

describe('of this login', () => {
  test.each<[number, boolean]>([
    [SECONDS, true],
    [SECONDS + DAY, true],
    [SECONDS - DAY, true],
    [SECONDS + DAY + 1, false],
    [SECONDS - DAY - 1, false],
    [0, false],
  ])('%i: %p', (seconds, expected) => {
    expect(new Moments(LOGIN).isNear(seconds)).toBe(expected);
    expect(new Moments(LOGIN).isNearText(` ${new Date(seconds * 1_000).toISOString()} `)).toBe(expected);
  });

  test('is none where the event does not say when it was', () => {
    expect(new Moments(null).isNear(SECONDS)).toBe(false);
    expect(new Moments(null).isNear(0)).toBe(false);
    expect(new Moments(LOGIN).isNearText('now')).toBe(false);
  });
});

test('an earlier time is the same for the same seconds, and before the login', () => {
  for (const [moment, from] of [
    [LOGIN + 500, SECONDS],
    [null, Math.floor(Date.now() / 1_000)],
  ] as const) {
    const moments = new Moments(moment);
    const ages = Array.from({ length: 2_000 }, (_, index) => moments.moved(from) - moments.earlier(index));
    for (const age of ages) expect(Number.isInteger(age)).toBe(true);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(DAY - 2);
    expect(Math.max(...ages)).toBeLessThanOrEqual(700 * DAY);
    expect(Math.max(...ages)).toBeGreaterThan(600 * DAY);
    expect(moments.earlier(7)).toBe(moments.earlier(7));
    expect(moments.earlier(7)).not.toBe(moments.earlier(8));
  }
});
