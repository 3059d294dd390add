/** The log records of a shadow: one a login that it is asked about, with names, types and counts, never a value. */
import { asLoginError } from '../errors.ts';
import type { LoginFunction } from '../login/coldStart.ts';
import { describeWithoutMessage } from '../login/describeError.ts';
import { type LogRecord, shownIssuer } from '../login/log.ts';
import type { Login } from '../login/login.ts';
import { type Decided, differenceOf } from './difference.ts';

/** Why a shadow is not asked about a login of which it should be. */
type SkipCause = 'resting' | 'busy' | 'no_time' | 'event_not_copied';

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
    return { event, requestId, function: name, ...handlers, ...shownIssuer(login), ...details };
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
    },
    failed(login, thrown) {
      const { code, details, cause } = asLoginError(thrown);
      const error = cause === undefined ? {} : { error: describeWithoutMessage(cause) };
      log.warn(record('shadow_failed', login, { shadowReason: code, ...details, ...error }));
    },
    skipped(login, cause) {
      log.info(record('shadow_skipped', login, { cause }));
    },
  };
}

/** What left: a response, or the error that took its place. */
function decided({ response, outcome }: Login): Decided {
  const { type, reason } = outcome ?? { type: 'ErrorResponse', reason: 'internal_error' };
  return { response, type, reason };
}
