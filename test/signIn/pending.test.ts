import { setTimeout } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { MAX_WAITING, Pending } from '../../tools/signIn/callback.ts';

/** The cache looks at the clock once in a millisecond. */
const LOOKED_AT_MS = 5;

describe('A state', () => {
  test('gives what waits with it, once', () => {
    const pending = new Pending<{ of: string }>();
    const [state, other] = [pending.put({ of: 'first' }), pending.put({ of: 'second' })];
    expect(state).toMatch(/^[\w-]{43}$/);
    expect(other).not.toBe(state);
    expect([state, state, other].map((one) => pending.take(one)?.of)).toEqual(['first', undefined, 'second']);
  });

  test.each(['', 'unknown', '__proto__', 'constructor'])(
    'that was never given, %j, gives nothing',
    (state) => {
      expect(new Pending<{ of: string }>().take(state)).toBeNull();
    },
  );

  test('is valid for ten minutes, and no longer', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1);
    const pending = new Pending<{ of: string }>();
    const [one, other] = [pending.put({ of: 'one' }), pending.put({ of: 'other' })];
    clock.mockReturnValue(600_000);
    await setTimeout(LOOKED_AT_MS);
    expect(pending.take(one)?.of).toBe('one');
    clock.mockReturnValue(600_002);
    await setTimeout(LOOKED_AT_MS);
    expect(pending.take(other)).toBeNull();
    clock.mockRestore();
  });

  test('is forgotten where newer ones take all places, and one that is taken leaves its own', () => {
    const pending = new Pending<{ of: number }>();
    const all = Array.from({ length: MAX_WAITING + 1 }, (_, of) => pending.put({ of }));
    expect(all.slice(0, 3).map((state) => pending.take(state)?.of)).toEqual([undefined, 1, 2]);
    const [third = '', fourth = ''] = all.slice(3);
    pending.put({ of: 101 });
    pending.put({ of: 102 });
    pending.take(fourth);
    pending.put({ of: 103 });
    expect(pending.take(third)?.of).toBe(3);
  });
});
