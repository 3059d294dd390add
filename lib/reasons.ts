/** Why a login ends as it does: one table of reasons, and the error that carries one. */

const NOT_SET_UP = 'The login to this service is not set up correctly. Please contact the people who run it.';
export const NOT_COMPLETED =
  'Your login failed. Please try again. If it fails again, contact the people who run this service.';
const NOT_CONFIRMED = 'Your sign-in could not be confirmed. Please sign in again.';
const NOT_CHECKED = 'Your sign-in could not be checked. Please try again later.';
const LOOK_UP_FAILED =
  'Your login failed because another system did not respond as expected. Please try again later.';
const NOT_SIGNED = 'The request is not signed by a service that may send logins here.';

/** More for the operator, in the log. Never a value of the event. */
type Details = Readonly<Record<string, unknown>>;

/**
 * The words for the person who logs in, or for the service's developers where the request is wrong. They hold no exception
 * text, value, path or stack. Null: the handler, the mapping or the rule has its own.
 */
type Words = string | ((details: Details) => string) | null;

/**
 * Every reason by its code, with the HTTP status of the response and the words for the person. The codes are a stable
 * interface: log filters and alarms use them.
 */
export const REASONS = {
  // Decided by a custom handler.
  authorized: [200, null],
  forbidden: [200, null],
  error: [200, null],

  // Decided by a default handler or a mapping.
  profile_incomplete: [200, null],
  email_unverified: [200, null],
  groups_unknown: [200, 'Your identity provider did not say which groups you are in.'],
  groups_ambiguous: [
    200,
    'Your identity provider sent your groups in a form that cannot be read. Please contact the people who run this service.',
  ],
  assurance_unknown: [200, 'Your identity provider did not say how or when you signed in.'],
  rule_refused: [200, null],
  issuer_not_listed: [200, 'You cannot log in here with this identity provider.'],

  // The function cannot answer any login.
  configuration_unusable: [500, NOT_SET_UP],
  handler_not_loaded: [500, NOT_SET_UP],

  // The HTTP request is not acceptable.
  body_too_large: [
    413,
    ({ maxBytes }) => `The request's body is too large: expected at most ${maxBytes} bytes.`,
  ],
  signature_missing: [401, NOT_SIGNED],
  signature_malformed: [401, NOT_SIGNED],
  signature_expired: [401, NOT_SIGNED],
  signature_wrong: [401, NOT_SIGNED],
  content_type_not_json: [415, "The request's content type is not JSON: expected application/json."],
  body_missing: [400, 'The request has no body: expected a login event as JSON.'],
  body_not_json: [400, "The request's body is not JSON: expected a login event as JSON."],

  // The event, or what it carries, is not what it should be.
  event_invalid: [
    422,
    ({ problems }) => `The login event is not valid. ${(problems as string[]).join('; ')}.`,
  ],
  token_malformed: [422, NOT_CONFIRMED],
  token_algorithm_refused: [422, NOT_CONFIRMED],
  token_type_refused: [422, NOT_CONFIRMED],
  token_key_unknown: [422, NOT_CONFIRMED],
  token_signature_wrong: [422, NOT_CONFIRMED],
  token_issuer_refused: [422, NOT_CONFIRMED],
  token_audience_refused: [422, NOT_CONFIRMED],
  token_azp_refused: [422, NOT_CONFIRMED],
  token_expired: [422, NOT_CONFIRMED],
  token_not_yet_valid: [422, NOT_CONFIRMED],
  token_access_token_differs: [422, NOT_CONFIRMED],
  token_claims_differ: [422, NOT_CONFIRMED],
  keys_unavailable: [500, NOT_CHECKED],
  assertion_issuer_refused: [422, NOT_CONFIRMED],
  assertion_not_yet_valid: [422, NOT_CONFIRMED],
  assertion_expired: [422, NOT_CONFIRMED],
  assertion_audience_refused: [422, NOT_CONFIRMED],
  assertion_confirmation_refused: [422, NOT_CONFIRMED],
  external_id_missing: [422, 'Your identity provider did not send a permanent identifier for you.'],

  // The handler gives no response.
  handler_threw: [500, NOT_COMPLETED],
  handler_timed_out: [504, 'Your login took too long. Please try again.'],
  answer_invalid: [500, NOT_COMPLETED],
  lookup_timed_out: [500, LOOK_UP_FAILED],
  lookup_connection_failed: [500, LOOK_UP_FAILED],
  lookup_status: [500, LOOK_UP_FAILED],
  lookup_redirected: [500, LOOK_UP_FAILED],
  lookup_too_large: [500, LOOK_UP_FAILED],
  lookup_not_json: [500, LOOK_UP_FAILED],
  lookup_unexpected: [500, LOOK_UP_FAILED],
  lookup_url_refused: [500, LOOK_UP_FAILED],
  lookup_method_refused: [500, LOOK_UP_FAILED],
  secret_not_found: [500, LOOK_UP_FAILED],
  secret_access_denied: [500, LOOK_UP_FAILED],
  secret_throttled: [500, LOOK_UP_FAILED],
  secret_service_failed: [500, LOOK_UP_FAILED],
  secret_timed_out: [500, LOOK_UP_FAILED],
  secret_unusable: [500, LOOK_UP_FAILED],
  secret_failed: [500, LOOK_UP_FAILED],

  // A mistake in this bundle.
  internal_error: [500, NOT_COMPLETED],
} as const satisfies Record<string, readonly [status: number, words: Words]>;

export type ReasonCode = keyof typeof REASONS;

/** The codes that begin so: `CodesOf<'token_'>`. */
type CodesOf<TPrefix extends string> = Extract<ReasonCode, `${TPrefix}${string}`>;

export type TokenCode = CodesOf<'token_'>;
export type AssertionCode = CodesOf<'assertion_'>;
export type LookUpCode = CodesOf<'lookup_'>;
export type SecretCode = CodesOf<'secret_'>;

/** In characters of JSON. Our own have some hundred; a handler makes errors too. */
const MAX_DETAILS = 20_000;

/** What an error was made of, whatever a handler does to the object. */
interface Made {
  code: ReasonCode;
  details: Details;
  cause: unknown;
}

/** Why a login ends without a response of its handler. */
export class LoginError<TCode extends ReasonCode = ReasonCode> extends Error {
  readonly code: TCode;
  /** The status of the HTTP response, where the login came over HTTP. */
  readonly statusCode: number;
  readonly details: Details;
  readonly #made: Made;

  constructor(code: TCode, details: Details = {}, options?: ErrorOptions) {
    const [statusCode, words]: readonly [number, Words] = REASONS[code];
    super(typeof words === 'function' ? words(details) : (words ?? NOT_COMPLETED), options);
    this.code = code;
    this.statusCode = statusCode;
    this.details = details;
    this.#made = { code, details: copyOf(details), cause: options?.cause };
  }

  /**
   * What a thrown error was made of; null where it is no such error. Unlike `instanceof`, it runs no code of the object's own,
   * such as a proxy's.
   */
  static made(thrown: unknown): Made | null {
    return typeof thrown === 'object' && thrown !== null && #made in thrown ? thrown.#made : null;
  }
}

/** What was thrown, as a reason: a new error that no handler has in hand. What is no reason is a mistake in this bundle. */
export function asLoginError(thrown: unknown): LoginError {
  const { code, details, cause } = LoginError.made(thrown) ?? {
    code: 'internal_error',
    details: {},
    cause: thrown,
  };
  return new LoginError(code, details, { cause });
}

/** A copy for the log; empty where the details are no JSON, or too much of it. */
function copyOf(details: Details): Details {
  try {
    const json = JSON.stringify(details);
    return json.length > MAX_DETAILS ? {} : JSON.parse(json);
  } catch {
    return {};
  }
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
