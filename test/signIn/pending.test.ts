import { describe, expect, jest, test } from '@jest/globals';
import { Pending } from '../../tools/signIn/pending.ts';

describe('A state', () => {
  test('gives what waits with it, once', () => {
    const states = new Pending<string>();
    const state = states.put('first');
    const other = states.put('second');
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(other).not.toBe(state);
    expect(states.take(state)).toBe('first');
    expect(states.take(state)).toBeNull();
    expect(states.take(other)).toBe('second');
  });

  test.each(['', 'unknown', '__proto__', 'constructor'])(
    'that was never given, %j, gives nothing',
    (state) => {
      expect(new Pending<string>().take(state)).toBeNull();
    },
  );

  test('is valid for ten minutes, and no longer', () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    const states = new Pending<string>();
    const [one, other] = [states.put('one'), states.put('other')];
    clock.mockReturnValue(599_999);
    expect(states.take(one)).toBe('one');
    clock.mockReturnValue(600_000);
    expect(states.take(other)).toBeNull();
    clock.mockRestore();
  });

  test('is forgotten where newer ones take all places', () => {
    const states = new Pending<number>(3);
    const all = [0, 1, 2, 3].map((value) => states.put(value));
    expect(all.map((state) => states.take(state))).toEqual([null, 1, 2, 3]);
  });

  test('that is taken leaves its place to a newer one', () => {
    const states = new Pending<number>(2);
    const [first, second] = [states.put(1), states.put(2)];
    states.take(second);
    states.put(3);
    expect(states.take(first)).toBe(1);
  });
});
