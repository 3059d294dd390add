/** One login on its way from event to response, and the type of the middleware that handles it. */
import type { Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import { Invocation, nowMs } from '../invocation.ts';
import type { Trace } from '../profile/decision.ts';
import type { ReasonCode } from '../reasons.ts';

/** What one login has: set at its start, or null until the middleware that is named sets it. */
export class Login {
  /** When the login began, on the clock of `nowMs`. */
  readonly startedAt = nowMs();
  readonly invocation: Invocation;
  /** Whether it is the first invocation of its process. */
  readonly isColdStart: boolean;
  /** `httpEnvelope`: null for a direct invocation. */
  http: HttpRequest | null = null;
  /** `parseEvent`: the provider that vouches for the person. */
  issuer: string | null = null;
  /** `parseEvent`: of the person, as the provider sends it: a language tag, or a list as in Accept-Language. */
  preferredLanguage: string | null = null;
  /** `parseEvent`: null also where the setting is off. */
  externalId: ExternalId | null = null;
  /** `parseEvent`: what identifies the person in this login alone; null where the provider sends nothing of that kind. */
  transientId: string | null = null;
  /** `respond`: the profile fields that were looked for and not found, null where none was looked for. */
  missing: readonly string[] | null = null;
  /** `respond`: what leaves, and why. */
  outcome: Outcome | null = null;

  constructor(invocation: Invocation, isColdStart: boolean) {
    this.invocation = invocation;
    this.isColdStart = isColdStart;
  }
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

/** A permanent identifier of the person at the provider. */
export interface ExternalId {
  /** The setting that names where it comes from. */
  source: string;
  /** Null where the event has none. */
  value: string | null;
  /** The domain in which it is unique; left out where that is the issuer. */
  scope?: string;
}

export interface Outcome {
  type: 'AuthorizedUserResponse' | 'ForbiddenResponse' | 'ErrorResponse';
  reason: ReasonCode;
  statusCode: number;
  details: Readonly<Record<string, unknown>>;
  /** How a default handler or a mapping decided; null where neither did. */
  trace: (() => Trace) | null;
  cause?: unknown;
}

/** Lambda's context, with the login that `beginLogin` puts there. */
export interface LoginContext extends Context {
  login: Login;
}

export type LoginRequest = Request<unknown, unknown, Error, LoginContext>;

type Hook = (request: LoginRequest) => void | Promise<void>;

export interface Middleware {
  /** Returns nothing: to Middy, anything else is the response, and no other middleware runs. */
  before?: (request: LoginRequest) => undefined | Promise<undefined>;
  after?: Hook;
  onError?: Hook;
}

/** Middleware that may answer the event itself: what `before` returns is the response, and no other middleware runs. */
export interface EarlyResponse {
  before: (request: LoginRequest) => unknown;
}

/** Middy's early time-out is off: a login ends at its own deadline, with a response. */
export const NO_EARLY_TIMEOUT = { timeoutEarlyInMillis: 0 };

/**
 * Begins a login.
 *
 * @param handlerTimeoutMs the operator's bound for the checks and the handler together, in milliseconds; null for what the
 *   invocation leaves
 */
export function beginLogin({ handlerTimeoutMs }: { handlerTimeoutMs: number | null }): Middleware {
  let isColdStart = true;

  function begin({ context }: LoginRequest): undefined {
    context.login = new Login(new Invocation(context, handlerTimeoutMs), isColdStart);
    isColdStart = false;
  }

  return { before: begin };
}
