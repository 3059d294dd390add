import { withinDeadline } from '../invocation.ts';
import { LoginError } from '../reasons.ts';
import type { LoginHandler } from './handlerModule.ts';
import type { LoginContext, StartedFunction } from './login.ts';

/**
 * The handler as Middy calls it: the operator's function gets only the event, inside the login's deadline. What it returns
 * after the deadline is dropped; its abort signal tells it to stop.
 *
 * @throws {LoginError} `handler_timed_out` at the login's deadline; the reason of a look-up or a secret that failed, as the
 *   handler threw it; `handler_threw` with anything else as its cause
 */
export function runHandler<TEvent>({ kind, handler }: StartedFunction<TEvent>) {
  return handler === kind.defaultHandler ? callAtOnce(handler) : callInTime(handler);
}

/** The default handlers are synchronous: they need no timer, no promise and no `AsyncLocalStorage`. */
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
  const timedOut = () => new LoginError('handler_timed_out');
  return async (event: unknown, { login: { invocation } }: LoginContext): Promise<unknown> => {
    const hadTime = invocation.remainingMs() > 0;
    const response = await withinDeadline(invocation, () => call(handler, event), timedOut);
    // A handler that blocked the event loop settles before the timer fires, and is late all the same.
    if (hadTime && invocation.remainingMs() === 0) throw timedOut();
    return response;
  };
}

/** Of an error of a look-up or a secret, the reason counts: the handler may have given it another cause. */
async function call(handler: LoginHandler, event: unknown): Promise<unknown> {
  try {
    return await handler(event);
  } catch (cause) {
    if (cause instanceof LoginError) throw new LoginError(cause.code, cause.details);
    throw new LoginError('handler_threw', {}, { cause });
  }
}
