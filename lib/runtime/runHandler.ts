import type { LoginFunction } from './coldStart.ts';
import { HandlerThrew, HandlerTimedOut, isA, type LoginError, OutsideSystemFailed } from './errors.ts';
import { withinDeadline } from './invocation.ts';
import type { Step } from './step.ts';

/** A function of exactly one argument, the event. */
export type LoginHandler = (event: unknown) => unknown;

/**
 * Calls the handler with the event alone, inside the login's deadline. What it answers after the deadline is
 * dropped; its abort signal tells it to stop. The chain's last step, and so the first on the way back.
 *
 * @throws {HandlerTimedOut} after `HANDLER_TIMEOUT_MS`, or 500 ms before the invocation itself would time out
 * @throws {HandlerThrew} with what the handler threw as its cause
 */
export function runHandler({ handler, isDefault }: LoginFunction): Step {
  if (typeof handler !== 'function') return refuse(handler);
  if (isDefault) return runAtOnce(handler);
  return {
    async after(request) {
      const { invocation } = request.internal;
      const hadTime = invocation.remainingMs() > 0;
      const run = () => call(handler, request.event);
      request.response = await withinDeadline(invocation, run, () => new HandlerTimedOut());
      // A handler that kept the process busy answers before the timer is heard, but not in time.
      if (hadTime && invocation.remainingMs() === 0) throw new HandlerTimedOut();
    },
  };
}

/** No login gets as far as this: `requireHandler` refuses it before. */
function refuse(error: LoginError): Step {
  return {
    after() {
      throw error;
    },
  };
}

/** The default handlers wait for nothing: no timer, no promise, and at cold start no storage for what is waited for. */
function runAtOnce(handler: LoginHandler): Step {
  return {
    after(request) {
      try {
        request.response = handler(request.event);
      } catch (error) {
        throw new HandlerThrew(error);
      }
    },
  };
}

/** What is thrown here is the handler's; it may be anything, and is looked at by nobody but the log. */
async function call(handler: LoginHandler, event: unknown): Promise<unknown> {
  try {
    return await handler(event);
  } catch (error) {
    throw isA(OutsideSystemFailed, error) ? error : new HandlerThrew(error);
  }
}
