/** One login through middleware, in the process of the test. */
import middy, { type MiddlewareObj } from '@middy/core';
import {
  beginLogin,
  type Login,
  type LoginContext,
  type Middleware,
  NO_EARLY_TIMEOUT,
} from '../../lib/login/login.ts';
import type { LoginError } from '../../lib/reasons.ts';

interface OneLoginOptions {
  handler?: (event: unknown, context: LoginContext) => unknown;
  /** For how long the invocation runs, in milliseconds. */
  invocationMs?: number;
  handlerTimeoutMs?: number | null;
  requestId?: string;
}

interface OneLogin {
  /** What the handler was called with; empty where it was not called. */
  events: unknown[];
  response: unknown;
  /** Why the login ended without a response; null where it has one. */
  error: LoginError | null;
  login: Login;
}

export async function loginThrough(
  middleware: readonly Middleware[],
  event: unknown,
  {
    handler = () => 'a response',
    invocationMs = 30_000,
    handlerTimeoutMs = null,
    requestId = 'request-1',
  }: OneLoginOptions = {},
): Promise<OneLogin> {
  const events: unknown[] = [];
  const given = { awsRequestId: requestId, getRemainingTimeInMillis: () => invocationMs } as LoginContext;
  const run = middy<unknown, unknown, Error, LoginContext>(NO_EARLY_TIMEOUT)
    .use([beginLogin({ handlerTimeoutMs }), ...middleware] as MiddlewareObj<
      unknown,
      unknown,
      Error,
      LoginContext
    >[])
    .handler(async (input, context) => {
      events.push(input);
      return handler(input, context);
    });
  const [response, error] = await (run(event, given, {} as never) as Promise<unknown>).then(
    (answer) => [answer, null],
    (thrown) => [undefined, thrown],
  );
  return { events, response, error, login: given.login };
}
