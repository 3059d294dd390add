import { withinDeadline } from '../deadline.ts';
import { LoginError, LookUpFailed, SecretFailed } from '../errors.ts';
import type { LoginFunction } from './coldStart.ts';
import type { LoginHandler } from './customHandler.ts';
import { handlerOf } from './requireHandler.ts';
import type { Step } from './step.ts';

/**
 * Calls the handler with the event alone, inside the login's deadline. What it answers after the deadline is
 * dropped; its abort signal tells it to stop. The chain's last step, and so the first on the way back.
 *
 * @throws {LoginError} `handler_timed_out` after `HANDLER_TIMEOUT_MS`, or 500 ms before the invocation itself would time out
 * @throws {LoginError} `handler_threw` with what the handler threw as its cause
 */
export function runHandler(fn: LoginFunction): Step {
  if (fn.isDefault) return runAtOnce(fn);
  return {
    async after(request) {
      const handler = handlerOf(fn);
      const { invocation } = request.internal;
      const hadTime = invocation.remainingMs() > 0;
      const run = () => call(handler, request.event);
      request.response = await withinDeadline(invocation, run, () => new LoginError('handler_timed_out'));
      // A handler that kept the process busy answers before the timer is heard, but not in time.
      if (hadTime && invocation.remainingMs() === 0) throw new LoginError('handler_timed_out');
    },
  };
}

/** The default handlers wait for nothing: no timer, no promise, and at cold start no storage for what is waited for. */
function runAtOnce(fn: LoginFunction): Step {
  return {
    after(request) {
      const handler = handlerOf(fn);
      try {
        request.response = handler(request.event);
      } catch (error) {
        throw new LoginError('handler_threw', {}, { cause: error });
      }
    },
  };
}

/** What is thrown here is the handler's; it may be anything, and is looked at by nobody but the log. */
async function call(handler: LoginHandler, event: unknown): Promise<unknown> {
  try {
    return await handler(event);
  } catch (error) {
    throw error instanceof LookUpFailed || error instanceof SecretFailed
      ? error
      : new LoginError('handler_threw', {}, { cause: error });
  }
}
