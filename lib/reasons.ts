/** Why a login ends as it does: one table of reasons, and the error that carries one. */

import { WORDS as ENGLISH, type Words } from './messages/en.ts';
import { format, type Sentence } from './messages/languages.ts';

/** More for the operator, in the log. Never a value of the event. */
type Details = Readonly<Record<string, unknown>>;

/** The status and the words of several reasons: what exactly went wrong is for the log. */
const DECIDED = [200, null] as const;
const NOT_SET_UP = [500, 'not_set_up'] as const;
const NOT_SIGNED = [401, 'not_signed'] as const;
const NOT_CONFIRMED = [422, 'not_confirmed'] as const;
const NOT_COMPLETED = [500, 'not_completed'] as const;
const LOOK_UP_FAILED = [500, 'look_up_failed'] as const;

/** Those of default handlers and mappings, which refuse somebody. */
const REFUSALS = {
  profile_incomplete: DECIDED,
  email_unverified: DECIDED,
  groups_unknown: [200, 'groups_unknown'],
  groups_ambiguous: [200, 'groups_ambiguous'],
  assurance_unknown: [200, 'assurance_unknown'],
  external_id_refused: [200, 'external_id_missing'],
  claim_unknown: [200, 'claim_unknown'],
  rule_refused: DECIDED,
  issuer_not_listed: [200, 'issuer_not_listed'],
} as const;

export type RefusalReason = keyof typeof REFUSALS;

/**
 * Every reason by its code, with the HTTP status of the response and the words for the person; null where the handler, the
 * mapping or the rule has its own. The codes are a stable interface: log filters and alarms use them.
 */
export const REASONS = {
  authorized: DECIDED,
  ...REFUSALS,

  // Decided by a custom handler.
  forbidden: DECIDED,
  error: DECIDED,

  // The function cannot answer any login.
  configuration_unusable: NOT_SET_UP,
  handler_not_loaded: NOT_SET_UP,

  // The HTTP request is not acceptable.
  body_too_large: [413, 'body_too_large'],
  signature_missing: NOT_SIGNED,
  signature_malformed: NOT_SIGNED,
  signature_expired: NOT_SIGNED,
  signature_wrong: NOT_SIGNED,
  content_type_not_json: [415, 'content_type_not_json'],
  body_missing: [400, 'body_missing'],
  body_not_json: [400, 'body_not_json'],

  // The event, or what it carries, is not what it should be.
  event_invalid: [422, 'event_invalid'],
  token_malformed: NOT_CONFIRMED,
  token_algorithm_refused: NOT_CONFIRMED,
  token_type_refused: NOT_CONFIRMED,
  token_key_unknown: NOT_CONFIRMED,
  token_signature_wrong: NOT_CONFIRMED,
  token_issuer_refused: NOT_CONFIRMED,
  token_audience_refused: NOT_CONFIRMED,
  token_azp_refused: NOT_CONFIRMED,
  token_expired: NOT_CONFIRMED,
  token_not_yet_valid: NOT_CONFIRMED,
  token_access_token_differs: NOT_CONFIRMED,
  token_claims_differ: NOT_CONFIRMED,
  keys_unavailable: [500, 'not_checked'],
  assertion_issuer_refused: NOT_CONFIRMED,
  assertion_not_yet_valid: NOT_CONFIRMED,
  assertion_expired: NOT_CONFIRMED,
  assertion_audience_refused: NOT_CONFIRMED,
  assertion_confirmation_refused: NOT_CONFIRMED,
  external_id_missing: [422, 'external_id_missing'],

  // The handler gives no response.
  handler_threw: NOT_COMPLETED,
  handler_timed_out: [504, 'timed_out'],
  answer_invalid: NOT_COMPLETED,
  lookup_timed_out: LOOK_UP_FAILED,
  lookup_connection_failed: LOOK_UP_FAILED,
  lookup_status: LOOK_UP_FAILED,
  lookup_redirected: LOOK_UP_FAILED,
  lookup_too_large: LOOK_UP_FAILED,
  lookup_not_json: LOOK_UP_FAILED,
  lookup_unexpected: LOOK_UP_FAILED,
  lookup_url_refused: LOOK_UP_FAILED,
  secret_not_found: LOOK_UP_FAILED,
  secret_access_denied: LOOK_UP_FAILED,
  secret_throttled: LOOK_UP_FAILED,
  secret_service_failed: LOOK_UP_FAILED,
  secret_timed_out: LOOK_UP_FAILED,
  secret_unusable: LOOK_UP_FAILED,
  secret_failed: LOOK_UP_FAILED,

  // A mistake in this bundle.
  internal_error: NOT_COMPLETED,
} as const satisfies Record<string, readonly [status: number, words: keyof Words | null]>;

export type ReasonCode = keyof typeof REASONS;

/** The codes that begin so: `CodesOf<'token_'>`. */
type CodesOf<TPrefix extends string> = Extract<ReasonCode, `${TPrefix}${string}`>;

export type TokenCode = CodesOf<'token_'>;
export type AssertionCode = CodesOf<'assertion_'>;
export type LookUpCode = CodesOf<'lookup_'>;
export type SecretCode = CodesOf<'secret_'>;

/** Why a login ends without a response of its handler. */
export class LoginError<TCode extends ReasonCode = ReasonCode> extends Error {
  readonly code: TCode;
  /** The status of the HTTP response, where the login came over HTTP. */
  readonly statusCode: number;
  readonly details: Details;

  constructor(code: TCode, details: Details = {}, options?: ErrorOptions) {
    super(sentenceOf(code, details)(ENGLISH), options);
    this.code = code;
    [this.statusCode] = REASONS[code];
    this.details = details;
  }
}

/** What the person reads of a reason that has words: by default that the login failed. */
export function sentenceOf(code: ReasonCode, details: Details = {}): Sentence {
  const [, words] = REASONS[code];
  return (language) => format(language[words ?? 'not_completed'], details);
}

/** What was thrown, as a reason. What is no reason is a mistake in this bundle. */
export function asLoginError(thrown: unknown): LoginError {
  return thrown instanceof LoginError ? thrown : new LoginError('internal_error', {}, { cause: thrown });
}

/** Thrown when a look-up over HTTP fails. Never holds the query, a header or a body. */
export class LookUpFailed extends LoginError<LookUpCode> {
  /** The other system's host, with the port where it is not the usual one. */
  readonly host: string;
  /** The HTTP status; null where there is no response. */
  readonly status: number | null;

  constructor(code: LookUpCode, host: string, status: number | null = null, problems?: string[]) {
    super(code, { host, ...(status !== null && { lookUpStatus: status }), ...(problems && { problems }) });
    this.host = host;
    this.status = status;
  }
}

/** Thrown when a secret is not available. Names the secret's id, never its value. */
export class SecretFailed extends LoginError<SecretCode> {
  readonly secretId: string;

  /** @param sdkError the name of the AWS SDK's exception, logged as `cause` */
  constructor(code: SecretCode, secretId: string, problems?: string[], sdkError?: string) {
    super(code, { secretId, ...(problems && { problems }), ...(sdkError && { cause: sdkError }) });
    this.secretId = secretId;
  }
}

/** One requirement of a token or an assertion. */
export interface Check<TSubject, TCode extends ReasonCode> {
  /** The reason of the refusal where it does not hold. */
  code: TCode;
  holds: (subject: TSubject) => boolean;
  /** What the log says of a check that does not hold: names, never a value. */
  details?: (subject: TSubject) => Details;
}

/** @throws {LoginError} of the first check that does not hold */
export function requireAll<TSubject>(
  checks: readonly Check<TSubject, ReasonCode>[],
  subject: TSubject,
): void {
  const failed = checks.find(({ holds }) => !holds(subject));
  if (failed) throw new LoginError(failed.code, failed.details?.(subject));
}
