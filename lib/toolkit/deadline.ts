/** The deadline of the login that a handler is answering. */
import { currentInvocation } from '../runtime/invocation.ts';

/** The milliseconds left before the answer is due; `Infinity` outside a login. */
export function remainingMs(): number {
  return currentInvocation()?.remainingMs() ?? Infinity;
}

/** Aborted when the answer is due; never aborted outside a login. Give it to whatever takes a signal. */
export function abortSignal(): AbortSignal {
  return currentInvocation()?.signal ?? new AbortController().signal;
}
