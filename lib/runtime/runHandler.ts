import type { Context } from 'aws-lambda';
import type { LoginFunction } from './coldStart.ts';
import { HandlerThrew, HandlerTimedOut } from './errors.ts';
import { Invocation, runInInvocation } from './invocation.ts';

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
    const deadline = expiry(invocation);
    try {
      return await Promise.race([runInInvocation(invocation, () => handler(event)), deadline.passed]);
    } catch (error) {
      throw error === deadline.error ? error : new HandlerThrew(error);
    } finally {
      deadline.clear();
    }
  };
}

function expiry(invocation: Invocation) {
  const error = new HandlerTimedOut();
  let timer: NodeJS.Timeout;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      invocation.abort(error);
      reject(error);
    }, invocation.remainingMs());
  });
  return { error, passed, clear: () => clearTimeout(timer) };
}
