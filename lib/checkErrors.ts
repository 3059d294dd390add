import { LoginError } from './errors.ts';

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

/** Thrown when the issuer's keys cannot be had: nothing is known of the token then, good or bad. */
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
