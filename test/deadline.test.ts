import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import {
  abortSignal,
  currentInvocation,
  Invocation,
  isInShadow,
  nowMs,
  remainingMs,
  runInInvocation,
  runInShadow,
  runOutsideInvocations,
  withinDeadline,
  withTimeout,
} from '../lib/deadline.ts';

const invocation = (ms: number, timeoutMs: number | null = null) =>
  new Invocation({ awsRequestId: String(ms), getRemainingTimeInMillis: () => ms }, timeoutMs);
const pause = () => sleep(5);

test('before the first login, nothing runs in one', () => {
  expect([currentInvocation(), isInShadow(), remainingMs(), abortSignal().aborted]).toEqual([
    undefined,
    false,
    Number.POSITIVE_INFINITY,
    false,
  ]);
  expect(runOutsideInvocations(() => 'shared')).toBe('shared');
});

test.each([
  [2_000, null, 1_500],
  [2_000, 700, 700],
  [2_000, 9_000, 1_500],
  [400, null, 0],
])('of %i ms that are left, and with a time-out of %p, the handler has %i', (ms, timeoutMs, expected) => {
  const left = invocation(ms, timeoutMs).remainingMs();
  expect(left).toBeLessThanOrEqual(expected);
  expect(left).toBeGreaterThan(expected - 50);
});

test('logins that run at the same time stay apart', async () => {
  const seen = await Promise.all(
    [1_000, 2_000, 3_000].map((ms) =>
      runInInvocation(invocation(ms), async () => {
        await pause();
        const signal = abortSignal();
        if (ms === 2_000) currentInvocation()?.abort(new Error('over'));
        await pause();
        return [
          currentInvocation()?.requestId,
          remainingMs() < ms,
          remainingMs() > ms - 1_000,
          signal.aborted,
        ];
      }),
    ),
  );
  expect(seen).toEqual([
    ['1000', true, true, false],
    ['2000', true, true, true],
    ['3000', true, true, false],
  ]);
});

test('outside a login there is no deadline', () => {
  const outside = () => [remainingMs(), abortSignal().aborted];
  expect(outside()).toEqual([Number.POSITIVE_INFINITY, false]);
  expect(runInInvocation(invocation(1_000), () => runOutsideInvocations(outside))).toEqual([
    Number.POSITIVE_INFINITY,
    false,
  ]);
});

describe('a time-out', () => {
  const late = () => new Error('late');

  test.each<[string, () => Promise<unknown>, unknown]>([
    ['the value in time', async () => 'value', 'value'],
    ['the error in time', () => Promise.reject('refused'), 'refused'],
    ['the error of the time-out', () => new Promise(() => {}), late()],
    ['the error of the time-out, and drops what comes later', () => sleep(30, 'value'), late()],
  ])('gives %s', async (_, start, expected) => {
    expect(await withTimeout(10, start, late).catch((error) => error)).toEqual(expected);
  });

  test('keeps no process alive once it is over', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await withTimeout(60_000, async () => 'value', late);
    await withTimeout(60_000, () => Promise.reject('refused'), late).catch(() => {});
    expect(timers()).toBe(before);
  });

  test('runs from before its start', async () => {
    const blocking = async () => {
      const end = Date.now() + 20;
      while (Date.now() < end);
      await sleep(5);
    };
    await expect(withTimeout(10, blocking, late)).rejects.toEqual(late());
  });
});

test('the clock goes forward in milliseconds', async () => {
  const start = nowMs();
  await sleep(20);
  const passed = nowMs() - start;
  expect(passed).toBeGreaterThan(15);
  expect(passed).toBeLessThan(5_000);
});

test('an invocation without a context has half a minute, and no id', () => {
  const { requestId, isShadow, isOver, missing } = new Invocation({}, null);
  expect({ requestId, isShadow, isOver, missing }).toEqual({
    requestId: 'none',
    isShadow: false,
    isOver: false,
    missing: null,
  });
  expect(Math.round(new Invocation({}, null).remainingMs() / 100)).toBe(295);
});

test('a deadline that has passed leaves nothing', async () => {
  const running = invocation(2_000, 5);
  await sleep(15);
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
      return new Promise(() => {});
    };
    const error = await withinDeadline(running, run, expire).catch((thrown) => thrown);
    expect(error).toEqual(expire());
    expect(signal?.reason).toBe(error);
  });

  test('who asks for the signal later gets one that is aborted', async () => {
    const running = invocation(2_000, 10);
    const error = await withinDeadline(running, () => new Promise(() => {}), expire).catch(
      (thrown) => thrown,
    );
    expect(running.signal.reason).toBe(error);
    expect(running.signal).toBe(running.signal);
  });
});

describe('a request that several logins share', () => {
  const shadow = new Invocation({ awsRequestId: 's' }, 1_000, { isShadow: true });
  const place = () => [currentInvocation()?.requestId, isInShadow(), remainingMs() === Infinity];

  test.each<[string, Invocation, unknown[], unknown[]]>([
    ['a login', invocation(2_000), ['2000', false, false], [undefined, false, true]],
    ['a shadow', shadow, ['s', true, false], [undefined, true, true]],
  ])(
    'belongs to no login, and stays a shadow’s where a shadow began it: %s',
    (_, running, inside, outside) => {
      expect(runInInvocation(running, place)).toEqual(inside);
      expect(runInInvocation(running, () => runOutsideInvocations(place))).toEqual(outside);
    },
  );

  test('belongs to a shadow whose module is loading', () => {
    expect(runInShadow(place)).toEqual([undefined, true, true]);
  });

  test('outside of a login, none is there', () => {
    expect(place()).toEqual([undefined, false, true]);
    expect(runOutsideInvocations(place)).toEqual([undefined, false, true]);
  });
});
