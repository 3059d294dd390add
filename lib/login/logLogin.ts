import { nowMs } from '../deadline.ts';
import type { LoginFunction } from './coldStart.ts';
import { describeWithoutMessage, messageOf } from './describeError.ts';
import type { LoginRequest, Step } from './step.ts';

const LOGGED_ISSUER_LENGTH = 200;

/** Writes one record a login, whatever became of it: the reason as a code, no value but the issuer. */
export function logLogin(fn: LoginFunction): Step {
  let isFirst = true;

  function begin(request: LoginRequest): void {
    const { awsRequestId: requestId = 'none' } = request.context;
    const startedAt = nowMs();
    Object.assign(request.internal, {
      startedAt,
      requestId,
      coldStart: isFirst,
      http: null,
      issuer: null,
      externalId: null,
      outcome: null,
    });
    isFirst = false;
  }

  function write({ internal }: LoginRequest): void {
    const { startedAt, requestId, issuer, outcome } = internal;
    if (!outcome) return;
    const { answer, reason, statusCode, details, trace, cause } = outcome;
    fn.log[levelOf(statusCode)]({
      event: 'login',
      requestId,
      function: fn.name,
      answer,
      reason,
      status: statusCode,
      durationMs: Math.round((nowMs() - startedAt) * 100) / 100,
      coldStart: internal.coldStart,
      handler: fn.handlerSource,
      ...(issuer !== null && { issuer: issuer.slice(0, LOGGED_ISSUER_LENGTH) }),
      ...details,
      ...(trace && answer !== 'AuthorizedUserResponse' && { trace: trace() }),
      ...(cause !== undefined && { error: describeWithoutMessage(cause) }),
    });
    if (trace && answer === 'AuthorizedUserResponse') {
      fn.log.debug(() => ({ event: 'login_trace', requestId, trace: trace() }));
    }
    if (cause !== undefined)
      fn.log.debug(() => ({ event: 'login_error_message', requestId, message: messageOf(cause) }));
  }

  return { before: begin, after: write, onError: write };
}

function levelOf(statusCode: number): 'info' | 'warn' | 'error' {
  if (statusCode >= 500) return 'error';
  return statusCode >= 400 ? 'warn' : 'info';
}
