/** The path of a login, from an event to its response: a function of the bundle is this, for one kind of login. */
import middy from '@middy/core';
import type { Kind } from '../profile/kind.ts';
import { configuration } from '../readSettings.ts';
import { checkLogin, readEvent } from './event.ts';
import { httpEnvelope, limitBody, requireJson } from './http.ts';
import type { Guard, StartedFunction } from './login.ts';
import { recordLogin } from './loginRecord.ts';
import { respond } from './respond.ts';
import { runHandler } from './runHandler.ts';
import { answerSelfTest, logStart, requireReady, start } from './start.ts';

/** What an HTTP request must pass before it is read. A direct invocation passes none of them: AWS itself has checked who invokes. */
const guardsOf = <TEvent>({ settings, callerCheck }: StartedFunction<TEvent>): Guard[] => [
  limitBody(settings.maxBodyBytes), // 413
  ...callerCheck, // 401: the signature of the service, where CALLER_CHECK says so
  requireJson, // 415
];

/** Middy's own time-out is off: a login ends at its own deadline, with a response. */
// Stryker disable next-line ObjectLiteral: the other one would be later, and each login would set a timer for it.
const NO_EARLY_TIMEOUT = { timeoutEarlyInMillis: 0 };

/** @param root the bundle's root, a `file:` URL that ends with `/` */
export async function loginFunction<TEvent>(
  kind: Kind<TEvent>,
  root: URL,
  own = configuration(kind.names.kind),
) {
  const fn = await start(kind, root, own); // never throws: what failed answers every login
  const handler = middy(NO_EARLY_TIMEOUT)
    .use(recordLogin(fn)) // begins the login and its deadline; at the end writes the record
    .use(answerSelfTest(fn)) // {"selfTest": true}, never over HTTP
    .use(httpEnvelope) // opens the request; closes the response
    .use(respond(fn.settings)) // validates the response; an error becomes an ErrorResponse
    .use(requireReady(fn)) // 500: settings, handler or a check cannot be used
    .use(readEvent(fn, guardsOf(fn))) // guards, JSON, model: 400, 422
    .use(checkLogin(fn)) // token or assertion, where the check is on: 422, 500
    .handler(runHandler(fn)); // yours or the default, inside the deadline: 500, 504
  logStart(fn);
  return handler;
}
