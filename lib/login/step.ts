/** The types of a step: Middy middleware over what is known of one login so far. */
import type { Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Invocation } from '../deadline.ts';
import type { Trace } from '../profile/trace.ts';

export interface HttpRequest {
  /** By lower-case name; of repeated headers the last one. */
  headers: ReadonlyMap<string, string>;
  /** As it arrived; null where there is none. */
  body: string | null;
  isBase64Encoded: boolean;
  /** How the answer must be wrapped. */
  reply: 'apiGateway' | 'alb' | 'albMultiValue';
}

/** What the steps tell one another. Each field is set by one step, named in the comment. */
export type LoginState = {
  /** logLogin: when the login began, on the clock of `nowMs`. */
  startedAt: number;
  /** logLogin: Lambda's id of the invocation, by which a person's report and the log line find each other. */
  requestId: string;
  /** logLogin: whether it is the first invocation of its process. */
  coldStart: boolean;
  /** setDeadline: the login as a whole, and the time it has. */
  invocation: Invocation;
  /** httpEnvelope: null for a direct invocation. */
  http: HttpRequest | null;
  /** parseEvent: who vouches for the person, once the event is known to be valid. */
  issuer: string | null;
  /** externalId: null where the setting is off. */
  externalId: ExternalId | null;
  /** answer: what was decided, and why. */
  outcome: Outcome | null;
};

/** A lasting identifier of the person at the provider, out of the source that a setting names. */
export interface ExternalId {
  source: string;
  /** Null where the event has none. */
  value: string | null;
}

export interface Outcome {
  answer: 'AuthorizedUserResponse' | 'ForbiddenResponse' | 'ErrorResponse';
  reason: string;
  statusCode: number;
  details: Readonly<Record<string, unknown>>;
  /** How a default handler or a mapping decided; null where neither did. */
  trace: (() => Trace) | null;
  cause?: unknown;
}

export type LoginRequest = Request<unknown, unknown, Error, Context, LoginState>;

type Hook = (request: LoginRequest) => void | Promise<void>;

export interface Step {
  /** What it returns, if anything, is the answer: no other step sees the event. */
  before?: (request: LoginRequest) => unknown;
  after?: Hook;
  onError?: Hook;
}
