import { describe, expect, jest, test } from '@jest/globals';
import { MAX_WAITING, Pending } from '../../tools/signIn/callback.ts';

describe('A state', () => {
  test('is valid for ten minutes, and no longer', () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
    const pending = new Pending<string>();
    const [one, other] = [pending.put('one'), pending.put('other')];
    clock.mockReturnValue(599_999);
    expect(pending.take(one)).toBe('one');
    clock.mockReturnValue(600_000);
    expect(pending.take(other)).toBeNull();
    clock.mockRestore();
  });

  test('is forgotten where newer ones take all places, and one that is taken leaves its own', () => {
    const pending = new Pending<number>();
    const all = Array.from({ length: MAX_WAITING + 1 }, (_, value) => pending.put(value));
    expect(all.slice(0, 3).map((state) => pending.take(state))).toEqual([null, 1, 2]);
    const [third = '', fourth = ''] = all.slice(3);
    for (const value of [101, 102]) pending.put(value);
    pending.take(fourth);
    pending.put(103);
    expect(pending.take(third)).toBe(3);
  });
});
