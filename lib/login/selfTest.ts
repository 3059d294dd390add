import { isJsonObject } from '../schema.ts';
import type { EarlyResponse, Login } from './login.ts';
import type { LoginFunction } from './start.ts';

/**
 * Answers a direct invocation that is exactly `{"selfTest": true}` with what an operator wants to know after a
 * deployment. Never over HTTP: the event of a request has more in it.
 */
export function selfTest(fn: LoginFunction): EarlyResponse {
  const answer = async ({ invocation }: Login) =>
    (await import('./selfTestReport.ts')).report(fn, invocation);

  return { before: ({ event, context }) => (isSelfTest(event) ? answer(context.login) : undefined) };
}

function isSelfTest(event: unknown): boolean {
  return isJsonObject(event) && event.selfTest === true && Object.keys(event).length === 1;
}
