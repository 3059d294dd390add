/** One login through middleware, in the process of the test. */
import middy from '@middy/core';
import { createLog } from '../../lib/login/log.ts';
import type { LoginContext, Middleware, StartedFunction } from '../../lib/login/login.ts';
import { recordLogin } from '../../lib/login/loginRecord.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import type { LoginError } from '../../lib/reasons.ts';

interface OneLoginOptions {
  handler?: (event: unknown, context: LoginContext) => unknown;
  /** For how long the invocation runs, in milliseconds. */
  invocationMs?: number;
  handlerTimeoutMs?: number | null;
}

const { settings } = readConfiguration('OpenID', {});

/** A function that is ready, and writes no record. */
export function startedFunction<TEvent = never>(
  parts: Partial<StartedFunction<TEvent>> = {},
): StartedFunction<TEvent> {
  return {
    kind: OPENID as never,
    name: 'openidLoggedIn',
    settings,
    log: createLog({ level: 'FATAL', isJson: false }),
    handlerSource: 'handlers/staff',
    handler: () => ({}),
    callerCheck: [],
    loginCheck: null,
    failure: null,
    ...parts,
  };
}

export async function loginThrough(
  middleware: readonly Middleware[],
  event: unknown,
  { handler = () => 'a response', invocationMs = 30_000, handlerTimeoutMs = null }: OneLoginOptions = {},
) {
  /** What the handler was called with; empty where it was not called. */
  const events: unknown[] = [];
  const given = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => invocationMs } as LoginContext;
  const begin = recordLogin(startedFunction({ settings: { ...settings, handlerTimeoutMs } }));
  const run = middy({ timeoutEarlyInMillis: 0 })
    .use([begin, ...middleware])
    .handler(async (input: unknown, context: LoginContext) => {
      events.push(input);
      return handler(input, context);
    });
  const running = run(event, given, {} as never) as Promise<unknown>;
  const [response, error] = await running.then(
    (answer): [unknown, null] => [answer, null],
    (thrown): [undefined, LoginError] => [undefined, thrown],
  );
  /** `error` is why the login ended without a response; null where it has one. */
  return { events, response, error, login: given.login };
}
