/** Where a login begins, and the record of how it ended. */
import { Invocation, nowMs } from '../invocation.ts';
import { KINDS } from '../kinds.ts';
import type { Decision, Explanation } from '../profile/decision.ts';
import { shortened } from '../text.ts';
import { describeWithoutMessage, messageOf } from './log.ts';
import type { Login, LoginRequest, Middleware, Outcome, StartedFunction } from './login.ts';

/** Begins each login, and writes its record: the reason as a code, and no value of the event but the issuer. */
export function recordLogin<TEvent>(fn: StartedFunction<TEvent>): Middleware {
  const { log, settings } = fn;
  let isColdStart = true;
  let hasDropped = false;

  function begin({ context }: LoginRequest): void {
    const invocation = new Invocation(context, settings.handlerTimeoutMs);
    context.login = { invocation, isColdStart, http: null, facts: null, outcome: null };
    isColdStart = false;
  }

  function write({ context: { login } }: LoginRequest): void {
    const { outcome, invocation } = login;
    // A self-test has none.
    if (!outcome) return;
    const { requestId } = invocation;
    const { type, details, decision, cause } = outcome;
    const isAuthorized = type === 'AuthorizedUserResponse';
    log(levelOf(outcome), () => ({
      ...recordOf(fn, login, outcome),
      ...(decision && !isAuthorized && explained(decision, type)),
      ...(cause !== undefined && { error: describeWithoutMessage(cause) }),
      ...details,
    }));
    if (decision && isAuthorized)
      log('debug', () => ({
        event: 'login_explanation',
        requestId,
        explanation: explanationOf(decision, type),
      }));
    if (cause !== undefined)
      log('debug', () => ({ event: 'login_error_message', requestId, message: messageOf(cause) }));
  }

  /** Fields that a handler gives and that do not leave are worth a look, and are the same at each login. */
  function levelOf({ statusCode, details }: Outcome): 'info' | 'warn' | 'error' {
    if (statusCode >= 500) return 'error';
    const isFirst = details.droppedFields !== undefined && !hasDropped;
    if (isFirst) hasDropped = true;
    return statusCode >= 400 || isFirst ? 'warn' : 'info';
  }

  return { before: begin, after: write, onError: write };
}

/** The issuer is the sender's text: it adds no line to a log. What is undefined is left out of the record. */
function recordOf<TEvent>(
  { kind, name, handlerSource, settings }: StartedFunction<TEvent>,
  { invocation, isColdStart, facts }: Login,
  { type, reason, statusCode, decision, language }: Outcome,
) {
  const issuers: ReadonlyMap<string, unknown> = settings[KINDS[kind.names.kind].issuers];
  return {
    event: 'login',
    requestId: invocation.requestId,
    function: name,
    version: settings.codeVersion ?? undefined,
    answer: type,
    reason,
    status: statusCode,
    durationMs: Math.round((nowMs() - invocation.startedAt) * 100) / 100,
    coldStart: isColdStart,
    handler: handlerSource,
    issuer: facts ? shortened(facts.issuer) : undefined,
    // Metrics by issuer read this: an event must not make dimensions.
    issuerListed: (facts && issuers.has(facts.issuer)) || undefined,
    language,
    // The list is left out where it is empty: filters and queries tell an empty list from none only by the count.
    missingCount: decision?.missing?.length,
    missing: decision?.missing?.length ? decision.missing : undefined,
  };
}

/** The kinds of difference by which something is missed stand where they can be counted. */
function explained(decision: Decision, type: Outcome['type']) {
  const { near, ...explanation } = explanationOf(decision, type);
  return { near, explanation };
}

/** Says what was decided, where the handler made something else of it. */
function explanationOf(decision: Decision, type: Outcome['type']): Explanation {
  return { ...decision.explain(), ...(decision.type !== type && { decided: decision.reason }) };
}
