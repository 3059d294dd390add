import { withinDeadline } from '../deadline.ts';
import { LoginError, LookUpFailed, SecretFailed } from '../errors.ts';
import type { LoginFunction } from './coldStart.ts';
import type { LoginHandler } from './handlerModule.ts';
import type { LoginContext } from './login.ts';

/**
 * The handler as Middy calls it: the operator's function gets the event alone, inside the login's deadline. What it returns
 * after the deadline is dropped; its abort signal tells it to stop.
 *
 * @throws {LoginError} `handler_timed_out` after `HANDLER_TIMEOUT_MS`, or 500 ms before the invocation itself would time out;
 *   `handler_threw` with what the handler threw as its cause
 */
export function runHandler({ handler, handlerSource }: Pick<LoginFunction, 'handler' | 'handlerSource'>) {
  // Never called: `requireReady` has answered the login.
  if (typeof handler !== 'function') return refuse(handler);
  return handlerSource === 'default' ? callAtOnce(handler) : callInTime(handler);
}

function refuse(failure: LoginError) {
  return () => {
    throw failure;
  };
}

/** The default handlers wait for nothing: no timer, no promise, and at cold start no storage for what is waited for. */
function callAtOnce(handler: LoginHandler) {
  return (event: unknown): unknown => {
    try {
      return handler(event);
    } catch (cause) {
      throw new LoginError('handler_threw', {}, { cause });
    }
  };
}

function callInTime(handler: LoginHandler) {
  return async (event: unknown, { login: { invocation } }: LoginContext): Promise<unknown> => {
    const timedOut = () => new LoginError('handler_timed_out');
    const hadTime = invocation.remainingMs() > 0;
    const response = await withinDeadline(invocation, () => call(handler, event), timedOut);
    // A handler that kept the process busy returns before the timer is heard, but not in time.
    if (hadTime && invocation.remainingMs() === 0) throw timedOut();
    return response;
  };
}

/** What is thrown here is the handler's: it may be anything, and only the log looks at it. */
async function call(handler: LoginHandler, event: unknown): Promise<unknown> {
  try {
    return await handler(event);
  } catch (cause) {
    if (cause instanceof LookUpFailed || cause instanceof SecretFailed) throw cause;
    throw new LoginError('handler_threw', {}, { cause });
  }
}
