/** How the operator's function is called, and what its failures are to the login. */
import { describe, expect, test } from '@jest/globals';
import { abortSignal, currentInvocation } from '../../lib/invocation.ts';
import { runHandler } from '../../lib/login/runHandler.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import { LoginError } from '../../lib/reasons.ts';
import { loginThrough, startedFunction } from '../support/oneLogin.ts';

type Handler = (event: unknown, ...more: unknown[]) => unknown;

/** One login by this handler. */
function called(handler: Handler, isDefault = false, options: Parameters<typeof loginThrough>[2] = {}) {
  const kind = { ...OPENID, ...(isDefault && { defaultHandler: handler as never }) };
  const run = runHandler(startedFunction({ kind, handler }));
  return loginThrough([], { a: 1 }, { ...options, handler: run });
}

const throwing = (thrown: unknown) => () => {
  throw thrown;
};
const busyFor = (ms: number) => {
  const end = Date.now() + ms;
  while (Date.now() < end);
};

describe.each([true, false])('the handler, default: %p', (isDefault) => {
  test('gets the event alone', async () => {
    expect((await called((...all) => all, isDefault)).response).toEqual([{ a: 1 }]);
  });

  test('that throws is the cause', async () => {
    const cause = new Error('x');
    const { error } = await called(throwing(cause), isDefault);
    expect(error).toMatchObject({ code: 'handler_threw', details: {} });
    expect(error?.cause).toBe(cause);
  });
});

test('a default handler is called at once, outside of any deadline', async () => {
  expect((await called(() => currentInvocation() ?? 'none', true)).response).toBe('none');
});

describe('an operator’s handler', () => {
  test('runs in its login, whose signal tells it to stop', async () => {
    let signal: AbortSignal | undefined;
    const hanging = () => {
      signal = abortSignal();
      return new Promise(() => {});
    };
    const { error, login } = await called(hanging, false, { handlerTimeoutMs: 20 });
    expect(error).toMatchObject({ code: 'handler_timed_out' });
    expect(signal?.reason).toBe(error);
    expect(login.invocation.signal).toBe(signal);
  });

  test('that blocks the process beyond its time is late, whatever it returns', async () => {
    const { error } = await called(() => busyFor(30), false, { handlerTimeoutMs: 20 });
    expect(error).toMatchObject({ code: 'handler_timed_out' });
  });

  test('that is called without time is not late where it settles first', async () => {
    expect((await called(() => 'at once', false, { invocationMs: 500 })).response).toBe('at once');
  });

  test('that throws an error of a look-up ends with its reason, and without its cause', async () => {
    const failed = new LoginError('lookup_status', { host: 'people.example' }, { cause: 'SECRET' });
    const { error } = await called(throwing(failed));
    expect(error).toMatchObject({ code: 'lookup_status', details: { host: 'people.example' } });
    expect(error?.cause).toBeUndefined();
  });

  test('that rejects has thrown', async () => {
    const { error } = await called(() => Promise.reject('x'));
    expect(error).toMatchObject({ code: 'handler_threw', cause: 'x' });
  });
});
