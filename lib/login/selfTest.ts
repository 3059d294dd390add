import { isJsonObject } from '../schema.ts';
import type { LoginFunction } from './coldStart.ts';
import type { Middleware } from './login.ts';

/**
 * Answers a direct invocation that is exactly `{"selfTest": true}` with what an operator wants to know after a
 * deployment. Never over HTTP: the event of a request has more in it.
 */
export function selfTest(fn: LoginFunction): Middleware {
  return {
    before({ event, context }) {
      if (!isSelfTest(event)) return;
      return import('./selfTestReport.ts').then(({ report }) => report(fn, context.login.invocation));
    },
  };
}

function isSelfTest(event: unknown): boolean {
  return isJsonObject(event) && event.selfTest === true && Object.keys(event).length === 1;
}
