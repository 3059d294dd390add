/** What decided a login: the rule, what was found and where, what was expected, and what to change. */
import { expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS } from '../../lib/profile/schema/profileFields.ts';
import { type CardOptions, cardOf } from '../../tools/explain/card.ts';
import { type AnsweredLogin, explanationOf } from '../../tools/explain/explanation.ts';
import { placeText } from '../../tools/explain/places.ts';
import type { HandlerReads } from '../../tools/explain/reads.ts';
import type { LogRecord } from '../../tools/local/process/logRecords.ts';
import { openId } from '../profile/decided.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';
import { answered, openIdLogin, refusedLogin, samlLogin } from './logins.ts';

const IDP = 'https://idp.example.org';
const RECIPIENTS = ['https://acs.example'];
const ENV = {
  OPENID_ISSUERS: '{"https://idp.example.org":{"audiences":["learning"]}}',
  SAML_ISSUERS: JSON.stringify({ [`${IDP}/saml`]: { audiences: ['urn:learning'], recipients: RECIPIENTS } }),
};

/** Each row as `Title: text @ place`. */
function rowsOf(login: AnsweredLogin, options: CardOptions = {}): string[] {
  const rows = cardOf(explanationOf({ ...login, atMs: Date.UTC(2026, 10, 21, 10) }), {
    env: ENV,
    ...options,
  });
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

const LOCKED = { groups: ['/a', '/locked'] };
const TAKE_OUT = /^If .* take the person out of that group/;
const ABSENT = 'nothing: `groups` is absent';
const NO_GROUP = 'nothing: `group` is absent';
const NO_SOURCE = 'nothing: `realm_access.roles` and `groups` are absent';
const OF_KEYCLOAK = / or `groups` \(Keycloak: a mapper "Group Membership"/;
const EMAIL = 'email: ada@example.org @ id_token.other_claims.email';
const OTHER_DOMAIN: Mapping = { rules: [{ email_domains: ['example.com'] }] };

test.each<[Mapping, Record<string, unknown>, string, RegExp]>([
  [{ groups, rules: [NONE] }, LOCKED, `groups: /locked @ ${STAFF}[1]`, TAKE_OUT],
  [{ groups: campus, rules: [ANY] }, {}, NO_SOURCE, OF_KEYCLOAK],
  [{ groups: { from: ['group'] }, rules: [ANY] }, { groups: [] }, NO_GROUP, /name that arrived: groups/],
  [{ groups, rules: [NONE] }, {}, ABSENT, /^Have the provider send `groups` .*groups\.absent\.$/],
  [{ groups: { ...groups, absent: ['groups'] }, rules: [ANY] }, {}, ABSENT, /^If .* add the person/],
  [OTHER_DOMAIN, {}, EMAIL, /add the domain to the rule/],
  [{ rules: [{ claim: 'd', is: ['a'] }] }, {}, 'nothing', /^Did not arrive: d\. Correct the name/],
  [{ issuers: { 'https://a.example': {} } }, {}, `iss: ${IDP} @ id_token.iss`, /add exactly this issuer/],
])('a rule that refuses: %j with %j', (mapping, claims, found, change) => {
  const [rule = {}] = mapping.rules ?? [];
  const path = mapping.rules ? `rules[0].${Object.keys(rule)[0]}` : 'issuers';
  const rows = rowsOf(openIdLogin(mapping, claims));
  expect([rows[0], ...textsOf('Found', rows)]).toEqual([`Rule: ${path}`, found]);
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

const LEFT_OUT = attribute('http://schemas.microsoft.com/claims/groups.link', 'https://graph.windows.net/x');
const TOLD = expect.stringMatching(/left out by the provider \(overage\)/);
const OF_ENTRA = /Entra: "Attributes & Claims", "Groups assigned to the application"/;
const OF_GUESTS = 'guests @ assertion.attribute_statement[3].value';

test.each<[ReturnType<typeof attribute>, unknown, RegExp]>([
  [attribute('Role', 'guests'), OF_GUESTS, /add the person to one of them/],
  [LEFT_OUT, TOLD, OF_ENTRA],
])('groups of an assertion: %j', (arrived, found, change) => {
  const rows = rowsOf(samlLogin({ groups: { from: [DEFAULTS] }, rules: [ANY] }, [arrived]));
  expect(textsOf('Found', rows)).toEqual([found]);
  expect(textsOf('Change', rows)).toEqual([expect.stringMatching(change)]);
});

test('of the groups of a person, the one that a rule denies is marked', () => {
  const login = openIdLogin({ groups, rules: [NONE] }, { groups: ['/a', '/locked', '/b'] });
  const values = explanationOf(login).groups?.values ?? [];
  const marked = values.map(({ value, isDenied }) => `${value}: ${isDenied}`);
  expect(marked).toEqual(['/a: false', '/locked: true', '/b: false']);
});

const CLAIMS = 'id_token.other_claims';
const ARRIVED = 'what arrived: email, family_name, given_name';
const OVERAGE = ['nothing: `groups`: left out by the provider (overage)'];
const NO_NAME = ['nothing for email: `email` is absent', 'nothing for first_name: `forename` is absent'];
const NAMELESS = [...NO_NAME, 'what arrived: family_name and 1 under other names'];
const ONLY_SURNAME = { email: undefined, given_name: undefined, 'Last name': 'x' };
const BOTH_FIELDS = ['email in `email`', 'first_name in `forename`'];
const ASK_FOR_BOTH =
  /^Have the service ask for the scope email .* Have the provider send `forename`, or name/;
const UNPROVEN_TOO = 'what arrived: email, email_verified, family_name, given_name';
const UNPROVEN = [EMAIL, `email_verified: false @ ${CLAIMS}.email_verified`, UNPROVEN_TOO];
const SUHARTO = { name: 'Suharto', given_name: 'Suharto', family_name: undefined };
const ONE_NAME = [`name: Suharto @ ${CLAIMS}.name`, 'what arrived: email, given_name, name'];
const LAST_NAME = ['last_name in `family_name`, `usual_name` or `name`'];
const ONE_UID: Mapping = { external_id: { from: ['uid'], issuer: false } };
const UIDS = [`uid: a @ ${CLAIMS}.uid[0]`, `uid: b @ ${CLAIMS}.uid[1]`, `${ARRIVED}, uid`];
const ADDRESS_AS_NAME = { given_name: undefined, family_name: undefined, name: 'ada@example.org' };
const PROOF = ['an address that the provider says is verified'];
const NAME = ['first_name in `given_name` or `name`'];

test.each<[Mapping, Record<string, unknown>, string[], string[], RegExp]>([
  [{ groups }, { hasgroups: true }, OVERAGE, ['groups in `groups`'], /^Send only the groups that/],
  [{ first_name: ['forename'] }, ONLY_SURNAME, NAMELESS, BOTH_FIELDS, ASK_FOR_BOTH],
  [{}, SUHARTO, ONE_NAME, LAST_NAME, /a fallback for people with one name/],
  [
    {},
    ADDRESS_AS_NAME,
    [`name: ada@example.org @ ${CLAIMS}.name`, 'what arrived: email, name'],
    [...NAME, ...LAST_NAME],
    /^The scope profile was granted(?!.*Only one word)/,
  ],
  [{}, { email_verified: false }, UNPROVEN, PROOF, /"Email verified" of the user/],
  [
    {},
    { email: null },
    [`email: no value @ ${CLAIMS}.email`, ARRIVED],
    ['email in `email`'],
    /^The scope email was granted/,
  ],
  [{}, { email: 'ada' }, [`email: ada @ ${CLAIMS}.email`, ARRIVED], ['a valid address in `email`'], /one @/],
  [ONE_UID, { uid: ['a', 'b'] }, UIDS, ['external_id in `uid`'], /have the provider send one\.$/],
])('a provider that does not send what is needed: %j with %j', (...row) => {
  const [mapping, claims, found, expected, change] = row;
  const rows = rowsOf(openIdLogin(mapping, claims));
  expect(textsOf('Found', rows)).toEqual(found);
  expect(textsOf('Expected', rows)).toEqual(expected);
  expect(textsOf('Change', rows)).toEqual([expect.stringMatching(change)]);
});

test.each<[ReturnType<typeof attribute>[], RegExp]>([
  [[], /^Have the provider release mail .* release givenName and sn/],
  [
    [attribute('Mail', ''), attribute('displayName', 'IDP\\\\ada')],
    /^The attribute arrived .*address of this person.* The attribute arrived .*name of this person/,
  ],
])('an assertion without the profile: %j', (attributes, change) => {
  const rows = rowsOf(samlLogin({}, attributes, samlEvent([])));
  expect(textsOf('Change', rows)).toEqual([expect.stringMatching(change)]);
});

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const TABLE = [{ group: '/staff', uuid: UUID, name: 'Staff' }];
const FOUND_EMAIL = `Found: ${EMAIL.replace('email: ', '')}`;
const EVERYBODY = 'Rule: none: everybody whose profile is complete gets in';
const IN_STAFF = 'Rule: rules[0].any_group: ["/staff"]';
const IN_TABLE = `Found: /staff → groups.table[0] (Staff) @ ${STAFF}[1]`;
const FOR_ALL = `Found: everybody → ${UUID} (groups.everybody[0])`;
const SCOPED = { eduperson_scoped_affiliation: 'member@example.org' };
const SOME_SOURCES = { groups: { from: ['groups', 'roles'] }, rules: [{ ...ANY, from: ['groups'] }] };

test.each<[Mapping, Record<string, unknown>, ...string[]]>([
  [{ groups: { ...groups, table: TABLE }, rules: [ANY] }, { groups: ['/all', '/staff'] }, IN_STAFF, IN_TABLE],
  [{ groups: { ...groups, everybody: [UUID] } }, {}, EVERYBODY, FOR_ALL],
  [SOME_SOURCES, { groups: ['/staff'] }, `${IN_STAFF}, from ["groups"]`, FOUND_EMAIL],
  [{ rules: [{ scopes: ['example.org'] }] }, SCOPED, 'Rule: rules[0].scopes: ["example.org"]', FOUND_EMAIL],
  [{ issuers: { [IDP]: {} } }, {}, `Rule: issuers: ["${IDP}"]`, FOUND_EMAIL],
  [{}, {}, EVERYBODY, FOUND_EMAIL],
])('somebody gets in by %j with %j', (mapping, claims, ...rows) => {
  expect(rowsOf(openIdLogin(mapping, { ...claims, email_verified: true }))).toEqual(rows);
});

test('somebody gets in with an address that nobody vouches for', () => {
  const [warning] = rowsOf(openIdLogin({}));
  expect(warning).toMatch(
    /^Warning: The provider does not say that the address is verified. Have .* Until it does, let in only addresses of domains/,
  );
});

test('what somebody who gets in misses by little', () => {
  const named = attribute('urn:x', 'Ada Lovelace', 'displayName');
  const event = samlEvent([attribute('mail', 'ada@example.org'), named, attribute('Role', 'Staff')]);
  const table = [{ group: 'staff', uuid: UUID }];
  const rules = [{ attribute: 'Role', is_not: ['Staff-'] }];
  const rows = rowsOf(samlLogin({ groups: { from: ['Role'], table }, rules }, [], event));
  expect(textsOf('Note', rows)).toEqual([
    expect.stringContaining('displayName arrived as a FriendlyName only'),
    expect.stringContaining('Nearly arrived: staff (other capitals).'),
    expect.stringContaining('Nearly arrived: Staff- (another character).'),
  ]);
});

const READS: HandlerReads = [
  { name: 'Role', text: 'staff', at: ['assertion', 'attribute_statement', 3, 'value'], what: 'value' },
  { name: 'department', text: null, at: ['id_token', 'other_claims', 'department'], what: 'absent' },
];

const FOUND = ['Role: staff @ assertion.attribute_statement[3].value', 'department: absent'];

test.each<[HandlerReads | null, ...string[]]>([
  [READS, ...FOUND],
  [[], 'nothing'],
  ['It ended.', 'It ended.'],
  [null, 'what the code read is not known here'],
])('of a handler of code: %j', (reads, ...found) => {
  const rows = rowsOf(refusedLogin('SAML', 'forbidden'), { reads });
  expect([rows[0], ...textsOf('Found', rows)]).toEqual(['Rule: the code of handlers/own', ...found]);
});

test('a handler that lets in whom its mapping refuses', () => {
  const { trace } = openId(OTHER_DOMAIN);
  const record = { reason: 'authorized', explanation: { ...trace, decided: 'rule_refused' } };
  const rows = rowsOf(answered('OpenID', openIdEvent(), { type: 'AuthorizedUserResponse' }, record));
  const refused = 'rule_refused, which a mapping or a default handler decided';
  expect(rows).toContain(`Rule: the code of handlers/own, in place of ${refused}`);
});

const AFTER = 'after 2026-11-21 10:00:00 UTC, with 60 seconds of tolerance';
const BEFORE = AFTER.replace('after', 'before');
const CONFIRMATION = 'assertion.subject.confirmations[0]';
const PARTS = 'assertion.conditions';
const SENT = 'https://app.example.net/saml';

const AUDIENCE = `${SENT}/metadata @ ${PARTS}.audience_restrictions[0].audience[0]`;
/** Without the address, which is empty. */
const CONFIRMED = [
  `urn:oasis:names:tc:SAML:2.0:cm:bearer @ ${CONFIRMATION}.method`,
  `2026-11-21 10:05:00 UTC @ ${CONFIRMATION}.notOnOrAfter`,
  `${SENT}/acs @ ${CONFIRMATION}.recipient`,
];
const LOOK_UP = { host: 'a.example', lookUpStatus: 403 };
const STATUS = [expect.stringMatching(/^lookup_status: a\.example: it responded with status 403: /)];
const INVALID = 'idToken.sub: expected a string';

test.each<[string, LogRecord, found: unknown, ...expected: string[]]>([
  ['token_issuer_refused', {}, [`${IDP} @ id_token.iss`], IDP],
  ['token_audience_refused', {}, ['client-1 @ id_token.aud[0]'], 'learning'],
  ['token_azp_refused', {}, [`nothing: \`${CLAIMS}.azp\` is absent`], 'learning'],
  ['token_expired', {}, ['2026-11-21 11:00:00 UTC @ id_token.exp'], AFTER],
  ['token_not_yet_valid', {}, ['2026-11-21 10:00:00 UTC @ id_token.iat'], BEFORE],
  ['token_claims_differ', { claims: { names: ['sub'] } }, ['another value of sub']],
  ['event_invalid', { problems: [INVALID, null] }, [INVALID]],
  ['token_signature_wrong', {}, ['nothing']],
  ['assertion_issuer_refused', {}, [`${IDP}/saml @ assertion.issuer`], `${IDP}/saml`],
  ['assertion_not_yet_valid', {}, [`2026-11-21 09:59:58 UTC @ ${PARTS}.no_before`], BEFORE],
  ['assertion_expired', {}, [`2026-11-21 10:05:00 UTC @ ${PARTS}.not_on_or_after`], AFTER],
  ['assertion_audience_refused', {}, [AUDIENCE], 'urn:learning'],
  ['assertion_confirmation_refused', {}, CONFIRMED, 'https://acs.example', AFTER],
  ['external_id_missing', { source: 'subject_id' }, ['nothing: `subject_id` has no identifier']],
  ['handler_timed_out', {}, ['handler_timed_out']],
  ['lookup_status', LOOK_UP, STATUS],
])('%s', (reason, details, found, ...expected) => {
  const isOpenId = /^(token|event)_/.test(reason);
  const rows = rowsOf(refusedLogin(isOpenId ? 'OpenID' : 'SAML', reason, details));
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

test('a check of a token finds what the token says, which is not what the event says', () => {
  const login = refusedLogin('OpenID', 'token_audience_refused');
  const payload = Buffer.from('{"aud":"other"}').toString('base64url');
  const event = { ...openIdEvent(), idTokenJwt: `e30.${payload}.x` };
  expect(rowsOf({ ...login, event })).toContain('Found: other @ id_token.aud');
});
