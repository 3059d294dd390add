/** How the operator's function is called, and what its failures are to the login. */
import { describe, expect, test } from '@jest/globals';
import { abortSignal, currentInvocation } from '../../lib/invocation.ts';
import { runHandler } from '../../lib/login/runHandler.ts';
import type { LoginFunction } from '../../lib/login/start.ts';
import { LoginError } from '../../lib/reasons.ts';
import { loginThrough } from '../support/oneLogin.ts';

type Options = Parameters<typeof loginThrough>[2];

function called(fn: Partial<LoginFunction>, options: Options = {}) {
  const ready = { isDefaultHandler: false, handler: null, failure: null, ...fn };
  return loginThrough([], { a: 1 }, { ...options, handler: runHandler(ready as LoginFunction) });
}

const throws = () => {
  throw 'x';
};
const busyFor = (ms: number) => {
  const end = Date.now() + ms;
  while (Date.now() < end);
};

describe.each([true, false])('the handler, default: %p', (isDefaultHandler) => {
  test('gets the event alone', async () => {
    const handler = (...all: unknown[]) => all;
    expect((await called({ isDefaultHandler, handler })).response).toEqual([{ a: 1 }]);
  });

  test('that throws is the cause', async () => {
    const cause = new Error('x');
    const handler = () => {
      throw cause;
    };
    const { error } = await called({ isDefaultHandler, handler });
    expect(error).toMatchObject({ code: 'handler_threw', details: {} });
    expect(error?.cause).toBe(cause);
  });
});

test('a default handler is called at once, outside of any deadline', async () => {
  const handler = () => currentInvocation() ?? 'none';
  expect((await called({ isDefaultHandler: true, handler })).response).toBe('none');
});

test('a login whose handler could not be loaded ends with the reason', async () => {
  const failure = new LoginError('handler_not_loaded');
  expect((await called({ handler: null, failure })).error).toBe(failure);
});

describe('an operator’s handler', () => {
  test('runs in its login, whose signal tells it to stop', async () => {
    let signal: AbortSignal | undefined;
    const handler = () => {
      signal = abortSignal();
      return new Promise(() => {});
    };
    const { error, login } = await called({ handler }, { handlerTimeoutMs: 20 });
    expect(error).toMatchObject({ code: 'handler_timed_out' });
    expect(signal?.reason).toBe(error);
    expect(login.invocation.signal).toBe(signal);
  });

  test('that blocks the process beyond its time is late, whatever it returns', async () => {
    const { error } = await called({ handler: () => busyFor(30) }, { handlerTimeoutMs: 20 });
    expect(error).toMatchObject({ code: 'handler_timed_out' });
  });

  test('that is called without time is answered by its deadline, and is not late where it settles first', async () => {
    const { response } = await called({ handler: () => 'at once' }, { invocationMs: 500 });
    expect(response).toBe('at once');
  });

  test('that throws an error of a look-up ends with its reason, and without its cause', async () => {
    const handler = () => {
      throw new LoginError('lookup_status', { host: 'people.example' }, { cause: 'SECRET' });
    };
    const { error } = await called({ handler });
    expect(error).toMatchObject({ code: 'lookup_status', details: { host: 'people.example' } });
    expect(error?.cause).toBeUndefined();
  });

  test.each<[string, () => unknown]>([
    ['rejects', () => Promise.reject('x')],
    ['has a then that throws', () => Object.defineProperty({}, 'then', { get: throws })],
  ])('that %s has thrown', async (_, handler) => {
    expect((await called({ handler })).error).toMatchObject({ code: 'handler_threw', cause: 'x' });
  });
});
