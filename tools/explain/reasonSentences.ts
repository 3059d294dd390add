/** What each reason says of a login, for the operator, after `Forbidden: ` or `Error: `. No value of the event. */
import type { ReasonCode } from '../../lib/reasons.ts';

const SENTENCES: Readonly<Record<Exclude<ReasonCode, 'authorized'>, string>> = {
  forbidden: 'the handler decides so',
  error: 'the handler decides so',

  profile_incomplete: 'the provider does not send the whole profile',
  email_unverified: 'the provider does not confirm that the e-mail address is verified',
  groups_unknown: 'the provider does not say which groups the person is in',
  groups_ambiguous: 'the provider sends the groups in an unclear form',
  assurance_unknown: 'the provider does not say how or when the person signed in',
  external_id_refused: 'the identifier that the mapping takes cannot be used',
  claim_unknown: 'the provider does not send a value that can be compared',
  rule_refused: 'a rule of the mapping refuses',
  issuer_not_listed: 'the mapping does not list the issuer',

  configuration_unusable: 'a setting is wrong',
  handler_not_loaded: 'the handler cannot be loaded',

  body_too_large: 'the body of the request is too large',
  signature_missing: 'the request has no signature',
  signature_malformed: 'the signature of the request is in the wrong form',
  signature_expired: 'the signature of the request is too old',
  signature_wrong: 'the signature of the request is wrong',
  content_type_not_json: 'the content type of the request is not JSON',
  body_missing: 'the request has no body',
  body_not_json: 'the body of the request is not JSON',

  event_invalid: 'the event is not valid',
  token_malformed: 'the token is in the wrong form',
  token_algorithm_refused: 'the token is signed by an algorithm that is not accepted (alg)',
  token_type_refused: 'the token is not an ID token',
  token_key_unknown: 'the issuer has no key of the token (kid)',
  token_signature_wrong: 'the signature of the token is wrong',
  token_issuer_refused: 'the token is from another issuer (iss)',
  token_audience_refused: 'the token is for another client (aud)',
  token_azp_refused: 'the token was issued to another client (azp)',
  token_expired: 'the token has expired (exp)',
  token_not_yet_valid: 'the token is not valid yet (nbf or iat)',
  token_access_token_differs: 'the token belongs to another access token (at_hash)',
  token_claims_differ: 'the event has other claims than the token',
  keys_unavailable: 'the keys of the issuer are not available',
  assertion_issuer_refused: 'the assertion is from another issuer',
  assertion_not_yet_valid: 'the assertion is not valid yet (NotBefore)',
  assertion_expired: 'the assertion has expired (NotOnOrAfter)',
  assertion_audience_refused: 'the assertion is for another service (Audience)',
  assertion_confirmation_refused:
    'the assertion was sent to another address, or too late (SubjectConfirmation)',
  external_id_missing: 'the provider sends no permanent identifier of the person',

  handler_threw: 'the handler threw an error',
  handler_timed_out: 'the handler took too long',
  answer_invalid: 'the response of the handler is not valid',
  lookup_timed_out: 'another system did not respond in time',
  lookup_connection_failed: 'another system cannot be reached',
  lookup_status: 'another system refused the request',
  lookup_redirected: 'another system redirects to another address',
  lookup_too_large: 'the response of another system is too large',
  lookup_not_json: 'the response of another system is not JSON',
  lookup_unexpected: 'the response of another system is not as expected',
  lookup_url_refused: 'the address of a look-up is not accepted',
  secret_not_found: 'a secret does not exist',
  secret_access_denied: 'the function may not read a secret',
  secret_throttled: 'AWS throttles the requests for secrets',
  secret_service_failed: 'the service of secrets cannot be reached',
  secret_timed_out: 'the service of secrets did not respond in time',
  secret_unusable: 'the value of a secret cannot be used',
  secret_failed: 'a secret cannot be read',

  internal_error: 'login-hooks has a mistake',
};

/** @param reason of a record; one that the table does not have is its own sentence */
export function reasonSentence(reason: string): string {
  return new Map(Object.entries(SENTENCES)).get(reason) ?? reason;
}
