/** What each reason and each rule of a mapping says of a login: where it ended, the fact, what was expected and what to change. */
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import type { ReasonCode } from '../../lib/reasons.ts';
import type { Settings } from '../../lib/settings.ts';
import { CURES as UNAVAILABLE } from '../local/unavailable.ts';
import { timeText } from '../shared/readable.ts';
import type { Place } from './places.ts';

export type StepName =
  | 'start'
  | 'request'
  | 'caller'
  | 'event'
  | 'token'
  | 'assertion'
  | 'handler'
  | 'response';

export interface Judging {
  settings: Settings;
  issuer: string;
  /** When it was answered, by the function's clock, in milliseconds since 1970. */
  atMs: number;
}

interface ReasonRow {
  step: StepName;
  /** Follows `Forbidden: ` or `Error: `, and has no value of the event. */
  sentence: string;
  /** What to change, whichever handler is in force; empty where there is nothing to change. */
  change: string;
  /** What to change where it came too late, and nothing else is wrong. */
  changeIfLate?: string;
  /** Where in the event the function looked; left out where it looked elsewhere. */
  place?: Place;
  /** The fields below the place that it looked at. Default: all. */
  fields?: readonly string[];
  expected?: (judging: Judging) => readonly string[];
}

const OF_CODE = 'If this person should get in, compare what the handler looks at with what arrived.';
const CLOCKS =
  'Set the clocks of the provider and of this machine by NTP. If it is only one person, the tab may be old.';
const TO_THE_PROVIDER = 'Report it to the people who run the provider: OpenID Connect Core 2 requires it.';
const IN_THE_LOG = 'Correct what the cold_start record names, and deploy.';
const BY_DOCS = 'Compare the headers of the request with docs/connect.md.';

const clients = ({ settings, issuer }: Judging) => settings.openidIssuers.get(issuer)?.audiences ?? [];
const service = ({ settings, issuer }: Judging) => settings.samlIssuers.get(issuer);
const tolerance = ({ settings }: Judging) => `with ${settings.clockSkewSeconds} seconds of tolerance`;
const after = (judging: Judging) => [`after ${timeText(judging.atMs)}, ${tolerance(judging)}`];
const before = (judging: Judging) => [`before ${timeText(judging.atMs)}, ${tolerance(judging)}`];

/** A look-up or a secret: the same words tell the person at the terminal what to do. */
function ofHandler(sentence: string, change: string): ReasonRow {
  return { step: 'handler', sentence, change: `${change.charAt(0).toUpperCase()}${change.slice(1)}.` };
}

export const REASON_ROWS = {
  authorized: { step: 'response', sentence: 'the person gets in', change: '' },
  forbidden: { step: 'handler', sentence: 'the handler decides so', change: OF_CODE },
  error: { step: 'handler', sentence: 'the handler decides so', change: OF_CODE },

  profile_incomplete: {
    step: 'handler',
    sentence: 'the provider does not send the whole profile',
    change:
      'Have the provider send the missing part, or name in the mapping what arrives (docs/mappings.md).',
  },
  email_unverified: {
    step: 'handler',
    sentence: 'the provider does not confirm that the e-mail address is verified',
    change:
      'Have the provider verify the address and say so, or accept unverified addresses of this issuer: email.unverified (docs/mappings.md).',
  },
  groups_unknown: {
    step: 'handler',
    sentence: 'the provider does not say which groups the person is in',
    change:
      'Have the provider send the groups that the mapping reads, or say what it means that they are absent: groups.absent, groups.unknown (docs/mappings.md).',
  },
  groups_ambiguous: {
    step: 'handler',
    sentence: 'the provider sends the groups in an unclear form',
    change:
      'Have the provider send one value for each group, or set groups.separator (docs/mappings.md, "Deny a group").',
  },
  assurance_unknown: {
    step: 'handler',
    sentence: 'the provider does not say how or when the person signed in',
    change:
      'Have the service request that way to sign in, or the provider say it (docs/mappings.md, "Demand assurance").',
  },
  external_id_refused: {
    step: 'handler',
    sentence: 'the identifier that the mapping takes cannot be used',
    change:
      'Have the provider send one identifier for each person, with a scope of its own, or map another one (docs/mappings.md, "Identify people").',
  },
  claim_unknown: {
    step: 'handler',
    sentence: 'the provider does not send a value that can be compared',
    change:
      'Have the provider send the claim or attribute, one item for each value (docs/mappings.md, "Deny a value").',
  },
  rule_refused: {
    step: 'handler',
    sentence: 'a rule of the mapping refuses',
    change: 'If this person should get in, change the rule, or what it looks at.',
  },
  issuer_not_listed: {
    step: 'handler',
    sentence: 'the mapping does not list the issuer',
    change: 'If its people should get in, add exactly this issuer to issuers of the mapping.',
  },

  configuration_unusable: { step: 'start', sentence: 'a setting is wrong', change: IN_THE_LOG },
  handler_not_loaded: { step: 'start', sentence: 'the handler cannot be loaded', change: IN_THE_LOG },

  body_too_large: {
    step: 'request',
    sentence: 'the body of the request is too large',
    change: 'Have the service send less, or raise MAX_BODY_BYTES.',
  },
  signature_missing: {
    step: 'caller',
    sentence: 'the request has no signature',
    change: `Have the service sign its requests. ${BY_DOCS}`,
  },
  signature_malformed: {
    step: 'caller',
    sentence: 'the signature of the request is in the wrong form',
    change: BY_DOCS,
  },
  signature_expired: {
    step: 'caller',
    sentence: 'the signature of the request is too old',
    change: 'Compare the clocks of the service and of this function.',
  },
  signature_wrong: {
    step: 'caller',
    sentence: 'the signature of the request is wrong',
    change: 'Compare the secrets of both sides, and see that nothing in between rewrites the body.',
  },
  content_type_not_json: {
    step: 'request',
    sentence: 'the content type of the request is not JSON',
    change: 'Have the service send the content type application/json.',
  },
  body_missing: {
    step: 'request',
    sentence: 'the request has no body',
    change: 'Have the service send the login event as the body.',
  },
  body_not_json: {
    step: 'request',
    sentence: 'the body of the request is not JSON',
    change: 'Have the service send JSON in UTF-8, without compression.',
  },

  event_invalid: {
    step: 'event',
    sentence: 'the event is not valid',
    change: 'Have the service send the login event of the interface: the problems say what differs.',
  },
  token_malformed: {
    step: 'token',
    sentence: 'the token is in the wrong form',
    change: TO_THE_PROVIDER,
  },
  token_algorithm_refused: {
    step: 'token',
    sentence: 'the token is signed by an algorithm that is not accepted (alg)',
    change:
      'Have the provider sign the ID tokens of this client with RS256 or ES256 (Keycloak: client, "Advanced", "ID token signature algorithm").',
  },
  token_type_refused: {
    step: 'token',
    sentence: 'the token is not an ID token',
    change: 'Have the service send the ID token, and no access token or logout token in its place.',
  },
  token_key_unknown: {
    step: 'token',
    sentence: 'the issuer has no key of the token (kid)',
    change:
      'See whether the key set of the issuer has kid of the token: it may be of another realm or tenant.',
  },
  token_signature_wrong: {
    step: 'token',
    sentence: 'the signature of the token is wrong',
    change: 'Find what changes the token on its way. A token that somebody made up is refused so.',
  },
  token_issuer_refused: {
    step: 'token',
    sentence: 'the token is from another issuer (iss)',
    change: 'If its people should get in, add exactly this issuer to OPENID_ISSUERS.',
    place: ['id_token', 'iss'],
    expected: ({ settings }) => [...settings.openidIssuers.keys()],
  },
  token_audience_refused: {
    step: 'token',
    sentence: 'the token is for another client (aud)',
    change:
      'Use the client of the service at the provider, or add the client id to audiences in OPENID_ISSUERS.',
    place: ['id_token', 'aud'],
    expected: clients,
  },
  token_azp_refused: {
    step: 'token',
    sentence: 'the token was issued to another client (azp)',
    change:
      'Have the provider issue it only to the client of the service, or add that client id to audiences in OPENID_ISSUERS.',
    place: ['id_token', 'other_claims', 'azp'],
    expected: clients,
  },
  token_expired: {
    step: 'token',
    sentence: 'the token has expired (exp)',
    change: CLOCKS,
    place: ['id_token', 'exp'],
    expected: after,
  },
  token_not_yet_valid: {
    step: 'token',
    sentence: 'the token is not valid yet (nbf or iat)',
    change: CLOCKS,
    place: ['id_token', 'iat'],
    expected: before,
  },
  token_access_token_differs: {
    step: 'token',
    sentence: 'the token belongs to another access token (at_hash)',
    change: 'Have the service send the access token and the ID token of the same login.',
    place: ['id_token', 'other_claims', 'at_hash'],
  },
  token_claims_differ: {
    step: 'token',
    sentence: 'the event has other claims than the token',
    change: 'Have the service send the claims as the token has them.',
  },
  keys_unavailable: {
    step: 'token',
    sentence: 'the keys of the issuer are not available',
    change: 'See that the function can reach the discovery document and the key set of the issuer.',
  },
  assertion_issuer_refused: {
    step: 'assertion',
    sentence: 'the assertion is from another issuer',
    change: 'If its people should get in, add exactly this issuer to SAML_ISSUERS.',
    place: ['assertion', 'issuer'],
    expected: ({ settings }) => [...settings.samlIssuers.keys()],
  },
  assertion_not_yet_valid: {
    step: 'assertion',
    sentence: 'the assertion is not valid yet (NotBefore)',
    change: CLOCKS,
    place: ['assertion', 'conditions', 'no_before'],
    expected: before,
  },
  assertion_expired: {
    step: 'assertion',
    sentence: 'the assertion has expired (NotOnOrAfter)',
    change: CLOCKS,
    place: ['assertion', 'conditions', 'not_on_or_after'],
    expected: after,
  },
  assertion_audience_refused: {
    step: 'assertion',
    sentence: 'the assertion is for another service (Audience)',
    change:
      'Enter the entity ID of the service at the provider (Keycloak: "Client ID"; Entra: "Identifier (Entity ID)"; Okta: "Audience URI (SP Entity ID)"; Google: "Entity ID"), or add it to audiences in SAML_ISSUERS.',
    place: ['assertion', 'conditions', 'audience_restrictions'],
    expected: (judging) => service(judging)?.audiences ?? [],
  },
  assertion_confirmation_refused: {
    step: 'assertion',
    sentence: 'the assertion was sent to another address, or too late (SubjectConfirmation)',
    change: `Enter the ACS URL of the service at the provider, or add it to recipients in SAML_ISSUERS. ${CLOCKS}`,
    changeIfLate: `Have the provider issue assertions with a longer lifetime. ${CLOCKS}`,
    place: ['assertion', 'subject', 'confirmations'],
    fields: ['method', 'recipient', 'notOnOrAfter'],
    expected: (judging) => [...(service(judging)?.recipients ?? []), ...after(judging)],
  },
  external_id_missing: {
    step: 'response',
    sentence: 'the provider sends no permanent identifier of the person',
    change:
      'Have the provider send the identifier that OPENID_EXTERNAL_ID or SAML_EXTERNAL_ID names, with a scope that the rules on scopes list, or choose another one (docs/settings.md).',
  },

  handler_threw: {
    step: 'handler',
    sentence: 'the handler threw an error',
    change: 'Correct the handler at the line that the error names.',
  },
  handler_timed_out: {
    step: 'handler',
    sentence: 'the handler took too long',
    change: 'See what the handler waits for, HANDLER_TIMEOUT_MS, and timeout of the function.',
  },
  answer_invalid: {
    step: 'response',
    sentence: 'the response of the handler is not valid',
    change: 'Have the handler return one of the three responses, on every path.',
  },
  lookup_timed_out: ofHandler('another system did not respond in time', UNAVAILABLE.lookup_timed_out),
  lookup_connection_failed: ofHandler(
    'another system cannot be reached',
    UNAVAILABLE.lookup_connection_failed,
  ),
  lookup_status: ofHandler(
    'another system refused the request',
    'check the address, the credentials and the rights of the look-up',
  ),
  lookup_redirected: ofHandler('another system redirects to another address', UNAVAILABLE.lookup_redirected),
  lookup_too_large: ofHandler('the response of another system is too large', UNAVAILABLE.lookup_too_large),
  lookup_not_json: ofHandler('the response of another system is not JSON', UNAVAILABLE.lookup_not_json),
  lookup_unexpected: ofHandler(
    'the response of another system is not as expected',
    UNAVAILABLE.lookup_unexpected,
  ),
  lookup_url_refused: ofHandler('the address of a look-up is not accepted', UNAVAILABLE.lookup_url_refused),
  secret_not_found: ofHandler('a secret does not exist', UNAVAILABLE.secret_not_found),
  secret_access_denied: ofHandler(
    'the function may not read a secret',
    `${UNAVAILABLE.secret_access_denied}. On AWS, list it in SECRET_IDS and deploy`,
  ),
  secret_throttled: ofHandler('AWS throttles the requests for secrets', UNAVAILABLE.secret_throttled),
  secret_service_failed: ofHandler(
    'the service of secrets cannot be reached',
    UNAVAILABLE.secret_service_failed,
  ),
  secret_timed_out: ofHandler('the service of secrets did not respond in time', UNAVAILABLE.secret_timed_out),
  secret_unusable: ofHandler('the value of a secret cannot be used', UNAVAILABLE.secret_unusable),
  secret_failed: ofHandler('a secret cannot be read', 'see the problems, which say why'),

  internal_error: {
    step: 'handler',
    sentence: 'login-hooks has a mistake',
    change: 'Report it, with error of the log record.',
  },
} as const satisfies Readonly<Record<ReasonCode, ReasonRow>>;

const ROWS: ReadonlyMap<string, ReasonRow> = new Map(Object.entries(REASON_ROWS));

/** @returns null for what happened to a process, which is in no table of reasons */
export function reasonRow(reason: string): ReasonRow | null {
  return ROWS.get(reason) ?? null;
}

/** @param reason of a record; one that the table does not have is its own sentence */
export function reasonSentence(reason: string): string {
  return reasonRow(reason)?.sentence ?? reason;
}

interface Facts {
  /** The group that it denies, or the value that is not the one it wants; null where there is none. */
  found: string | null;
  /** The claim or attribute of `found`. */
  name: string;
  address: string | null;
  /** The groups of the person; empty where there are none. */
  groups: string;
}

interface RuleRow {
  /** @param rule where it stands in the mapping, e.g. `rules[0]` */
  sentence: (rule: string, facts: Facts) => string;
  /** @param condition as the mapping has it, e.g. `["/staff"]` */
  expected: (condition: string) => string;
  change: string;
}

const AN_ADDRESS = 'the e-mail address';

const OF_VALUE: Pick<RuleRow, 'sentence' | 'expected'> = {
  sentence: (rule, { found, name }) =>
    found === null
      ? `${rule} refuses: nothing that it wants arrived`
      : `${name} is ${found}, which ${rule} does not allow`,
  expected: (condition) => condition,
};

const RULE_ROWS = {
  emails: {
    sentence: (rule, { address }) => `${address ?? AN_ADDRESS} is no address that ${rule} lists`,
    expected: (condition) => `one of the addresses ${condition}`,
    change: 'add the address to the rule, or correct it at the provider.',
  },
  email_domains: {
    sentence: (rule, { address }) => `${address ?? AN_ADDRESS} is of no domain that ${rule} lists`,
    expected: (condition) => `an address of a domain of ${condition}`,
    change:
      'add the domain to the rule, if it belongs to the organisation of this issuer; otherwise correct the address at the provider.',
  },
  scopes: {
    sentence: (rule, { found }) =>
      found === null
        ? `no affiliation arrived, and ${rule} needs one`
        : `${found} is not an affiliation that ${rule} allows`,
    expected: (condition) => `an affiliation of ${condition}`,
    change:
      'have the provider release eduPersonScopedAffiliation (urn:oid:1.3.6.1.4.1.5923.1.1.1.9, eduperson_scoped_affiliation), or add its scope or affiliation to the rule.',
  },
  any_group: {
    sentence: (rule, { groups }) =>
      `in none of the groups that ${rule} allows${groups === '' ? '' : ` (in ${groups})`}`,
    expected: (condition) => `one of the groups ${condition}`,
    change:
      'add the person to one of them at the provider, or add a group to the rule, spelled as it arrives.',
  },
  no_group: {
    sentence: (rule, { found }) => `in group ${found}, which ${rule} denies`,
    expected: (condition) => `none of the groups ${condition}`,
    change: 'take the person out of that group at the provider, or the group out of the rule.',
  },
  claim: {
    ...OF_VALUE,
    change: 'correct the value at the provider, or the list of the rule, with its JSON type.',
  },
  attribute: {
    ...OF_VALUE,
    change: 'correct the value at the provider, or the list of the rule, spelled as it arrives.',
  },
  assurance: {
    ...OF_VALUE,
    change:
      'have the service request that way to sign in, or change the rule (docs/mappings.md, "Demand assurance").',
  },
} as const satisfies Readonly<Record<RuleKey, RuleRow>>;

const RULES: ReadonlyMap<string, RuleRow> = new Map(Object.entries(RULE_ROWS));

/** @param path of a rule in a mapping, e.g. `rules[0].any_group`; undefined for the list of issuers */
export function ruleRow(path: string): RuleRow | undefined {
  return RULES.get(path.replace(/.*\./, ''));
}
