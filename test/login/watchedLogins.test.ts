import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { WatchedLogins } from '../../lib/login/watchedLogins.ts';

const ID = '5a1e0f3c-1b2d-4c3e-8f4a-123456789abc';
const DEADLINE_MS = 20;

let now = 1_000;
beforeEach(() => {
  jest.spyOn(process.hrtime, 'bigint').mockImplementation(() => BigInt(now) * 1_000_000n);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** What the watchdog sees of the same memory. */
const seen = ({ memory }: WatchedLogins) => new WatchedLogins(memory).state();

test('a thread without logins is never late, and its silence counts from when it last yielded', () => {
  const logins = WatchedLogins.of(2);
  now += DEADLINE_MS;
  expect(seen(logins)).toEqual({ silentMs: DEADLINE_MS, lateMs: 0, requestIds: [] });
  logins.yielded();
  expect(seen(logins).silentMs).toBe(0);
});

test('logins are named until they end; the first deadline that passes makes the thread late', () => {
  const logins = WatchedLogins.of(3);
  const end = logins.begin(ID, DEADLINE_MS);
  logins.begin('second', 60_000);
  expect(seen(logins)).toMatchObject({ lateMs: 0, requestIds: [ID, 'second'] });
  now += DEADLINE_MS + 5;
  expect(seen(logins).lateMs).toBe(5);
  end();
  expect(seen(logins)).toMatchObject({ lateMs: 0, requestIds: ['second'] });
});

test('a thread that yields after a deadline is not late: the login ends by itself', () => {
  const logins = WatchedLogins.of(1);
  logins.begin(ID, DEADLINE_MS);
  now += DEADLINE_MS + 5;
  logins.yielded();
  expect(seen(logins)).toMatchObject({ lateMs: 0, requestIds: [] });
});

test('an entry that is free serves the next login; one login too many is not watched', () => {
  const logins = WatchedLogins.of(2);
  const end = logins.begin('a longer request id of before', 60_000);
  logins.begin('second', 60_000);
  const endUnwatched = logins.begin('third', 60_000);
  endUnwatched();
  end();
  logins.begin('fourth', 60_000);
  expect(seen(logins).requestIds).toEqual(['fourth', 'second']);
});

test('a login that ended already ends no other login', () => {
  const logins = WatchedLogins.of(1);
  const end = logins.begin('first', 60_000);
  end();
  logins.begin('second', 30_000);
  end();
  expect(seen(logins).requestIds).toEqual(['second']);
});

test('a request id has 56 characters, and leaves those of others as they are', () => {
  const logins = WatchedLogins.of(3);
  for (const letter of ['x', 'é', 'z']) logins.begin(letter.repeat(100), 60_000);
  expect(seen(logins).requestIds).toEqual(['x', 'é', 'z'].map((letter) => letter.repeat(56)));
  const one = WatchedLogins.of(2);
  one.begin('x'.repeat(100), 60_000);
  expect(seen(one).requestIds).toEqual(['x'.repeat(56)]);
});
