/** One login on its way from event to response, and what a process has for all of its logins. */
import type { MiddlewareObj, Request } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Invocation } from '../invocation.ts';
import type { Language } from '../messages/languages.ts';
import type { Decision } from '../profile/decision.ts';
import type { Identifiers, Kind, LoginCheck } from '../profile/kind.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import type { LoginError, ReasonCode } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import type { SignedRequest } from '../webhook/signature.ts';
import type { LoginHandler } from './handlerModule.ts';
import type { Log } from './log.ts';

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

export interface HttpRequest extends SignedRequest {
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
  /** Of a default handler or a mapping; null where neither decided. Its type is another one where the handler changed it. */
  decision: Decision | null;
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

/** What `before` returns is the response, unless it is undefined: then no other middleware runs. */
export type Middleware = MiddlewareObj<unknown, unknown, Error, LoginContext>;
