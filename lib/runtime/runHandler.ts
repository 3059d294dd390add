import type { Context } from 'aws-lambda';
import type { LoginFunction } from './coldStart.ts';
import { HandlerThrew, HandlerTimedOut, isA, OutsideSystemFailed } from './errors.ts';
import { Invocation, runInInvocation } from './invocation.ts';
import { within } from './within.ts';

/** A function of exactly one argument, the event. */
export type LoginHandler = (event: unknown) => unknown;

/**
 * Calls the handler with the event alone, inside the login's deadline. What it answers after the deadline is
 * dropped; its abort signal tells it to stop.
 *
 * @throws {HandlerTimedOut} after `HANDLER_TIMEOUT_MS`, or 500 ms before the invocation itself would time out
 * @throws {HandlerThrew} with what the handler threw as its cause
 */
export function runHandler({ handler, settings }: LoginFunction) {
  return async (event: unknown, context: Context): Promise<unknown> => {
    if (typeof handler !== 'function') throw handler;
    const invocation = new Invocation(context, settings.handlerTimeoutMs);
    const hadTime = invocation.remainingMs() > 0;
    // The error is made when the time is up, not before: its stack would cost a fifth of a login.
    const expire = () => {
      const error = new HandlerTimedOut();
      invocation.abort(error);
      return error;
    };
    const start = () => runInInvocation(invocation, () => call(handler, event));
    try {
      const answer = await within(invocation.remainingMs(), start, expire);
      // A handler that kept the process busy answers before the timer is heard, but not in time.
      if (hadTime && invocation.remainingMs() === 0) throw new HandlerTimedOut();
      return answer;
    } finally {
      invocation.isOver = true;
    }
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
