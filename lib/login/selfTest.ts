import { isJsonObject } from '../schema.ts';
import type { LoginFunction } from './coldStart.ts';
import type { Step } from './step.ts';

/**
 * Answers a direct invocation that is exactly `{"selfTest": true}` with what an operator wants to know after a
 * deployment. Never over HTTP: the event of a request has more in it.
 */
export function selfTest(fn: LoginFunction): Step {
  return {
    before({ event, internal }) {
      if (!isSelfTest(event)) return;
      return import('./selfTestReport.ts').then(({ report }) => report(fn, internal.invocation));
    },
  };
}

function isSelfTest(event: unknown): boolean {
  return isJsonObject(event) && event.selfTest === true && Object.keys(event).length === 1;
}
