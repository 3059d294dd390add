/** What decided a login: what was expected, what was found, and where that stands in the event. */
import { expect, test } from '@jest/globals';
import type { LoginKind } from '../../lib/kinds.ts';
import type { Explanation } from '../../lib/profile/decision.ts';
import type { UserLoginResponse } from '../../lib/profile/response.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { rulesOf } from '../../tools/explain/coverage.ts';
import { evidenceOf } from '../../tools/explain/evidence.ts';
import { explanationOf } from '../../tools/explain/explanation.ts';
import { resultOf } from '../../tools/local/invocation.ts';
import type { LogRecord } from '../../tools/local/process/logRecords.ts';
import { noRequests } from '../../tools/local/recordings.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { openId, saml } from '../profile/decided.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

// Read at the first login of this file.
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';

const AT_MS = Date.UTC(2026, 10, 21, 10);
const ENV = {
  OPENID_ISSUERS: '{"https://idp.example.org":{"audiences":["learning"]}}',
  SAML_ISSUERS:
    '{"https://idp.example.org/saml":{"audiences":["urn:learning"],"recipients":["https://acs.example"]}}',
};

interface Told {
  kind: LoginKind;
  event: unknown;
  result: object;
  /** Of the login. */
  record: LogRecord;
  mapping?: Mapping;
  isCode?: boolean;
}

/** Each row in a line: `Title: text @ place`. */
function rowsOf({ kind, event, result, record, mapping = {}, isCode = false }: Told): string[] {
  const fn = {
    name: kind === 'SAML' ? 'samlLoggedIn' : 'openidLoggedIn',
    root: '',
    version: '',
    env: {},
    isLive: false,
  };
  const records = [
    { event: 'cold_start', requiredFields: ['first_name', 'last_name', 'email'] },
    { event: 'login', handler: 'handlers/own', ...record },
  ];
  const answer = { result, failure: null, records, output: '', ms: 1, requests: noRequests() };
  const answered = resultOf(answer, fn, new Stage());
  const account = explanationOf(answered, event, fn.name);
  const ruleTexts = Object.fromEntries(rulesOf(mapping).map(({ path, text }) => [path, text]));
  const { settings } = readConfiguration(kind, ENV);
  return evidenceOf({ kind, answered, event, account, settings, ruleTexts, isCode, atMs: AT_MS }).map(
    ({ title, text, at }) => `${title}: ${text}${at === null ? '' : ` @ ${at.join('.')}`}`,
  );
}

interface Decided {
  response: UserLoginResponse;
  decision: { reason: string };
  trace: Explanation;
}

function ofMapping(
  kind: LoginKind,
  event: unknown,
  mapping: Mapping,
  { response, decision, trace }: Decided,
) {
  return rowsOf({
    kind,
    event,
    mapping,
    result: response,
    record: { reason: decision.reason, explanation: trace },
  });
}

const CLAIMS = 'idToken.otherClaims';
const TABLE = [{ group: '/staff', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', name: 'Staff' }];
const OUR_WORDS = expect.stringMatching(/^The person reads: \S/);

test.each<[string, Mapping, Record<string, unknown>, unknown[]]>([
  [
    'a denied group',
    { groups: { from: ['groups'] }, rules: [{ no_group: ['/locked', '/old'], message: 'Ask Ada.' }] },
    { groups: ['/staff', '/locked'] },
    [
      'Rule: rules[0].no_group: ["/locked","/old"]',
      `Found: /locked @ ${CLAIMS}.groups.1`,
      'The person reads: Ask Ada.',
    ],
  ],
  [
    'no group of a list',
    { groups: { from: ['groups'] }, rules: [{ any_group: ['/staff'] }] },
    { groups: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] },
    [
      'Rule: rules[0].any_group: ["/staff"]',
      ...['a', 'b', 'c', 'd', 'e'].map((group, index) => `Found: ${group} @ ${CLAIMS}.groups.${index}`),
      'Found: 2 more',
      OUR_WORDS,
    ],
  ],
  [
    'groups that a rule needs, and that did not arrive',
    { groups: { from: ['groups'] }, rules: [{ no_group: ['/locked'] }] },
    {},
    [
      'Rule: rules[0].no_group: ["/locked"]',
      expect.stringMatching(/^Why: Did not arrive: groups\./),
      OUR_WORDS,
    ],
  ],
  [
    'groups that did not arrive',
    { groups: { from: ['groups'], required: true } },
    {},
    ['Groups: groups: absent', OUR_WORDS],
  ],
  [
    'an address of another domain',
    { rules: [{ email_domains: ['example.com'] }] },
    {},
    ['Rule: rules[0].email_domains: ["example.com"]', `Found: ada@example.org @ ${CLAIMS}.email`, OUR_WORDS],
  ],
  [
    'a claim that did not arrive',
    { rules: [{ claim: 'department', is: ['physics'] }] },
    {},
    [
      'Rule: rules[0].claim: "department", is ["physics"]',
      expect.stringMatching(/^Why: Did not arrive: department\./),
      OUR_WORDS,
    ],
  ],
  [
    'an issuer that is not listed',
    { issuers: { 'https://a.example': {} } },
    {},
    ['Rule: issuers: ["https://a.example"]', 'Found: https://idp.example.org @ idToken.iss', OUR_WORDS],
  ],
  [
    'a part of the profile that is missing',
    { affiliation: ['unit'] },
    { given_name: undefined },
    [
      expect.stringMatching(/^Missing: first_name, tried given_name, /),
      'Arrived: email, family_name, given_name',
      OUR_WORDS,
    ],
  ],
  [
    'an unverified address',
    {},
    { email_verified: false },
    [
      `Found: email: ada@example.org @ ${CLAIMS}.email`,
      `Found: email_verified: false @ ${CLAIMS}.email_verified`,
      expect.stringMatching(/^Cure: \S/),
      OUR_WORDS,
    ],
  ],
  [
    'rules that allow, with the groups that count',
    { groups: { from: ['groups'], table: TABLE }, rules: [{ any_group: ['/staff'] }] },
    { groups: ['/all', '/staff'] },
    ['Allowed by: rules[0].any_group: ["/staff"]', `Groups: /staff → Staff @ ${CLAIMS}.groups.1`],
  ],
  ['no rule', {}, {}, ['Allowed by: no rule: everybody whose profile is complete gets in']],
])('%s', (_, mapping, claims, rows) => {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, claims);
  // As it arrives: JSON has no undefined.
  const arrived = JSON.parse(JSON.stringify(event));
  expect(ofMapping('OpenID', arrived, mapping, openId(mapping, claims))).toEqual(rows);
});

test('code with a mapping that has no rule', () => {
  const { decision, trace, response: result } = openId({});
  const record = { reason: decision.reason, explanation: trace };
  expect(rowsOf({ kind: 'OpenID', event: openIdEvent(), result, record, isCode: true })).toEqual([
    'Allowed by: the code of handlers/own: the mapping or default handler in it has no rule',
  ]);
});

test('a handler that lets in whom its mapping refuses', () => {
  const { decision, trace } = openId({ rules: [{ email_domains: ['example.com'] }] });
  const record = { reason: 'authorized', explanation: { ...trace, decided: 'ForbiddenResponse' } };
  const result = { type: 'AuthorizedUserResponse' };
  expect(decision.reason).toBe('rule_refused');
  expect(rowsOf({ kind: 'OpenID', event: openIdEvent(), result, record })).toEqual([
    'Handler: handlers/own decides so, in place of ForbiddenResponse, which a mapping or a default handler decided',
  ]);
});

test('an attribute that is not the wanted one', () => {
  const department = attribute('department', 'maths');
  const mapping: Mapping = { rules: [{ attribute: 'department', is: ['physics'] }] };
  const event = samlEvent();
  event.assertion.assertionAttributeStatement.push(department);
  expect(ofMapping('SAML', event, mapping, saml(mapping, [department]))).toEqual([
    'Rule: rules[0].attribute: "department", is ["physics"]',
    'Found: maths @ assertion.assertionAttributeStatement.3.attributeValue',
    OUR_WORDS,
  ]);
});

const AFTER = 'Expected: after 2026-11-21 10:00:00 UTC, with 60 seconds of tolerance';
const BEFORE = AFTER.replace('after', 'before');
const ACS = 'assertion.assertionSubject.subjectConfirmations.0.';
const PARTS = 'assertion.assertionConditions.';

test.each<[string, LoginKind, LogRecord, string[]]>([
  [
    'token_issuer_refused',
    'OpenID',
    {},
    ['Expected: https://idp.example.org', 'Found: https://idp.example.org @ idToken.iss'],
  ],
  ['token_audience_refused', 'OpenID', {}, ['Expected: learning', 'Found: client-1 @ idToken.aud.0']],
  ['token_azp_refused', 'OpenID', {}, ['Expected: learning', 'Found: nothing']],
  ['token_expired', 'OpenID', {}, [AFTER, 'Found: 2026-11-21 11:00:00 UTC @ idToken.exp']],
  ['token_not_yet_valid', 'OpenID', {}, [BEFORE, 'Found: 2026-11-21 10:00:00 UTC @ idToken.iat']],
  [
    'token_claims_differ',
    'OpenID',
    { claims: { names: ['email', 'sub'] } },
    ['Differs: email', 'Differs: sub'],
  ],
  [
    'event_invalid',
    'OpenID',
    { problems: ['idToken.sub: expected a string', null] },
    ['Problem: idToken.sub: expected a string'],
  ],
  [
    'assertion_issuer_refused',
    'SAML',
    {},
    [
      'Expected: https://idp.example.org/saml',
      'Found: https://idp.example.org/saml @ assertion.assertionIssuer',
    ],
  ],
  [
    'assertion_not_yet_valid',
    'SAML',
    {},
    [BEFORE, `Found: 2026-11-21T09:59:58Z @ ${PARTS}conditionsNotBefore`],
  ],
  ['assertion_expired', 'SAML', {}, [AFTER, `Found: 2026-11-21T10:05:00Z @ ${PARTS}conditionsNotOnOrAfter`]],
  [
    'assertion_audience_refused',
    'SAML',
    {},
    [
      'Expected: urn:learning',
      `Found: https://app.example.net/saml/metadata @ ${PARTS}conditionsAudienceRestrictions.0.audienceRestrictionAudience.0`,
    ],
  ],
  [
    'assertion_confirmation_refused',
    'SAML',
    {},
    [
      'Expected: https://acs.example',
      AFTER,
      `Found: urn:oasis:names:tc:SAML:2.0:cm:bearer @ ${ACS}subjectConfirmationMethod`,
      `Found:  @ ${ACS}subjectConfirmationAddress`,
      `Found: 2026-11-21T10:05:00Z @ ${ACS}subjectConfirmationNotOnOrAfter`,
      `Found: https://app.example.net/saml/acs @ ${ACS}subjectConfirmationRecipient`,
    ],
  ],
  ['external_id_missing', 'SAML', { source: 'subject_id' }, ['Missing: subject_id']],
  ['forbidden', 'SAML', {}, ['Handler: handlers/own decides so']],
])('%s', (reason, kind, details, rows) => {
  const event = kind === 'SAML' ? samlEvent() : openIdEvent();
  const issuer = kind === 'SAML' ? 'https://idp.example.org/saml' : 'https://idp.example.org';
  const result = { type: 'ErrorResponse', message: '' };
  expect(rowsOf({ kind, event, result, record: { reason, issuer, ...details } })).toEqual(rows);
});

test('what is nested too deep is left out', () => {
  const event = samlEvent();
  const [confirmation] = event.assertion.assertionSubject.subjectConfirmations;
  Object.assign(confirmation ?? {}, { other: JSON.parse(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`) });
  const record = { reason: 'assertion_confirmation_refused', issuer: 'https://idp.example.org/saml' };
  const result = { type: 'ErrorResponse', message: '' };
  expect(rowsOf({ kind: 'SAML', event, result, record })).toHaveLength(6);
});

test('records that a handler printed in another form are no evidence', () => {
  const explanation = { fields: {}, rule: 7, rules: [{ path: 7, verdict: 'refuses' }] };
  const result = { type: 'ForbiddenResponse', message: '' };
  expect(
    rowsOf({ kind: 'OpenID', event: openIdEvent(), result, record: { reason: 'rule_refused', explanation } }),
  ).toEqual([]);
});

test('a check of a token finds what the token says, which is not what the event says', () => {
  const payload = Buffer.from('{"aud":"other"}').toString('base64url');
  const event = { ...openIdEvent(), idTokenJwt: `e30.${payload}.x` };
  const record = { reason: 'token_audience_refused', issuer: 'https://idp.example.org' };
  const result = { type: 'ErrorResponse', message: '' };
  expect(rowsOf({ kind: 'OpenID', event, result, record })).toContain('Found: other @ idToken.aud');
});
