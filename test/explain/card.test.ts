/** What decided a login: the rule, what was found and where, what was expected, and what to change. */
import { expect, test } from '@jest/globals';
import type { LoginKind } from '../../lib/kinds.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { type CardOptions, cardOf } from '../../tools/explain/card.ts';
import type { AnsweredLogin } from '../../tools/explain/explanation.ts';
import { placeText } from '../../tools/explain/places.ts';
import type { HandlerReads } from '../../tools/explain/reads.ts';
import type { LogRecord } from '../../tools/local/process/logRecords.ts';
import { openId } from '../profile/decided.ts';
import { attribute, openIdEvent, type samlEvent } from '../support/wire.ts';
import { answered, openIdLogin, refusedLogin, samlLogin } from './logins.ts';

const ENV = {
  OPENID_ISSUERS: '{"https://idp.example.org":{"audiences":["learning"]}}',
  SAML_ISSUERS:
    '{"https://idp.example.org/saml":{"audiences":["urn:learning"],"recipients":["https://acs.example"]}}',
};

/** Each row as `Title: text @ place`, without what the person reads. */
function rowsOf(login: AnsweredLogin, options: CardOptions = {}): string[] {
  return cardOf(login, { env: ENV, atMs: Date.UTC(2026, 10, 21, 10), ...options })
    .filter(({ title }) => title !== 'The person reads')
    .map(({ title, text, at }) => `${title}: ${text}${at === null ? '' : ` @ ${placeText(at)}`}`);
}

const CLAIMS = 'id_token.other_claims';
const TABLE = [{ group: '/staff', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', name: 'Staff' }];
const groups = { from: ['groups'] };
const campus = { from: ['realm_access.roles', 'groups'] };
const STAFF: Mapping = { groups: campus, rules: [{ any_group: ['default-roles-campus'] }] };
const change = (pattern: RegExp) => expect.stringMatching(pattern);

test.each<[string, Mapping, Record<string, unknown>, unknown[]]>([
  [
    'a denied group',
    { groups, rules: [{ no_group: ['/locked', '/old'] }] },
    { groups: ['/staff', '/locked'] },
    [
      'Rule: rules[0].no_group',
      `Found: groups: /locked @ ${CLAIMS}.groups[1]`,
      'Expected: none of the groups ["/locked","/old"]',
      change(/^Change: .* take the person out of that group/),
    ],
  ],
  [
    'no source of groups arrived',
    STAFF,
    {},
    [
      'Rule: rules[0].any_group',
      'Found: nothing: `realm_access.roles` and `groups` are absent',
      'Expected: one of the groups ["default-roles-campus"]',
      change(/ or `groups` \(Keycloak: a mapper "Group Membership"/),
    ],
  ],
  [
    'only another source of groups arrived',
    STAFF,
    { groups: [...'abcdefg'] },
    [
      'Rule: rules[0].any_group',
      'Found: `realm_access.roles` is absent',
      ...[...'abcd'].map((group, index) => `Found: ${group} @ ${CLAIMS}.groups[${index}]`),
      'Found: 3 more',
      'Expected: one of the groups ["default-roles-campus"]',
      change(/^Change: Have the provider send `realm_access\.roles` \(Keycloak: .*"realm roles"/),
    ],
  ],
  [
    'a source with a similar name',
    { groups: { from: ['group'] }, rules: [{ any_group: ['a'] }] },
    { groups: ['a'] },
    [
      'Rule: rules[0].any_group',
      'Found: nothing: `group` is absent',
      'Expected: one of the groups ["a"]',
      change(/similar name that arrived: groups/),
    ],
  ],
  [
    'groups that a rule needs and that did not arrive',
    { groups, rules: [{ no_group: ['/locked'] }] },
    {},
    [
      'Rule: rules[0].no_group',
      'Found: nothing: `groups` is absent',
      'Expected: none of the groups ["/locked"]',
      change(/^Change: Have the provider send `groups` .*groups\.absent\.$/),
    ],
  ],
  [
    'groups that the mapping needs and that the provider left out',
    { groups: { from: ['groups'] } },
    { hasgroups: true },
    [
      'Found: nothing: the provider left groups out of `groups`',
      'Expected: groups in `groups`',
      change(/^Change: Send only the groups that the service needs/),
    ],
  ],
  [
    'an address of another domain',
    { rules: [{ email_domains: ['example.com'] }] },
    {},
    [
      'Rule: rules[0].email_domains',
      `Found: ada@example.org @ ${CLAIMS}.email`,
      'Expected: an address of a domain of ["example.com"]',
      change(/add the domain to the rule/),
    ],
  ],
  [
    'a claim that did not arrive',
    { rules: [{ claim: 'department', is: ['physics'] }] },
    {},
    [
      'Rule: rules[0].claim',
      'Found: nothing. Did not arrive: department.',
      'Expected: "department", is ["physics"]',
      'Change: Correct the name, or have the provider send it.',
    ],
  ],
  [
    'an issuer that is not listed',
    { issuers: { 'https://a.example': {} } },
    {},
    [
      'Rule: issuers',
      'Found: https://idp.example.org @ id_token.iss',
      'Expected: one of ["https://a.example"]',
      change(/add exactly this issuer/),
    ],
  ],
  [
    'a part of the profile that is missing',
    { first_name: ['forename'] },
    { email: undefined, given_name: undefined },
    [
      'Found: nothing for email: `email` is absent',
      'Found: nothing for first_name: `forename` is absent',
      'Found: what arrived: family_name',
      'Expected: email in `email`',
      'Expected: first_name in `forename`',
      change(
        /^Change: Have the service ask for the scope email .* Have the provider send `forename`, or name/,
      ),
    ],
  ],
  [
    'a name that arrived without a value',
    {},
    { given_name: ' ' },
    [
      'Found: nothing for first_name: `name` is absent, `given_name` cannot be used',
      'Found: what arrived: email, family_name, given_name',
      'Expected: first_name in `given_name` or `name`',
      change(/^Change: The scope profile was granted/),
    ],
  ],
  [
    'an unverified address',
    {},
    { email_verified: false },
    [
      `Found: email: ada@example.org @ ${CLAIMS}.email`,
      `Found: email_verified: false @ ${CLAIMS}.email_verified`,
      'Expected: an address that the provider says is verified',
      change(/^Change: Have the provider verify the address/),
    ],
  ],
  [
    'several identifiers',
    { external_id: { from: ['uid'], issuer: false } },
    { uid: ['a', 'b'] },
    [
      `Found: uid: a @ ${CLAIMS}.uid[0]`,
      `Found: uid: b @ ${CLAIMS}.uid[1]`,
      'Expected: one identifier in `uid`',
      change(/have the provider send one\.$/),
    ],
  ],
  [
    'rules that allow, with the groups that count',
    { groups: { from: ['groups'], table: TABLE }, rules: [{ any_group: ['/staff'] }] },
    { groups: ['/all', '/staff'], email_verified: true },
    ['Rule: rules[0].any_group: ["/staff"]', `Found: /staff → Staff @ ${CLAIMS}.groups[1]`],
  ],
  [
    'the issuers that the mapping lists',
    { issuers: { 'https://idp.example.org': {} } },
    { email_verified: true },
    ['Rule: issuers: ["https://idp.example.org"]', `Found: ada@example.org @ ${CLAIMS}.email`],
  ],
  [
    'no rule, and an address that nobody vouches for',
    {},
    {},
    [
      'Warning: the provider does not say that the address is verified. Have the provider verify the address and say so, or accept only addresses of its own domains, by email_domains in a mapping (docs/mappings.md).',
      'Rule: none: everybody whose profile is complete gets in',
      `Found: ada@example.org @ ${CLAIMS}.email`,
    ],
  ],
])('%s', (_, mapping, claims, rows) => {
  expect(rowsOf(openIdLogin(mapping, claims))).toEqual(rows);
});

test('the person reads the words of the operator', () => {
  const mapping: Mapping = { rules: [{ email_domains: ['example.com'], message: 'Ask Ada.' }] };
  expect(cardOf(openIdLogin(mapping)).at(-1)).toEqual({
    title: 'The person reads',
    text: 'Ask Ada.',
    at: null,
  });
});

test('an attribute that is not the wanted one', () => {
  const mapping: Mapping = { rules: [{ attribute: 'department', is: ['physics'] }] };
  expect(rowsOf(samlLogin(mapping, [attribute('department', 'maths')]))).toContain(
    'Found: department: maths @ assertion.attribute_statement[3].value',
  );
});

const READS = {
  reads: [
    { name: 'Role', text: 'staff', at: ['assertion', 'attribute_statement', 3, 'value'], what: 'value' },
    { name: 'department', text: null, at: ['id_token', 'other_claims', 'department'], what: 'absent' },
  ],
  problem: null,
} as const;

test.each<[string, HandlerReads | null, string[]]>([
  [
    'what it read',
    { ...READS, reads: [...READS.reads] },
    ['Found: Role: staff @ assertion.attribute_statement[3].value', 'Found: department: absent'],
  ],
  ['that it read nothing', { reads: [], problem: null }, ['Found: nothing']],
  ['why that is not known', { reads: [], problem: 'It ended.' }, ['Found: It ended.']],
  ['nothing where nobody asked', null, ['Found: what the code read is not known here']],
])('of a handler of code: %s', (_, reads, found) => {
  expect(rowsOf(refusedLogin('SAML', 'forbidden'), { reads })).toEqual([
    'Rule: the code of handlers/own',
    ...found,
    expect.stringMatching(/^Change: /),
  ]);
});

test('a handler that lets in whom its mapping refuses', () => {
  const { trace: explanation } = openId({ rules: [{ email_domains: ['example.com'] }] });
  const record = { reason: 'authorized', explanation: { ...explanation, decided: 'rule_refused' } };
  const result = { type: 'AuthorizedUserResponse' };
  expect(rowsOf(answered('OpenID', openIdEvent(), result, record))).toContain(
    'Rule: the code of handlers/own, in place of rule_refused, which a mapping or a default handler decided',
  );
});

const AFTER = 'Expected: after 2026-11-21 10:00:00 UTC, with 60 seconds of tolerance';
const BEFORE = AFTER.replace('after', 'before');
const CONFIRMATION = 'assertion.subject.confirmations[0]';
const PARTS = 'assertion.conditions';

test.each<[string, LoginKind, LogRecord, string[]]>([
  [
    'token_issuer_refused',
    'OpenID',
    {},
    ['Found: https://idp.example.org @ id_token.iss', 'Expected: https://idp.example.org'],
  ],
  ['token_audience_refused', 'OpenID', {}, ['Found: client-1 @ id_token.aud[0]', 'Expected: learning']],
  ['token_azp_refused', 'OpenID', {}, [`Found: nothing: \`${CLAIMS}.azp\` is absent`, 'Expected: learning']],
  ['token_expired', 'OpenID', {}, ['Found: 2026-11-21 11:00:00 UTC @ id_token.exp', AFTER]],
  ['token_not_yet_valid', 'OpenID', {}, ['Found: 2026-11-21 10:00:00 UTC @ id_token.iat', BEFORE]],
  [
    'token_claims_differ',
    'OpenID',
    { claims: { names: ['email', 'sub'] } },
    ['Found: another value of email', 'Found: another value of sub'],
  ],
  [
    'event_invalid',
    'OpenID',
    { problems: ['idToken.sub: expected a string', null] },
    ['Found: idToken.sub: expected a string'],
  ],
  ['token_signature_wrong', 'OpenID', {}, ['Found: nothing']],
  [
    'assertion_issuer_refused',
    'SAML',
    {},
    ['Found: https://idp.example.org/saml @ assertion.issuer', 'Expected: https://idp.example.org/saml'],
  ],
  ['assertion_not_yet_valid', 'SAML', {}, [`Found: 2026-11-21 09:59:58 UTC @ ${PARTS}.no_before`, BEFORE]],
  ['assertion_expired', 'SAML', {}, [`Found: 2026-11-21 10:05:00 UTC @ ${PARTS}.not_on_or_after`, AFTER]],
  [
    'assertion_audience_refused',
    'SAML',
    {},
    [
      `Found: https://app.example.net/saml/metadata @ ${PARTS}.audience_restrictions[0].audience[0]`,
      'Expected: urn:learning',
    ],
  ],
  [
    'assertion_confirmation_refused',
    'SAML',
    {},
    [
      `Found: urn:oasis:names:tc:SAML:2.0:cm:bearer @ ${CONFIRMATION}.method`,
      `Found: 2026-11-21 10:05:00 UTC @ ${CONFIRMATION}.notOnOrAfter`,
      `Found: https://app.example.net/saml/acs @ ${CONFIRMATION}.recipient`,
      'Expected: https://acs.example',
      AFTER,
    ],
  ],
  [
    'external_id_missing',
    'SAML',
    { source: 'subject_id' },
    ['Found: nothing: `subject_id` has no identifier'],
  ],
  ['handler_timed_out', 'SAML', {}, ['Found: handler_timed_out']],
  [
    'lookup_status',
    'SAML',
    { host: 'api.example', lookUpStatus: 403 },
    [
      expect.stringMatching(
        /^Found: lookup_status: api\.example: it responded with status 403: /,
      ) as unknown as string,
    ],
  ],
])('%s', (reason, kind, details, rows) => {
  const shown = rowsOf(refusedLogin(kind, reason, details));
  expect(shown.slice(0, -1)).toEqual(rows);
  expect(shown.at(-1)).toMatch(/^Change: /);
});

test('what is nested too deep is left out', () => {
  const login = refusedLogin('SAML', 'assertion_confirmation_refused');
  const { assertion } = login.event as ReturnType<typeof samlEvent>;
  const [confirmation] = assertion.assertionSubject.subjectConfirmations;
  Object.assign(confirmation ?? {}, { other: JSON.parse(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`) });
  expect(rowsOf(login)).toHaveLength(6);
});

test('of records that a handler printed in another form, only the sentence is told', () => {
  const explanation = { fields: {}, rule: 7, rules: [{ path: 7, verdict: 'refuses' }] };
  expect(rowsOf(refusedLogin('OpenID', 'rule_refused', { explanation }))).toEqual([
    'Found: Error: a rule of the mapping refuses',
  ]);
});

test('a check of a token finds what the token says, which is not what the event says', () => {
  const login = refusedLogin('OpenID', 'token_audience_refused');
  const payload = Buffer.from('{"aud":"other"}').toString('base64url');
  const event = { ...openIdEvent(), idTokenJwt: `e30.${payload}.x` };
  expect(rowsOf({ ...login, event })).toContain('Found: other @ id_token.aud');
});
