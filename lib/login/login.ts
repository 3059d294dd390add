/** One login on its way from event to response, where it begins, and the record of how it ended. */
import type { Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import { Invocation, nowMs } from '../invocation.ts';
import { KINDS } from '../kinds.ts';
import type { Language } from '../messages/languages.ts';
import type { Explanation } from '../profile/decision.ts';
import type { Identifiers, Kind, LoginCheck } from '../profile/kind.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import type { LoginError, ReasonCode } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import { shortened } from '../text.ts';
import type { LoginHandler } from './handlerModule.ts';
import { describeWithoutMessage, type Log, messageOf } from './log.ts';

/** What a process has for all of its logins: nothing of it changes after the start. */
export interface StartedFunction<TEvent> {
  readonly kind: Kind<TEvent>;
  readonly name: string;
  readonly settings: Settings;
  readonly log: Log;
  /** `default`, or the module that a setting names; `undecided` where the settings are unusable. */
  readonly handlerSource: string;
  readonly handler: LoginHandler;
  /** Of who calls over HTTP; none where it is off. */
  readonly callerCheck: readonly Guard[];
  /** Of the token or the assertion; null where it is off. */
  readonly loginCheck: LoginCheck<TEvent> | null;
  /** Why every login is answered with an error; null where the function is ready. */
  readonly failure: LoginError | null;
}

/** Each part is null until the middleware that is named sets it. */
export interface Login {
  readonly invocation: Invocation;
  /** Whether it is the first invocation of its process. */
  readonly isColdStart: boolean;
  /** `httpEnvelope`: null for a direct invocation. */
  http: HttpRequest | null;
  /** `readEvent`: what the function itself needs of the event, whatever the handler changes in it. */
  facts: Facts | null;
  /** `respond`: what leaves, and why. */
  outcome: Outcome | null;
}

export interface HttpRequest {
  /** By lower-case name; of repeated headers the last one. */
  headers: ReadonlyMap<string, string>;
  /** As it arrived; null where there is none. */
  body: string | null;
  isBase64Encoded: boolean;
  /** The form of the HTTP response. */
  responseForm: 'apiGateway' | 'alb' | 'albMultiValue';
}

export interface Facts extends Identifiers {
  /** The provider that vouches for the person. */
  issuer: string;
  /** Of the person, as the provider sends it: a language tag, or a list as in Accept-Language. */
  preferredLanguage: string | null;
}

export interface Outcome {
  type: UserLoginResponse['type'];
  reason: ReasonCode;
  statusCode: number;
  /** What else the record says. */
  details: Readonly<Record<string, unknown>>;
  /** The profile fields that were looked for and not found; null where none was looked for. */
  missing: readonly string[] | null;
  /** How a default handler or a mapping decided; null where neither did. */
  explain: (() => Explanation) | null;
  /** Of our words to a person who does not get in. */
  language?: Language;
  cause?: unknown;
}

/** Lambda's context, with the login that `recordLogin` puts there. */
export interface LoginContext extends Context {
  login: Login;
}

export type LoginRequest = Request<unknown, unknown, Error, LoginContext>;

/** Refuses an HTTP request. @throws {LoginError} */
export type Guard = (request: HttpRequest, invocation: Invocation) => void | Promise<void>;

export interface Middleware {
  /** To Middy, anything but undefined is the response, and no other middleware runs. */
  before?: (request: LoginRequest) => unknown;
  after?: (request: LoginRequest) => void | Promise<void>;
  onError?: (request: LoginRequest) => void | Promise<void>;
}

/** Begins each login, and writes its record: the reason as a code, and no value of the event but the issuer. */
export function recordLogin<TEvent>(fn: StartedFunction<TEvent>): Middleware {
  const { log, settings } = fn;
  let isColdStart = true;

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
    const { type, details, explain, cause } = outcome;
    const isAuthorized = type === 'AuthorizedUserResponse';
    log(levelOf(outcome), () => ({
      ...recordOf(fn, login, outcome),
      ...(explain && !isAuthorized && explained(explain)),
      ...(cause !== undefined && { error: describeWithoutMessage(cause) }),
      ...details,
    }));
    if (explain && isAuthorized)
      log('debug', () => ({ event: 'login_explanation', requestId, explanation: explain() }));
    if (cause !== undefined)
      log('debug', () => ({ event: 'login_error_message', requestId, message: messageOf(cause) }));
  }

  return { before: begin, after: write, onError: write };
}

/** The issuer is the sender's text: it adds no line to a log. What is undefined is left out of the record. */
function recordOf<TEvent>(
  { kind, name, handlerSource, settings }: StartedFunction<TEvent>,
  { invocation, isColdStart, facts }: Login,
  { type, reason, statusCode, missing, language }: Outcome,
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
    missingCount: missing?.length,
    missing: missing?.length ? missing : undefined,
  };
}

/** The kinds of difference by which something is missed stand where they can be counted. */
function explained(explain: () => Explanation) {
  const { near, ...explanation } = explain();
  return { near, explanation };
}

/** Fields that a handler gives and that do not leave are worth a look. */
function levelOf({ statusCode, details }: Outcome): 'info' | 'warn' | 'error' {
  if (statusCode >= 500) return 'error';
  return statusCode >= 400 || details.droppedFields ? 'warn' : 'info';
}
