/** Where a login begins. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { nowMs } from '../../lib/invocation.ts';
import { beginLogin, type LoginContext } from '../../lib/login/login.ts';
import { loginThrough } from '../support/oneLogin.ts';

test('has the invocation’s id, and the time that it and the operator allow', async () => {
  const clock = jest.spyOn(process, 'uptime').mockReturnValue(8);
  const left = async (handlerTimeoutMs: number | null) => {
    let ms = 0;
    const handler = (_: unknown, { login }: LoginContext) => {
      ms = login.invocation.remainingMs();
    };
    const { login } = await loginThrough(
      [],
      {},
      { handler, invocationMs: 10_000, handlerTimeoutMs, requestId: 'r-7' },
    );
    expect(login.invocation.requestId).toBe('r-7');
    expect(login.startedAt).toBe(nowMs());
    return ms;
  };
  expect([await left(null), await left(3_000)]).toEqual([9_500, 3_000]);
  clock.mockRestore();
});

test('is ended by no time-out but its own', async () => {
  const handler = () => sleep(40, 'late');
  expect((await loginThrough([], {}, { handler, invocationMs: 20 })).response).toBe('late');
});

test('only the first of a process is a cold start', () => {
  const { before } = beginLogin({ handlerTimeoutMs: null });
  const starts = ['a', 'b', 'c'].map((awsRequestId) => {
    const context = { awsRequestId } as LoginContext;
    expect(before?.({ context } as never)).toBeUndefined();
    return context.login.isColdStart;
  });
  expect(starts).toEqual([true, false, false]);
});
