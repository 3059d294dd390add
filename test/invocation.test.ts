import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  abortSignal,
  currentInvocation,
  Invocation,
  nowMs,
  remainingMs,
  runInInvocation,
  runOutsideInvocations,
  withinDeadline,
  withTimeout,
} from '../lib/invocation.ts';
import { fakeTimeouts } from './support/timeouts.ts';

const invocation = (ms: number, timeoutMs: number | null = null) =>
  new Invocation({ awsRequestId: String(ms), getRemainingTimeInMillis: () => ms }, timeoutMs);
const never = () => new Promise(() => {});

let uptimeMs = 0;
beforeEach(() => {
  fakeTimeouts();
  jest.spyOn(process, 'uptime').mockImplementation(() => uptimeMs / 1_000);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

/** What the promise brings, or why it fails, after so many milliseconds of the clock and without waiting for more. */
function settled(promise: Promise<unknown>, ms: number): Promise<unknown> {
  jest.advanceTimersByTime(ms);
  return Promise.race([promise.catch((error) => error), setImmediate('unsettled')]);
}

test('before the first login, nothing runs in one', () => {
  expect([currentInvocation(), remainingMs(), abortSignal().aborted]).toEqual([undefined, Infinity, false]);
  expect(runOutsideInvocations(() => 'shared')).toBe('shared');
});

test.each([
  [2_000, null, 1_500],
  [2_000, 700, 700],
  [2_000, 9_000, 1_500],
  [400, null, 0],
])('of %i ms that are left, and with a time-out of %p, the handler has %i', (ms, timeoutMs, expected) => {
  expect(invocation(ms, timeoutMs).remainingMs()).toBe(expected);
});

test('logins that run at the same time stay apart', async () => {
  const seen = await Promise.all(
    [1_000, 2_000, 3_000].map((ms) =>
      runInInvocation(invocation(ms), async () => {
        await null;
        const signal = abortSignal();
        if (ms === 2_000) currentInvocation()?.abort(new Error('over'));
        await null;
        return [currentInvocation()?.requestId, remainingMs(), signal.aborted];
      }),
    ),
  );
  expect(seen).toEqual([
    ['1000', 500, false],
    ['2000', 1_500, true],
    ['3000', 2_500, false],
  ]);
});

describe('a time-out', () => {
  const late = () => new Error('late');

  test.each<[string, () => Promise<unknown>, unknown]>([
    ['the value in time', async () => 'value', 'value'],
    ['the error of the time-out', never, late()],
  ])('gives %s', async (_, start, expected) => {
    expect(await settled(withTimeout(10, start, late), 11)).toEqual(expected);
  });

  test('keeps no process alive once it is over', async () => {
    await withTimeout(60_000, async () => 'value', late);
    await withTimeout(60_000, () => Promise.reject('refused'), late).catch(() => {});
    expect(jest.getTimerCount()).toBe(0);
  });

  test('runs from before its start', async () => {
    const blocking = () => {
      jest.advanceTimersByTime(10);
      return never();
    };
    expect(await settled(withTimeout(10, blocking, late), 0)).toEqual(late());
  });
});

test('the clock counts the milliseconds since the process began', () => {
  uptimeMs = 1_500;
  expect(nowMs()).toBe(1_500);
});

test('an invocation without a context has half a minute, and no id', () => {
  expect(new Invocation({}, null).requestId).toBe('none');
  expect(new Invocation({}, null).remainingMs()).toBe(29_500);
});

test('a deadline that has passed leaves nothing', () => {
  const running = invocation(2_000, 5);
  uptimeMs += 6;
  expect(running.remainingMs()).toBe(0);
});

describe('within a deadline', () => {
  const expire = () => new Error('over');

  test('what runs is part of the invocation', async () => {
    const running = invocation(2_000);
    expect(await withinDeadline(running, async () => currentInvocation(), expire)).toBe(running);
  });

  test('what has not settled is aborted with the error', async () => {
    const running = invocation(2_000, 10);
    let signal: AbortSignal | undefined;
    const run = () => {
      signal = abortSignal();
      return never();
    };
    const error = await settled(withinDeadline(running, run, expire), 10);
    expect(error).toEqual(expire());
    expect(signal?.reason).toBe(error);
  });
});
