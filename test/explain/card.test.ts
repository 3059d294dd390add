/** What decided a login: the rule, what was found and where, what was expected, and what to change. */
import { expect, test } from '@jest/globals';
import type { LoginKind } from '../../lib/kinds.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS } from '../../lib/profile/schema/profileFields.ts';
import { type CardOptions, cardOf } from '../../tools/explain/card.ts';
import { type AnsweredLogin, explanationOf } from '../../tools/explain/explanation.ts';
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

/** Each row as `Title: text @ place`. */
function rowsOf(login: AnsweredLogin, options: CardOptions = {}): string[] {
  const rows = cardOf(login, { env: ENV, atMs: Date.UTC(2026, 10, 21, 10), ...options });
  return rows.map(({ title, text, at }) => `${title}: ${text}${at === null ? '' : ` @ ${placeText(at)}`}`);
}

/** The texts of the rows with this title. */
function textsOf(title: string, rows: readonly string[]): string[] {
  return rows.filter((row) => row.startsWith(`${title}: `)).map((row) => row.slice(title.length + 2));
}

const groups = { from: ['groups'] };
const campus = { from: ['realm_access.roles', 'groups'] };
const [ANY, NONE] = [{ any_group: ['/staff'] }, { no_group: ['/locked'] }];
const STAFF = 'id_token.other_claims.groups';

test.each<[string, Mapping, Record<string, unknown>, string[], RegExp]>([
  [
    'denied group',
    { groups, rules: [NONE] },
    { groups: ['/a', '/locked'] },
    [`groups: /locked @ ${STAFF}[1]`],
    /^If .* take the person out of that group/,
  ],
  [
    'no source',
    { groups: campus, rules: [ANY] },
    {},
    ['nothing: `realm_access.roles` and `groups` are absent'],
    / or `groups` \(Keycloak: a mapper "Group Membership"/,
  ],
  [
    'similar source',
    { groups: { from: ['group'] }, rules: [ANY] },
    { groups: ['a'] },
    ['nothing: `group` is absent'],
    /similar name that arrived: groups/,
  ],
  [
    'needed groups',
    { groups, rules: [NONE] },
    {},
    ['nothing: `groups` is absent'],
    /^Have the provider send `groups` .*groups\.absent\.$/,
  ],
  [
    'other domain',
    { rules: [{ email_domains: ['example.com'] }] },
    {},
    ['email: ada@example.org @ id_token.other_claims.email'],
    /add the domain to the rule/,
  ],
  [
    'absent claim',
    { rules: [{ claim: 'd', is: ['a'] }] },
    {},
    ['nothing'],
    /^Did not arrive: d\. Correct the name/,
  ],
  [
    'issuer',
    { issuers: { 'https://a.example': {} } },
    {},
    ['iss: https://idp.example.org @ id_token.iss'],
    /add exactly this issuer/,
  ],
])('a rule that refuses: %s', (_, mapping, claims, found, change) => {
  const [rule = {}] = mapping.rules ?? [];
  const path = mapping.rules ? `rules[0].${Object.keys(rule)[0]}` : 'issuers';
  const rows = rowsOf(openIdLogin(mapping, claims));
  expect(rows[0]).toBe(`Rule: ${path}`);
  expect(textsOf('Found', rows)).toEqual(found);
  expect(rows.slice(-3)).toEqual([
    expect.stringMatching(`^Expected: ${path.replace(/.*\./, '')} .*`),
    expect.stringMatching(change.source.replace('^', '^Change: ')),
    expect.stringMatching(/^The person reads: You/),
  ]);
});

test('of many groups the first are shown', () => {
  const rows = rowsOf(openIdLogin({ groups: campus, rules: [ANY] }, { groups: [...'abcdefg'] }));
  const shown = [...'abcd'].map((group, index) => `${group} @ ${STAFF}[${index}]`);
  expect(textsOf('Found', rows)).toEqual(['`realm_access.roles` is absent', ...shown, '3 more']);
});

const GROUPS_LINK = 'http://schemas.microsoft.com/claims/groups.link';

test.each<[string, ReturnType<typeof attribute>, string[], RegExp]>([
  [
    'of names that stand for one source, any is enough',
    attribute('Role', 'guests'),
    ['guests @ assertion.attribute_statement[3].value'],
    /add the person to one of them/,
  ],
  [
    'groups that were left out are a matter of the assertion',
    attribute(GROUPS_LINK, 'https://graph.windows.net/x'),
    [expect.stringMatching(/left out by the provider \(overage\)/) as unknown as string],
    /Entra: "Attributes & Claims", "Groups assigned to the application"/,
  ],
])('groups of an assertion: %s', (_, arrived, found, change) => {
  const rows = rowsOf(samlLogin({ groups: { from: [DEFAULTS] }, rules: [ANY] }, [arrived]));
  expect(textsOf('Found', rows)).toEqual(found);
  expect(textsOf('Change', rows)).toEqual([expect.stringMatching(change)]);
});

test('of the groups of a person, the one that a rule denies is marked', () => {
  const login = openIdLogin({ groups, rules: [NONE] }, { groups: ['/a', '/locked', '/b'] });
  const values = explanationOf(login).groups?.values ?? [];
  expect(values.map(({ value, isDenied }) => [value, isDenied])).toEqual([
    ['/a', false],
    ['/locked', true],
    ['/b', false],
  ]);
});

const CLAIMS = 'id_token.other_claims';
const ARRIVED = 'what arrived: email, family_name, given_name';

test.each<[string, Mapping, Record<string, unknown>, string[], string[], RegExp]>([
  [
    'groups',
    { groups },
    { hasgroups: true },
    ['nothing: `groups`: left out by the provider (overage)'],
    ['groups in `groups`'],
    /^Send only the groups that/,
  ],
  [
    'a field',
    { first_name: ['forename'] },
    { email: undefined, given_name: undefined },
    [
      'nothing for email: `email` is absent',
      'nothing for first_name: `forename` is absent',
      'what arrived: family_name',
    ],
    ['email in `email`', 'first_name in `forename`'],
    /^Have the service ask for the scope email .* Have the provider send `forename`, or name/,
  ],
  [
    'a name',
    {},
    { given_name: ' ' },
    [`given_name:   @ ${CLAIMS}.given_name`, ARRIVED],
    ['first_name in `given_name` or `name`'],
    /^The scope profile was granted/,
  ],
  [
    'proof',
    {},
    { email_verified: false },
    [
      `email: ada@example.org @ ${CLAIMS}.email`,
      `email_verified: false @ ${CLAIMS}.email_verified`,
      'what arrived: email, email_verified, family_name, given_name',
    ],
    ['an address that the provider says is verified'],
    /"Email verified" of the user/,
  ],
  [
    'one identifier',
    { external_id: { from: ['uid'], issuer: false } },
    { uid: ['a', 'b'] },
    [`uid: a @ ${CLAIMS}.uid[0]`, `uid: b @ ${CLAIMS}.uid[1]`, `${ARRIVED}, uid`],
    ['external_id in `uid`'],
    /have the provider send one\.$/,
  ],
])('a provider that does not send %s', (_, mapping, claims, found, expected, change) => {
  const rows = rowsOf(openIdLogin(mapping, claims));
  expect(textsOf('Found', rows)).toEqual(found);
  expect(textsOf('Expected', rows)).toEqual(expected);
  expect(textsOf('Change', rows)).toEqual([expect.stringMatching(change)]);
});

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const TABLE = [{ group: '/staff', uuid: UUID, name: 'Staff' }];
const EMAIL = `Found: ada@example.org @ ${CLAIMS}.email`;

test.each<[string, Mapping, Record<string, unknown>, string[]]>([
  [
    'a rule',
    { groups: { from: ['groups'], table: TABLE }, rules: [ANY] },
    { groups: ['/all', '/staff'] },
    ['Rule: rules[0].any_group: ["/staff"]', `Found: /staff → groups.table[0] (Staff) @ ${STAFF}[1]`],
  ],
  [
    'a mapping with user groups of everybody',
    { groups: { from: ['groups'], everybody: [UUID] } },
    {},
    [
      'Rule: none: everybody whose profile is complete gets in',
      `Found: everybody → ${UUID} (groups.everybody[0])`,
    ],
  ],
  [
    'a group of some sources',
    { groups: { from: ['groups', 'roles'] }, rules: [{ any_group: ['/staff'], from: ['groups'] }] },
    { groups: ['/staff'] },
    ['Rule: rules[0].any_group: ["/staff"], from ["groups"]', EMAIL],
  ],
  [
    'a scope of the usual attribute',
    { rules: [{ scopes: ['example.org'] }] },
    { eduperson_scoped_affiliation: 'member@example.org' },
    ['Rule: rules[0].scopes: ["example.org"]', EMAIL],
  ],
  [
    'its issuer',
    { issuers: { 'https://idp.example.org': {} } },
    {},
    ['Rule: issuers: ["https://idp.example.org"]', EMAIL],
  ],
  ['nothing', {}, {}, ['Rule: none: everybody whose profile is complete gets in', EMAIL]],
])('somebody gets in by %s', (_, mapping, claims, rows) => {
  expect(rowsOf(openIdLogin(mapping, { ...claims, email_verified: true }))).toEqual(rows);
});

test.each<[string, Mapping, string]>([
  ['nothing', {}, 'let in only addresses of domains that it gives out itself: email_domains in a mapping'],
  [
    'a rule on domains',
    { rules: [{ email_domains: ['example.org'] }] },
    'see that email_domains lists only domains that it gives out itself.',
  ],
])('somebody gets in by %s with an address that nobody vouches for', (_, mapping, domains) => {
  const warning = `Warning: The provider does not say that the address is verified. Have the provider verify the address and say so. Until it does, ${domains}`;
  expect(rowsOf(openIdLogin(mapping))[0]).toContain(warning);
});

test('the person reads the words of the operator', () => {
  const mapping: Mapping = { rules: [{ email_domains: ['example.com'], message: 'Ask Ada.' }] };
  expect(rowsOf(openIdLogin(mapping)).at(-1)).toBe('The person reads: Ask Ada.');
});

test('an attribute that is not the wanted one', () => {
  const mapping: Mapping = { rules: [{ attribute: 'department', is: ['physics'] }] };
  expect(rowsOf(samlLogin(mapping, [attribute('department', 'maths')]))).toContain(
    'Found: department: maths @ assertion.attribute_statement[3].value',
  );
});

const READS: HandlerReads['reads'] = [
  { name: 'Role', text: 'staff', at: ['assertion', 'attribute_statement', 3, 'value'], what: 'value' },
  { name: 'department', text: null, at: ['id_token', 'other_claims', 'department'], what: 'absent' },
];

test.each<[HandlerReads | null, string[]]>([
  [
    { reads: READS, problem: null },
    ['Role: staff @ assertion.attribute_statement[3].value', 'department: absent'],
  ],
  [{ reads: [], problem: null }, ['nothing']],
  [{ reads: [], problem: 'It ended.' }, ['It ended.']],
  [null, ['what the code read is not known here']],
])('of a handler of code: %j', (reads, found) => {
  const rows = rowsOf(refusedLogin('SAML', 'forbidden'), { reads });
  expect([rows[0], ...textsOf('Found', rows)]).toEqual(['Rule: the code of handlers/own', ...found]);
});

test('a handler that lets in whom its mapping refuses', () => {
  const { trace: explanation } = openId({ rules: [{ email_domains: ['example.com'] }] });
  const record = { reason: 'authorized', explanation: { ...explanation, decided: 'rule_refused' } };
  const rows = rowsOf(answered('OpenID', openIdEvent(), { type: 'AuthorizedUserResponse' }, record));
  expect(rows).toContain(
    'Rule: the code of handlers/own, in place of rule_refused, which a mapping or a default handler decided',
  );
});

const AFTER = 'after 2026-11-21 10:00:00 UTC, with 60 seconds of tolerance';
const BEFORE = AFTER.replace('after', 'before');
const CONFIRMATION = 'assertion.subject.confirmations[0]';
const PARTS = 'assertion.conditions';
const SENT = 'https://app.example.net/saml';

test.each<[string, LoginKind, LogRecord, found: string[], expected: string[]]>([
  [
    'token_issuer_refused',
    'OpenID',
    {},
    ['https://idp.example.org @ id_token.iss'],
    ['https://idp.example.org'],
  ],
  ['token_audience_refused', 'OpenID', {}, ['client-1 @ id_token.aud[0]'], ['learning']],
  ['token_azp_refused', 'OpenID', {}, [`nothing: \`${CLAIMS}.azp\` is absent`], ['learning']],
  ['token_expired', 'OpenID', {}, ['2026-11-21 11:00:00 UTC @ id_token.exp'], [AFTER]],
  ['token_not_yet_valid', 'OpenID', {}, ['2026-11-21 10:00:00 UTC @ id_token.iat'], [BEFORE]],
  ['token_claims_differ', 'OpenID', { claims: { names: ['sub'] } }, ['another value of sub'], []],
  [
    'event_invalid',
    'OpenID',
    { problems: ['idToken.sub: expected a string', null] },
    ['idToken.sub: expected a string'],
    [],
  ],
  ['token_signature_wrong', 'OpenID', {}, ['nothing'], []],
  [
    'assertion_issuer_refused',
    'SAML',
    {},
    ['https://idp.example.org/saml @ assertion.issuer'],
    ['https://idp.example.org/saml'],
  ],
  ['assertion_not_yet_valid', 'SAML', {}, [`2026-11-21 09:59:58 UTC @ ${PARTS}.no_before`], [BEFORE]],
  ['assertion_expired', 'SAML', {}, [`2026-11-21 10:05:00 UTC @ ${PARTS}.not_on_or_after`], [AFTER]],
  [
    'assertion_audience_refused',
    'SAML',
    {},
    [`${SENT}/metadata @ ${PARTS}.audience_restrictions[0].audience[0]`],
    ['urn:learning'],
  ],
  [
    'assertion_confirmation_refused',
    'SAML',
    {},
    expect.arrayContaining([`${SENT}/acs @ ${CONFIRMATION}.recipient`]) as unknown as string[],
    ['https://acs.example', AFTER],
  ],
  ['external_id_missing', 'SAML', { source: 'subject_id' }, ['nothing: `subject_id` has no identifier'], []],
  ['handler_timed_out', 'SAML', {}, ['handler_timed_out'], []],
  [
    'lookup_status',
    'SAML',
    { host: 'a.example', lookUpStatus: 403 },
    [
      expect.stringMatching(
        /^lookup_status: a\.example: it responded with status 403: /,
      ) as unknown as string,
    ],
    [],
  ],
])('%s', (reason, kind, details, found, expected) => {
  const rows = rowsOf(refusedLogin(kind, reason, details));
  expect(textsOf('Found', rows)).toEqual(found);
  expect(textsOf('Expected', rows)).toEqual(expected);
  expect(textsOf('Change', rows)).toHaveLength(1);
});

test('what is nested too deep is left out', () => {
  const login = refusedLogin('SAML', 'assertion_confirmation_refused');
  const { assertion } = login.event as ReturnType<typeof samlEvent>;
  const [confirmation] = assertion.assertionSubject.subjectConfirmations;
  Object.assign(confirmation ?? {}, { other: JSON.parse(`${'['.repeat(50_000)}1${']'.repeat(50_000)}`) });
  expect(() => rowsOf(login)).not.toThrow();
});

test('of records that a handler printed in another form, nothing is told', () => {
  const login = refusedLogin('OpenID', 'rule_refused', { explanation: { fields: { email: null } } });
  expect(textsOf('Found', rowsOf(login))).toEqual(['nothing']);
});

test('a check of a token finds what the token says, which is not what the event says', () => {
  const login = refusedLogin('OpenID', 'token_audience_refused');
  const payload = Buffer.from('{"aud":"other"}').toString('base64url');
  const event = { ...openIdEvent(), idTokenJwt: `e30.${payload}.x` };
  expect(rowsOf({ ...login, event })).toContain('Found: other @ id_token.aud');
});
