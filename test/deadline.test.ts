import { expect, test } from '@jest/globals';
import {
  abortSignal,
  currentInvocation,
  Invocation,
  remainingMs,
  runInInvocation,
  runOutsideInvocations,
} from '../lib/deadline.ts';

const invocation = (ms: number, timeoutMs: number | null = null) =>
  new Invocation({ awsRequestId: String(ms), getRemainingTimeInMillis: () => ms }, timeoutMs);
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

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
