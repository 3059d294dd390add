/** The log records of a shadow: one for each login that it is chosen for, with names, types and counts, never a value. */

import type { LoginFunction } from '../login/coldStart.ts';
import { type LogRecord, shownIssuer, withDetails } from '../login/log.ts';
import { describeWithoutMessage, messageOf } from '../login/loggedError.ts';
import type { Login } from '../login/login.ts';
import { asLoginError } from '../reasons.ts';
import { type Decided, differenceOf } from './difference.ts';

/** Why a shadow is not asked about a login of which it should be. */
export type SkipCause = 'resting' | 'busy' | 'no_time' | 'event_not_copied';

export interface ShadowLog {
  /** @param ms for how long the shadow was asked, in milliseconds */
  compared(login: Login, shadow: Decided, ms: number): void;
  failed(login: Login, thrown: unknown): void;
  skipped(login: Login, cause: SkipCause): void;
}

/** @param source the shadow's module */
export function shadowLog({ name, log, handlerSource }: LoginFunction, source: string): ShadowLog {
  function record(event: string, login: Login, details: Record<string, unknown>): LogRecord {
    const { requestId } = login.invocation;
    const handlers = { handler: handlerSource, shadow: source };
    const own = { event, requestId, function: name, ...handlers, ...shownIssuer(login) };
    return withDetails(own, details);
  }

  return {
    compared(login, shadow, ms) {
      const real = decided(login);
      const difference = differenceOf(real, shadow);
      const shadowMs = Math.round(ms * 100) / 100;
      if (difference === null) {
        log.info(record('shadow_same', login, { shadowMs }));
        return;
      }
      const before = { answer: real.type, reason: real.reason };
      const after = { shadowAnswer: shadow.type, shadowReason: shadow.reason };
      log.warn(record('shadow_difference', login, { ...difference, ...before, ...after, shadowMs }));
      const { trace } = shadow;
      if (trace) log.debug(() => record('shadow_trace', login, { trace: trace() }));
    },
    failed(login, thrown) {
      const { code, details, cause } = asLoginError(thrown);
      const error = cause === undefined ? {} : { error: describeWithoutMessage(cause) };
      log.warn(record('shadow_failed', login, { ...details, shadowReason: code, ...error }));
      if (cause !== undefined)
        log.debug(() => record('shadow_error_message', login, { message: messageOf(cause) }));
    },
    skipped(login, cause) {
      log.info(record('shadow_skipped', login, { cause }));
    },
  };
}

/** What left: a response, or the error that took its place. */
function decided({ response, outcome }: Login): Decided {
  const { type, reason } = outcome ?? { type: 'ErrorResponse', reason: 'internal_error' };
  return { response, type, reason, trace: null };
}
