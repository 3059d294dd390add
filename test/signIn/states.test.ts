import { describe, expect, test } from '@jest/globals';
import { States } from '../../tools/signIn/states.ts';

describe('A state', () => {
  test('gives what waits with it, once', () => {
    const states = new States<string>();
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
      expect(new States<string>().take(state)).toBeNull();
    },
  );

  test('is valid for ten minutes, and no longer', () => {
    let now = 0;
    const states = new States<string>({ now: () => now });
    const [one, other] = [states.put('one'), states.put('other')];
    now = 599_999;
    expect(states.take(one)).toBe('one');
    now = 600_000;
    expect(states.take(other)).toBeNull();
  });

  test('is forgotten where newer ones take all places', () => {
    const states = new States<number>({ max: 3 });
    const all = [0, 1, 2, 3].map((value) => states.put(value));
    expect(all.map((state) => states.take(state))).toEqual([null, 1, 2, 3]);
  });

  test('that is taken leaves its place to a newer one', () => {
    const states = new States<number>({ max: 2 });
    const [first, second] = [states.put(1), states.put(2)];
    states.take(second);
    states.put(3);
    expect(states.take(first)).toBe(1);
  });
});
