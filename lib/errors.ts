/**
 * Why a login was not answered by its handler. The code goes into the log; the message is for the person who
 * logs in, so that it holds no exception text, value, path or stack.
 */
export abstract class LoginError extends Error {
  /** A stable name of the reason, for log filters. */
  abstract readonly code: string;
  /** The HTTP status, where the login came over HTTP. */
  abstract readonly statusCode: number;
  /** What else the operator needs, for the log. Never a value out of the event. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}

const NOT_SET_UP = 'Logging in is not set up correctly here. Please tell the people who run this service.';
const NOT_COMPLETED = 'The login could not be completed.';

/** Thrown when a setting is unusable: no login is answered with a guess of what was meant. */
export class ConfigurationUnusable extends LoginError {
  readonly code = 'configuration_unusable';
  readonly statusCode = 500;
  constructor(problems: string[]) {
    super(NOT_SET_UP, { problems });
  }
}

/** Thrown when the configured handler could not be loaded. */
export class HandlerNotLoaded extends LoginError {
  readonly code = 'handler_not_loaded';
  readonly statusCode = 500;
  constructor(details: Record<string, unknown>, options?: ErrorOptions) {
    super(NOT_SET_UP, details, options);
  }
}

/** Thrown when the decoded HTTP body is larger than `MAX_BODY_BYTES`. */
export class BodyTooLarge extends LoginError {
  readonly code = 'body_too_large';
  readonly statusCode = 413;
  constructor(maxBytes: number) {
    super(`The request's body is too large: expected at most ${maxBytes} bytes.`);
  }
}

/** Thrown when the HTTP request does not say that it carries JSON. */
export class ContentTypeNotJson extends LoginError {
  readonly code = 'content_type_not_json';
  readonly statusCode = 415;
  constructor() {
    super("The request's content type is not JSON: expected application/json.");
  }
}

/** Thrown when the HTTP request has no body. */
export class BodyMissing extends LoginError {
  readonly code = 'body_missing';
  readonly statusCode = 400;
  constructor() {
    super('The request has no body: expected a login event as JSON.');
  }
}

/** Thrown when the HTTP body is not JSON. */
export class BodyNotJson extends LoginError {
  readonly code = 'body_not_json';
  readonly statusCode = 400;
  constructor() {
    super("The request's body is not JSON: expected a login event as JSON.");
  }
}

/** Thrown when the event does not have the fields that its kind requires. */
export class EventInvalid extends LoginError {
  readonly code = 'event_invalid';
  readonly statusCode = 422;
  constructor(problems: string[]) {
    super(`The login event is not valid. ${problems.join('; ')}.`, { problems });
  }
}

/** Thrown when the person is authorized, and the configured source of a lasting identifier has none. */
export class ExternalIdMissing extends LoginError {
  readonly code = 'external_id_missing';
  readonly statusCode = 422;
  constructor(source: string) {
    super('Your identity provider did not send a lasting identifier of yours.', { source });
  }
}

/** Thrown when the handler threw, or its promise was rejected. */
export class HandlerThrew extends LoginError {
  readonly code = 'handler_threw';
  readonly statusCode = 500;
  constructor(cause: unknown) {
    super(NOT_COMPLETED, {}, { cause });
  }
}

/** Thrown when the handler answered with something that is none of the three responses. */
export class AnswerInvalid extends LoginError {
  readonly code = 'answer_invalid';
  readonly statusCode = 500;
  constructor(problems: string[]) {
    super(NOT_COMPLETED, { problems });
  }
}

/** Thrown when the handler did not answer before the deadline. */
export class HandlerTimedOut extends LoginError {
  readonly code = 'handler_timed_out';
  readonly statusCode = 504;
  constructor() {
    super('The login took too long. Please try again.');
  }
}

/**
 * Thrown when another system did not give what a handler asked it for. A handler that lets it out yields an
 * `ErrorResponse` that says so; its code is the reason in the log.
 */
export abstract class OutsideSystemFailed extends LoginError {
  readonly statusCode = 500;
  constructor(details: Record<string, unknown>) {
    super('The login could not be completed, because a look-up in another system failed.', details);
  }
}

/** Stands for an error that no step foresaw: a mistake in this bundle. */
export class Unforeseen extends LoginError {
  readonly code = 'unforeseen';
  readonly statusCode = 500;
  constructor(cause: unknown) {
    super(NOT_COMPLETED, {}, { cause });
  }
}

/** Whether something that was thrown is one of ours. It may be anything, also a Proxy that throws when asked. */
export function isA<TError extends LoginError>(
  kind: abstract new (...args: never[]) => TError,
  thrown: unknown,
): thrown is TError {
  try {
    return thrown instanceof kind;
  } catch {
    return false;
  }
}

export type SignatureCode =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_expired'
  | 'signature_wrong';

/** Thrown when an HTTP request is not signed by the service that may send logins. */
export class CallerRefused extends LoginError {
  readonly code: SignatureCode;
  readonly statusCode = 401;

  constructor(code: SignatureCode) {
    super('The request does not come from a service that may send logins here.');
    this.code = code;
  }
}

const NOT_CONFIRMED = 'The sign-in could not be confirmed. Please sign in again.';

export type TokenCode =
  | 'token_malformed'
  | 'token_algorithm_refused'
  | 'token_type_refused'
  | 'token_key_unknown'
  | 'token_signature_wrong'
  | 'token_issuer_refused'
  | 'token_audience_refused'
  | 'token_azp_refused'
  | 'token_expired'
  | 'token_not_yet_valid'
  | 'token_access_token_differs'
  | 'token_claims_differ';

/** What an event carries is not what it should be: the person may try again. */
abstract class SignInRefused<TCode extends string> extends LoginError {
  readonly code: TCode;
  readonly statusCode = 422;

  constructor(code: TCode, details: Record<string, unknown> = {}) {
    super(NOT_CONFIRMED, details);
    this.code = code;
  }
}

/** Thrown when the ID token fails a check. Its details name claims, and never hold what they say. */
export class TokenRefused extends SignInRefused<TokenCode> {}

/** Thrown when the issuer's keys are not available: the token can be neither accepted nor refused. */
export class KeysUnavailable extends LoginError {
  readonly code = 'keys_unavailable';
  readonly statusCode = 500;

  /** @param because the code of the look-up's failure, or what else was in the way */
  constructor(because: string, details: Readonly<Record<string, unknown>> = {}) {
    super('The login could not be completed, because the sign-in could not be checked.', {
      because,
      ...details,
    });
  }
}

export type AssertionCode =
  | 'assertion_issuer_refused'
  | 'assertion_not_yet_valid'
  | 'assertion_expired'
  | 'assertion_audience_refused'
  | 'assertion_confirmation_refused';

/** Thrown when the assertion fails a check. */
export class AssertionRefused extends SignInRefused<AssertionCode> {}
