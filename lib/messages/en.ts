/**
 * What this bundle says itself, in English: to the person who logs in, or to the service's developers where the request is
 * wrong. No exception text, value, path or stack; `{…}` is filled when it is said.
 */
export const WORDS = {
  // The handler refuses, and has no words of its own.
  forbidden:
    'You are not allowed to log in here. If you think that this is a mistake, contact the people who run this service.',
  not_completed:
    'Your login failed. Please try again. If it fails again, contact the people who run this service.',

  // What the provider did not send, or sent in a way that cannot be used.
  not_sent: 'Your identity provider did not send your {fields}.',
  email: 'e-mail address',
  first_name: 'first name',
  last_name: 'last name',
  and: 'and',
  email_ambiguous: 'Your identity provider sent several e-mail addresses as one text.',
  email_invalid: 'Your identity provider sent an e-mail address that cannot be used.',
  email_compatibility:
    'Your identity provider sent an e-mail address with compatibility characters, which look like other characters.',
  email_unverified: 'Your identity provider says that your e-mail address is not verified.',
  email_unproven: 'Your identity provider does not say that your e-mail address is verified.',
  external_id_missing: 'Your identity provider did not send a permanent identifier for you.',

  // A mapping refuses.
  issuer_not_listed: 'You cannot log in here with this identity provider.',
  groups_unknown: 'Your identity provider did not say which groups you are in.',
  groups_ambiguous:
    'Your identity provider sent your groups in a form that cannot be read. Please contact the people who run this service.',
  email_domains: 'Your e-mail address does not belong to an organisation that may log in here.',
  scopes: 'Your organisation has not confirmed that you may log in here.',
  any_group: 'You are in none of the groups that may log in here.',
  no_group: 'You are in a group that may not log in here.',
  claim: 'Your account does not have what is needed to log in here.',
  assurance: 'Your sign-in is too old or not secure enough to log in here. Please sign in again.',
  assurance_unknown: 'Your identity provider did not say how or when you signed in.',
  claim_unknown: 'Your identity provider did not say whether your account may log in here.',

  // There is no response of the handler.
  not_set_up: 'The login to this service is not set up correctly. Please contact the people who run it.',
  not_confirmed: 'Your sign-in could not be confirmed. Please sign in again.',
  not_checked: 'Your sign-in could not be checked. Please try again later.',
  look_up_failed:
    'Your login failed because another system did not respond as expected. Please try again later.',
  timed_out: 'Your login took too long. Please try again.',

  // The request is wrong.
  not_signed: 'The request is not signed by a service that may send logins here.',
  body_too_large: "The request's body is too large: expected at most {maxBytes} bytes.",
  content_type_not_json: "The request's content type is not JSON: expected application/json.",
  body_missing: 'The request has no body: expected a login event as JSON.',
  body_not_json: "The request's body is not JSON: expected a login event as JSON.",
  event_invalid: 'The login event is not valid. {problems}.',

  /** Ends each message that this bundle makes itself. */
  reference: '(Reference: {requestId})',
};

/** One language: each file beside this one has all of it. */
export type Words = Readonly<typeof WORDS>;
