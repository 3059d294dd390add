/** What each reason, each rule of a mapping and each note on an address says of a login: the fact, where it looked, and what to change. */
import type { AddressRefusal } from '../../lib/profile/fields/addressChoice.ts';
import type { RuleKey } from '../../lib/profile/schema/ruleSchema.ts';
import type { ReasonCode } from '../../lib/reasons.ts';
import type { Settings } from '../../lib/settings.ts';
import { CURES } from '../local/unavailable.ts';
import { capitalised, timeText } from '../shared/readable.ts';
import type { Place } from './places.ts';

export interface Judging {
  settings: Settings;
  issuer: string;
  /** When it was answered, by the function's clock, in milliseconds since 1970. */
  atMs: number;
}

type ReasonRow = readonly [
  /** Follows `Forbidden: ` or `Error: `, and has no value of the event. */
  sentence: string,
  /** Whichever handler is in force; empty where there is nothing to change. */
  change: string,
  /** Where in the event the function looked; left out where it looked elsewhere. */
  place?: Place,
  expected?: (judging: Judging) => readonly string[],
];

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

const A_SECRET = 'a secret cannot be read';

const REASON_ROWS = {
  authorized: ['the person gets in', ''],
  forbidden: ['the handler decides so', OF_CODE],
  error: ['the handler decides so', OF_CODE],

  profile_incomplete: [
    'the provider does not send the whole profile',
    'Have the provider send the missing part, or name in the mapping what arrives (docs/mappings.md).',
  ],
  email_unverified: [
    'the provider does not confirm that the e-mail address is verified',
    'Have the provider verify the address and say so, or accept unverified addresses of this issuer: email.unverified (docs/mappings.md).',
  ],
  groups_unknown: [
    'the provider does not say which groups the person is in',
    'Have the provider send the groups that the mapping reads, or say what it means that they are absent: groups.absent, groups.unknown (docs/mappings.md).',
  ],
  groups_ambiguous: [
    'the provider sends the groups in an unclear form',
    'Have the provider send one value for each group, or set groups.separator (docs/mappings.md, "Deny a group").',
  ],
  assurance_unknown: [
    'the provider does not say how or when the person signed in',
    'Have the service request that way to sign in, or the provider say it (docs/mappings.md, "Demand assurance").',
  ],
  external_id_refused: [
    'the identifier that the mapping takes cannot be used',
    'Have the provider send one identifier for each person, with a scope of its own, or map another one (docs/mappings.md, "Identify people").',
  ],
  claim_unknown: [
    'the provider does not send a value that can be compared',
    'Have the provider send the claim or attribute, one item for each value (docs/mappings.md, "Deny a value").',
  ],
  rule_refused: [
    'a rule of the mapping refuses',
    'If this person should get in, change the rule, or what it looks at.',
  ],
  issuer_not_listed: [
    'the mapping does not list the issuer',
    'If its people should get in, add exactly this issuer to issuers of the mapping.',
  ],

  configuration_unusable: ['a setting is wrong', IN_THE_LOG],
  handler_not_loaded: ['the handler cannot be loaded', IN_THE_LOG],

  body_too_large: [
    'the body of the request is too large',
    'Have the service send less, or raise MAX_BODY_BYTES.',
  ],
  signature_missing: ['the request has no signature', `Have the service sign its requests. ${BY_DOCS}`],
  signature_malformed: ['the signature of the request is in the wrong form', BY_DOCS],
  signature_expired: [
    'the signature of the request is too old',
    'Compare the clocks of the service and of this function.',
  ],
  signature_wrong: [
    'the signature of the request is wrong',
    'Compare the secrets of both sides, and see that nothing in between rewrites the body.',
  ],
  content_type_not_json: [
    'the content type of the request is not JSON',
    'Have the service send the content type application/json.',
  ],
  body_missing: ['the request has no body', 'Have the service send the login event as the body.'],
  body_not_json: [
    'the body of the request is not JSON',
    'Have the service send JSON in UTF-8, without compression.',
  ],

  event_invalid: [
    'the event is not valid',
    'Have the service send the login event of the interface: the problems say what differs.',
  ],
  token_malformed: ['the token is in the wrong form', TO_THE_PROVIDER],
  token_algorithm_refused: [
    'the token is signed by an algorithm that is not accepted (alg)',
    'Have the provider sign the ID tokens of this client with RS256 or ES256 (Keycloak: client, "Advanced", "ID token signature algorithm").',
  ],
  token_type_refused: [
    'the token is not an ID token',
    'Have the service send the ID token, and no access token or logout token in its place.',
  ],
  token_key_unknown: [
    'the issuer has no key of the token (kid)',
    'See whether the key set of the issuer has kid of the token: it may be of another realm or tenant.',
  ],
  token_signature_wrong: [
    'the signature of the token is wrong',
    'Find what changes the token on its way. A token that somebody made up is refused so.',
  ],
  token_issuer_refused: [
    'the token is from another issuer (iss)',
    'If its people should get in, add exactly this issuer to OPENID_ISSUERS.',
    ['id_token', 'iss'],
    ({ settings }) => [...settings.openidIssuers.keys()],
  ],
  token_audience_refused: [
    'the token is for another client (aud)',
    'Use the client of the service at the provider, or add the client id to audiences in OPENID_ISSUERS.',
    ['id_token', 'aud'],
    clients,
  ],
  token_azp_refused: [
    'the token was issued to another client (azp)',
    'Have the provider issue it only to the client of the service, or add that client id to audiences in OPENID_ISSUERS.',
    ['id_token', 'other_claims', 'azp'],
    clients,
  ],
  token_expired: ['the token has expired (exp)', CLOCKS, ['id_token', 'exp'], after],
  token_not_yet_valid: ['the token is not valid yet (nbf or iat)', CLOCKS, ['id_token', 'iat'], before],
  token_access_token_differs: [
    'the token belongs to another access token (at_hash)',
    'Have the service send the access token and the ID token of the same login.',
    ['id_token', 'other_claims', 'at_hash'],
  ],
  token_claims_differ: [
    'the event has other claims than the token',
    'Have the service send the claims as the token has them.',
  ],
  keys_unavailable: [
    'the keys of the issuer are not available',
    'See that the function can reach the discovery document and the key set of the issuer.',
  ],
  assertion_issuer_refused: [
    'the assertion is from another issuer',
    'If its people should get in, add exactly this issuer to SAML_ISSUERS.',
    ['assertion', 'issuer'],
    ({ settings }) => [...settings.samlIssuers.keys()],
  ],
  assertion_not_yet_valid: [
    'the assertion is not valid yet (NotBefore)',
    CLOCKS,
    ['assertion', 'conditions', 'no_before'],
    before,
  ],
  assertion_expired: [
    'the assertion has expired (NotOnOrAfter)',
    CLOCKS,
    ['assertion', 'conditions', 'not_on_or_after'],
    after,
  ],
  assertion_audience_refused: [
    'the assertion is for another service (Audience)',
    'Enter the entity ID of the service at the provider (Keycloak: "Client ID"; Entra: "Identifier (Entity ID)"; Okta: "Audience URI (SP Entity ID)"; Google: "Entity ID"), or add it to audiences in SAML_ISSUERS.',
    ['assertion', 'conditions', 'audience_restrictions'],
    (judging) => service(judging)?.audiences ?? [],
  ],
  assertion_confirmation_refused: [
    'the assertion was sent to another address, or too late (SubjectConfirmation)',
    `Enter the ACS URL of the service at the provider, or add it to recipients in SAML_ISSUERS. If it came too late, have the provider issue assertions with a longer lifetime. ${CLOCKS}`,
    ['assertion', 'subject', 'confirmations'],
    (judging) => [...(service(judging)?.recipients ?? []), ...after(judging)],
  ],
  external_id_missing: [
    'the provider sends no permanent identifier of the person',
    'Have the provider send the identifier that OPENID_EXTERNAL_ID or SAML_EXTERNAL_ID names, with a scope that the rules on scopes list, or choose another one (docs/settings.md).',
  ],

  handler_threw: ['the handler threw an error', 'Correct the handler at the line that the error names.'],
  handler_timed_out: [
    'the handler took too long',
    'See what the handler waits for, HANDLER_TIMEOUT_MS, and timeout of the function.',
  ],
  answer_invalid: [
    'the response of the handler is not valid',
    'Have the handler return one of the three responses, on every path.',
  ],
  secret_access_denied: [
    A_SECRET,
    `${capitalised(CURES.secret_access_denied)}. On AWS, list it in SECRET_IDS and deploy.`,
  ],
  secret_failed: [A_SECRET, 'See the problems, which say why.'],

  internal_error: ['login-hooks has a mistake', 'Report it, with error of the log record.'],
} as const satisfies Readonly<
  Record<Exclude<ReasonCode, keyof typeof CURES>, ReasonRow> & Partial<Record<ReasonCode, ReasonRow>>
>;

const ROWS: ReadonlyMap<string, ReasonRow> = new Map([
  // The same words tell the person at the terminal what to do.
  ...Object.entries(CURES).map(([code, cure]): [string, ReasonRow] => [
    code,
    [code.startsWith('secret_') ? A_SECRET : 'a request to another system failed', `${capitalised(cure)}.`],
  ]),
  ...Object.entries(REASON_ROWS),
]);

/** @param reason of a record; one that the table does not have, of what happened to a process, is its own sentence */
export function reasonRow(reason: string): ReasonRow {
  return ROWS.get(reason) ?? [reason, ''];
}

/** What to change where a rule refuses, by its key in the mapping. */
export const RULE_CHANGES: Readonly<Record<RuleKey, string>> = {
  emails: 'add the address to the rule, or correct it at the provider.',
  email_domains:
    'add the domain to the rule, if it belongs to the organisation of this issuer; otherwise correct the address at the provider.',
  scopes:
    'add the scope and affiliation to the rule, if the scope belongs to this issuer; otherwise correct them at the provider.',
  any_group:
    'add the person to one of them at the provider, or add a group to the rule, spelled as it arrives.',
  no_group: 'take the person out of that group at the provider, or the group out of the rule.',
  claim: 'correct the value at the provider, or the list of the rule, with its JSON type.',
  attribute: 'correct the value at the provider, or the list of the rule, spelled as it arrives.',
  assurance:
    'have the service request that way to sign in, or the provider release that eduPersonAssurance, or change the rule (docs/mappings.md, "Demand assurance").',
};

/** Keyed by the notes that a field of the explanation has. */
const ADDRESS_FACTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ambiguous: 'several addresses arrived as one text',
    invalid: 'what arrived is no e-mail address',
    guest: 'the address that arrived is the name that Entra gives a guest',
    compatibility: 'the address has compatibility characters of Unicode',
    unproven: 'the provider does not say that the address is verified',
    unverified: 'the provider says that the address is not verified',
    unreadable: 'what the provider says of the address is neither yes nor no',
  } satisfies Readonly<Record<AddressRefusal, string>>),
);

/** What is wrong with an address that arrived, or what its provider says of it; undefined for the note of another field. */
export function addressFact(note: string): string | undefined {
  return ADDRESS_FACTS.get(note);
}
