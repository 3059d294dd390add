/** What a mapping misses by little, as the trace of a refused login says it: no text that arrived is in it. */
import { expect, test } from '@jest/globals';
import type { Group, Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { attribute } from '../support/wire.ts';
import { type Claims, G1, openId, type Reason, type Rule, saml, samlOf } from './decided.ts';

const XMLSOAP = 'http://schemas.xmlsoap.org/claims/Group';

const similar = (wanted: string, arrived: string) =>
  `Did not arrive: ${wanted} (similar name that arrived: ${arrived}). Correct the name`;
const absent = (wanted: string) => `Did not arrive: ${wanted}. Correct the name`;

/** Of a note, what the expected one begins with. */
function expectNote(note: string | undefined, expected: string | undefined): void {
  expect(expected === undefined ? note : note?.slice(0, expected.length)).toBe(expected);
}

test.each<[wanted: string, names: string[], nearest: string | null]>([
  ['groups', ['roles', 'group'], 'group'],
  ['groups', ['group', 'Groups'], 'Groups'],
  ['groups', ['group1', 'group2'], 'group1'],
  ['groups', [XMLSOAP], XMLSOAP],
  ['title', ['the.first-title'], 'the.first-title'],
  ['eduperson_entitlement', ['entitlements'], 'entitlements'],
  ['group', ['groups_direct'], 'groups_direct'],
  ['a__b', ['x/'], null],
  ['groups.name', ['groups'], 'groups'],
  ['urn:oid:1.2.3', ['urn:oid:1.2.4'], null],
])('the claim %s is not among %j, of which the nearest is %s', (wanted, names, nearest) => {
  const claims = Object.fromEntries(names.map((name) => [name, 'x']));
  const { note } = openId({ rules: [{ claim: wanted, present: true }] }, claims).trace;
  expectNote(note, nearest === null ? absent(wanted) : similar(wanted, nearest));
});

test('the nearest of a path is a path', () => {
  const rules: Rule[] = [{ claim: 'realm_access.rols', present: true }];
  const { note } = openId({ rules }, { realm_access: { roles: ['a'] } }).trace;
  expectNote(note, similar('realm_access.rols', 'realm_access.roles'));
});

const CURE = 'Write it in the mapping as it arrives, or correct it at the provider.';

/** @param near what nearly arrived; null where nothing did */
function expectNear(note: string | undefined, near: string | null): void {
  if (near === null) expect(note ?? '').not.toContain('Nearly');
  else expect(note).toContain(`Nearly arrived: ${near}.`);
}

test.each<[wanted: string, arrived: string | string[], near: string | null]>([
  ['lab admins', 'lab  admins', 'lab admins (other blanks)'],
  ['lab admins', 'labadmins', 'lab admins (another character)'],
  ['staff', 'a.bstaff', null],
  ['staff', [...Array<string>(100).fill('x'), 'Staff'], null],
  ['staff', `${'x'.repeat(8_186)}/staff`, 'staff (another level)'],
  ['staff', `${'x'.repeat(8_187)}/staff`, null],
  ['team-1', 'team-12', null],
  ['/', 'x.', null],
  ['x.', '/', null],
])('a rule on %j, row %#', (wanted, department, near) => {
  const { note } = openId({ rules: [{ claim: 'department', is: [wanted] }] }, { department }).trace;
  expectNear(note, near);
  expect(note?.includes(CURE) ?? false).toBe(near !== null);
});

const wanting = (...any_group: Group[]): Mapping => ({ rules: [{ any_group }] });
const giving = (group: Group, from = ['groups']): Mapping => ({
  groups: { from, table: [{ group, uuid: G1 }] },
});
const FIVE =
  'a (other capitals), b (other capitals), c (other capitals), d (other capitals) and e (other capitals)';

test.each<[Mapping, groups: string[], near: string | null]>([
  [wanting('staff'), ['Staff'], 'staff (other capitals)'],
  [giving('staff'), ['/staff', 'x'], 'staff (a slash more or less)'],
  [giving('staff'), ['x,staff', 'y'], 'staff (joined with others)'],
  [wanting('staff'), ['staff@idm.example'], 'staff (another level)'],
  [wanting('staff'), ['staff-x@idm.example', 'CN=staff-x,OU=y'], null],
  [wanting('staff', 'staffs'), ['staff'], null],
  [{ ...giving('suspendet'), rules: [{ no_group: ['suspended'] }] }, ['suspended'], null],
  [wanting(...'abcdef'), [...'ABCDEF'], FIVE],
  [wanting({ prefix: 'a b' }), ['a  b-x'], 'a b (other blanks)'],
  // What arrives is without those around it.
  [wanting('hr '), ['hr'], 'hr  (other blanks)'],
  [wanting({ prefix: '/staff/' }), ['staff/a'], '/staff/ (a slash more or less)'],
  [wanting({ prefix: 'staff/' }), ['x', 'stuff/a'], 'staff/ (another character)'],
  [wanting({ dn: 'CN=staff' }), ['cn=Staff,O=x'], 'CN=staff (another level)'],
  [wanting({ dn: 'CN=staff,O=x' }), ['O=X'], 'CN=staff,O=x (another level)'],
  [wanting({ dn_suffix: 'OU=staff,O=x' }), ['OU=stuff,O=x'], 'OU=staff,O=x (another character)'],
  [wanting({ dn: 'CN=staff' }), ['staff', 'CN=other'], null],
])('groups of %j, where %j arrived: %s', (mapping, groups, near) => {
  expectNear(openId(mapping, { groups }).trace.groups?.note, near);
});

const DEPARTMENT = 'urn:oid:2.16.840.1.113730.3.1.2';
const near = (text: string) => `Nearly arrived: ${text}. ${CURE}`;

test.each<[Mapping, string]>([
  [{ rules: [{ attribute: DEPARTMENT, present: true }] }, DEPARTMENT],
  [{ groups: { from: [DEPARTMENT] } }, DEPARTMENT],
])('%j: the same attribute arrived under another name', (mapping, name) => {
  const { trace } = saml(mapping, [attribute('departmentnumber', '7')]);
  expectNote(trace.note ?? trace.groups?.note, similar(name, 'departmentNumber'));
});

const NESTED = { realm_access: { roles: ['x'] } };
const CLIENT = 'resource_access.my-app.roles';
const SCOPED = { eduperson_scoped_affiliation: 'member@unix.example' };
const MEMBER = { eduperson_scoped_affiliation: 'member@uni.example' };
const NONE = { eduperson_scoped_affiliation: [] };
const EMPTY = 'eduperson_scoped_affiliation or voperson_external_affiliation arrived without a value:';

test.each<[Rule, Claims, string | undefined]>([
  [{ email_domains: ['example.net'] }, {}, undefined],
  [{ email_domains: ['exmple.org'] }, {}, near('exmple.org (another character)')],
  [{ emails: ['adda@example.org'] }, {}, near('adda@example.org (another character)')],
  [{ scopes: ['uni.example'] }, SCOPED, near('uni.example (another character)')],
  [{ scopes: ['uni.example', '*.uni.example'], affiliations: ['x'] }, MEMBER, undefined],
  [{ scopes: ['uni.example'] }, NONE, EMPTY],
  [{ claim: 'st', is: [{ suffix: '-lab' }] }, { st: 'x-LAB' }, near('-lab (other capitals)')],
  [{ claim: 'mail', present: true }, { attributes: { mail: 'x' } }, similar('mail', 'attributes.mail')],
  [{ claim: 'group', present: true }, { groups: { a: 1 } }, similar('group', 'groups')],
  [{ claim: CLIENT, present: true }, { resource_access: { account: 'x' } }, absent(CLIENT)],
  [{ claim: 'roles', present: true }, { project: { 'roles.x': 1, rolesx: 1 } }, absent('roles')],
])('the rule %j, where %j arrived: %s', (rule, claims, note) => {
  expectNote(openId({ rules: [rule] }, claims).trace.note, note);
});

const denied = (...no_group: Group[]): Mapping => ({ groups: { from: ['groups'] }, rules: [{ no_group }] });
const NOT_SUSPENDED: Mapping = { rules: [{ claim: 'st', is_not: ['suspendet'] }] };

test.each<[Mapping, Claims, missed: string | undefined]>([
  [denied('suspendet'), { groups: ['suspended'] }, 'suspendet'],
  [denied('x', 'staff'), { groups: ['y'] }, undefined],
  [NOT_SUSPENDED, { st: 'suspended' }, 'suspendet'],
])('%j lets %j in, and misses %s', (mapping, claims, missed) => {
  const { decision, trace } = openId(mapping, claims);
  const note = missed && near(`${missed} (another character)`);
  expect([decision.reason, trace.groups?.note ?? trace.note]).toEqual(['authorized', note]);
  expect(trace.near).toEqual(missed && ['edit']);
});

test.each<[Mapping, Claims]>([
  [{ rules: [{ scopes: ['uni.example'] }] }, { eduperson_scoped_affiliation: 'a@x.example,b@uni.example' }],
  [{ rules: [{ any_group: [{ dn: 'CN=staff,O=x' }] }] }, { groups: 'CN=y,O=x;CN=staff,O=x' }],
])('%j misses what is joined with others in %j', (mapping, claims) => {
  expect(openId(mapping, claims).trace.near).toContain('joined');
});

test('what is missed by little is told beside a rule that refuses, and not in the place of what that says', () => {
  const rules: Mapping['rules'] = [
    { no_group: ['suspendet'] },
    { claim: 'st', is_not: ['suspendet'] },
    { claim: 'unit', present: true },
  ];
  const { trace } = openId(
    { groups: { from: ['groups'] }, rules },
    { groups: ['suspended'], st: 'suspended' },
  );
  expect(trace).toMatchObject({
    groups: { note: expect.stringMatching(/^Nearly arrived: suspendet/) },
    rule: 'rules[2].claim',
    note: expect.stringMatching(/^Did not arrive: unit\. [^:]*$/),
    near: ['edit'],
  });
});

test('each note stands where its rule belongs, once, and the cure is of all that is missed', () => {
  const rules: Mapping['rules'] = [{ no_group: ['suspendet'] }, { claim: 'st', is_not: ['locked'] }];
  const { trace } = openId({ groups: { from: ['groups'] }, rules }, { groups: ['suspended'], st: 'lockes' });
  expect([trace.groups?.note, trace.note]).toEqual([
    near('suspendet (another character)'),
    near('locked (another character)'),
  ]);
  const mixed = openId(wanting('staff', 'lab-admins'), { groups: ['x{staff}', 'Lab-Admins'] }).trace;
  expect(mixed.groups?.note).toContain(CURE);
});

test('a source that is not left out is named with the cure for one that is', () => {
  const groups = { from: ['Groups', 'x'], absent: ['Groups'] };
  const { trace } = openId({ groups, rules: [{ no_group: ['suspended'] }] }, { groups: ['y'] });
  expect(trace.groups?.note).toContain('list it in groups.absent');
});

const leftOut = (...from: string[]): Mapping => ({
  groups: { from, absent: from },
  rules: [{ no_group: ['suspended'] }],
});
const OF_ROLES: Mapping = {
  groups: { from: ['roles', 'a.roles'], absent: ['roles', 'a.roles'] },
  rules: [{ no_group: ['suspended'], from: ['roles'] }],
};
const staffOf = (...from: string[]) => ({ ...leftOut(...from), ...wanting('staff') });
const stateMayBeAbsent: Mapping = { rules: [{ claim: 'st', is_not: ['suspended'], absent: 'allow' }] };

test.each<[Mapping, Claims, string, string | undefined]>([
  [leftOut('Groups'), { groups: ['x'] }, 'groups_unknown', similar('Groups', 'groups')],
  [leftOut('roles'), NESTED, 'groups_unknown', similar('roles', 'realm_access.roles')],
  [leftOut('roles', 'realm_access.roles'), NESTED, 'authorized', undefined],
  [OF_ROLES, { a: { roles: ['x'] } }, 'authorized', undefined],
  [staffOf('groups'), {}, 'rule_refused', undefined],
  [staffOf('groups'), { group: [] }, 'rule_refused', similar('groups', 'group')],
  [stateMayBeAbsent, { the_st: 'y' }, 'authorized', similar('st', 'the_st')],
  [stateMayBeAbsent, { st: null }, 'authorized', undefined],
])('%j, where %j arrived: %s', (mapping, claims, reason, note) => {
  const { decision, trace } = openId(mapping, claims);
  expect(decision.reason).toBe(reason);
  const noted = trace.groups?.note ?? trace.note;
  expectNote(noted, note);
  // What the mapping says already is no cure.
  expect(noted ?? '').not.toContain('absent');
});

test('a blank attribute is there by each of its names', () => {
  const mapping: Mapping = { rules: [{ attribute: 'title', is_not: ['x'], absent: 'allow' }] };
  const { decision, trace } = saml(mapping, [attribute('urn:oid:2.5.4.12', '')]);
  expect([decision.reason, trace.note]).toEqual(['authorized', undefined]);
});

test('the differences are told as data, each once, of rules and groups together', () => {
  const table = ['staff', 'Labs'].map((group) => ({ group, uuid: G1 }));
  const rules = [{ email_domains: ['mail.example.org'] }];
  const { trace } = openId({ groups: { table }, rules }, { groups: ['Staff', '/Labs'] });
  expect(trace.near).toEqual(['case', 'level', 'slash']);
  const ofIssuer = openId({ issuers: { 'https://IDP.example.org': {} } }).trace;
  expect(ofIssuer).toMatchObject({ rule: 'issuers', near: ['case'] });
  const refused = openId(wanting('staff')).trace;
  expect(refused).toMatchObject({ rule: 'rules[0].any_group' });
  expect(refused).not.toHaveProperty('near');
});

test.each([
  [99, 'staff (other capitals)'],
  [100, undefined],
])('beside %d others, a text of the rule is compared or not', (count, near) => {
  const { groups } = openId(wanting(...Array(count).fill('x'), 'staff'), { groups: ['Staff'] }).trace;
  expect(groups?.note?.match(/staff \(other capitals\)/)?.[0]).toBe(near);
});

test('a text that is all there is, and not enough, is not missed by little', () => {
  const rules = [{ assurance: { eduPersonAssurance: [['https://a.example', 'https://other.example']] } }];
  expect(openId({ rules }, { eduperson_assurance: 'https://a.example' }).trace).not.toHaveProperty('note');
});

const FRIENDLY = 'arrived as a FriendlyName only, which identifies no attribute: write urn:x in the mapping.';

test.each([
  ['urn:x', FRIENDLY],
  // A Name that cannot be shown.
  ['a name', FRIENDLY.replace('urn:x', 'its Name')],
])('a rule on scopes does not look at the FriendlyName of %s, and says so', (name, told) => {
  const friendly = 'eduPersonScopedAffiliation';
  const attributes = [attribute(name, 'member@uni.example', friendly)];
  const { decision, trace } = saml({ rules: [{ scopes: ['uni.example'] }] }, attributes);
  expect(decision.reason).toBe('rule_refused');
  expect(trace.note).toBe(`${friendly} ${told}`);
});

const uid: Mapping = { external_id: { from: ['uid'], issuer: false } };

test.each<[Mapping, name: string, reason: Reason, hints: object, groups: string | undefined]>([
  [uid, 'uid', 'authorized', { external_id: `uid ${FRIENDLY}` }, undefined],
  [{ external_label: ['uid'] }, 'uid', 'authorized', { external_label: `uid ${FRIENDLY}` }, undefined],
  [giving('staff', ['memberOf']), 'memberOf', 'authorized', {}, `memberOf ${FRIENDLY}`],
  [{ groups: { from: ['memberOf'] }, ...wanting('staff') }, 'memberOf', 'rule_refused', {}, undefined],
])('%j of the FriendlyName %s: %s', (mapping, friendly, reason, hints, note) => {
  const login = saml(mapping, Array(2).fill(attribute('urn:x', 'A', friendly)));
  const { decision, trace } = login;
  expect([decision.reason, hintsIn(login), trace.groups?.note]).toEqual([reason, hints, note]);
});

const LINK = attribute('http://schemas.microsoft.com/claims/groups.link', 'https://graph.example/groups');

test('a source that arrived by a link has no such note', () => {
  const { trace } = saml(giving('staff', ['memberOf']), [LINK, attribute('memberOff', 'A')]);
  expect(trace.groups?.note ?? '').not.toMatch(/FriendlyName|memberOff/);
});

test('beside the rule that refused, another one says nothing; of those that allow, each does', () => {
  const rules: Rule[] = [{ any_group: ['staff'] }, { claim: 'st', is: ['Physics'] }];
  const groups = { from: ['groups'] };
  const refused = openId({ groups, rules }, { groups: ['x'], st: 'physics' }).trace;
  expect(refused).toMatchObject({ rule: 'rules[0].any_group' });
  expect(refused.note).toBeUndefined();
  const denying: Rule[] = [
    { claim: 'a', is_not: ['suspendet'] },
    { claim: 'b', is_not: ['suspendex'] },
  ];
  const allowed = openId({ rules: denying }, { a: 'suspended', b: 'suspended' }).trace;
  const notes = ['suspendet', 'suspendex'].map((text) => near(`${text} (another character)`));
  expect(allowed.note).toBe(notes.join(' '));
});

test.each<[issuer: string, string]>([
  ['https://idp.example.org/', 'The mapping lists https://idp.example.org/ (a slash more or less): '],
  ['https://idp.example.com', ''],
])('only the issuer %s is listed', (issuer, note) => {
  const { decision, trace } = openId({ issuers: { [issuer]: {} } }, {}, 'https://idp.example.org');
  expect(decision.reason).toBe('issuer_not_listed');
  expect(trace.note ?? '').toBe(note && `${note}an issuer is written exactly as it arrives.`);
});

/** By the field, what is said of each that has a hint. */
function hintsIn({ trace }: ReturnType<typeof openId>): Record<string, string> {
  const hints = Object.entries(trace.fields).flatMap(([field, { hint }]) => (hint ? [[field, hint]] : []));
  return Object.fromEntries(hints);
}

const lookingLike = (name: string, field: string) =>
  `${name} arrived, and looks like it. If it is, write ${field}: ['${name}'] in a mapping.`;

const NO_PROFILE = { email: undefined, given_name: undefined, family_name: undefined, name: undefined };
const NO_HINTS = { verified_email: true, username: 'x', email_id: 'x', email: ' ', 'a b': { mail: 'x' } };
const NO_NAMES = [
  'xfirstname',
  'firstnamex',
  'xlastname',
  'lastnamex',
  'xsn',
  'snx',
  'cnx',
  'xcn',
  'xmail',
  'mailx',
];

test.each<[Claims, fields: string[], written: string, name: string]>([
  [{ emails: 'x' }, ['email'], 'email', 'emails'],
  [{ user_email: 'x' }, ['email'], 'email', 'user_email'],
  // Univention's directory, and Oracle's identity domains.
  [{ mailPrimaryAddress: 'x' }, ['email'], 'email', 'mailPrimaryAddress'],
  [{ user_displayname: 'x' }, ['first_name', 'last_name'], 'full_name', 'user_displayname'],
  [{ user_first_name: 'x' }, ['first_name'], 'first_name', 'user_first_name'],
  [{ userSurname: 'x' }, ['last_name'], 'last_name', 'userSurname'],
  [{ WorkEmailAddress: 'x' }, ['email'], 'email', 'WorkEmailAddress'],
  [{ attributes: { mail: ['x'] } }, ['email'], 'email', 'attributes.mail'],
  [{ lastName: 'x' }, ['last_name'], 'last_name', 'lastName'],
  [{ firstName: 'x' }, ['first_name'], 'first_name', 'firstName'],
  // RFC 4519 section 2.12, and what Ory's identities have.
  [{ gn: 'x' }, ['first_name'], 'first_name', 'gn'],
  [{ name: { first: 'x', nick: 'y' } }, ['first_name'], 'first_name', 'name.first'],
  [{ profile: { name: 'x', nick: 'y' } }, ['first_name', 'last_name'], 'full_name', 'profile.name'],
  [{ address: { first: 'x', last: 'y' }, other: { first: { name: 'x', id: 'y' } } }, [], '', ''],
  [{ 'https://app.example/claims/email': 'x' }, ['email'], 'email', 'https://app.example/claims/email'],
  [{ 'https://app.example/claims#sn': 'x' }, ['last_name'], 'last_name', 'https://app.example/claims#sn'],
  // OpenID Connect Core 5.2
  [{ 'name#en': 'x' }, ['first_name', 'last_name'], 'full_name', 'name#en'],
  [{ 'family_name#ja-Kana-JP': 'x' }, ['last_name'], 'last_name', 'family_name#ja-Kana-JP'],
  [{ 'given_name#es-419': 'x' }, ['first_name'], 'first_name', 'given_name#es-419'],
  [{ 'x#email': 'x' }, ['email'], 'email', 'x#email'],
  [{ 'User.LastName': 'x' }, ['last_name'], 'last_name', 'User.LastName'],
  [{ 'urn:zitadel:iam:user:resourceowner:name': 'x' }, [], '', ''],
  // It is looked up, and no name of a person.
  [{ name: 'CONTOSO\\ada' }, [], '', ''],
  [{ mails: ['', 'a@b'] }, ['email'], 'email', 'mails'],
  // A blank one is no cure.
  [{ lastName: ' ', displayName: 'x' }, ['first_name', 'last_name'], 'full_name', 'displayName'],
  [
    { familyName: 7, surname: [' ', {}], lastName: [{ value: 'x', id: ' ' }] },
    ['last_name'],
    'last_name',
    'lastName.value',
  ],
  // A mapping reads no object: what is written is the path to a text.
  [{ emails: [{ value: 'a@b', type: 'work', primary: true }] }, ['email'], 'email', 'emails.value'],
  [{ user_email: { value: ['a@b'] }, work: { x: ['c@d'] } }, ['email'], 'email', 'user_email.value'],
  // An object under a name that is looked up, and its only text.
  [{ email: { value: 'a@b', type: 'home' }, Mail: 'x' }, ['email'], 'email', 'email.value'],
  [{ email: { value: ['x', 'a@b'] }, Mail: 'x' }, ['email'], 'email', 'email.value'],
  [{ email: { a: 'a@b', b: 'a@b', c: 7 } }, [], '', ''],
  [NO_HINTS, [], '', ''],
  [Object.fromEntries(NO_NAMES.map((name) => [name, 'x'])), [], '', ''],
])('a profile is not complete, and %j arrived', (claims, fields, written, name) => {
  const login = openId({}, { ...NO_PROFILE, ...claims });
  expect(login.decision.reason).toBe('profile_incomplete');
  const hints = fields.map((field) => [field, lookingLike(name, written)]);
  expect(hintsIn(login)).toEqual(Object.fromEntries(hints));
});

test.each<[Mapping, Claims, name: string | undefined]>([
  [{ affiliation: ['Department'] }, { department: 'x' }, 'department'],
  [{ affiliation: ['dept', 'Department'] }, { department: 'x', dept: 'y' }, undefined],
  [{ affiliation: ['urn:oid:2.5.4.10'] }, { 'urn:oid:1.3.6.1.4.1.5923.1.1.1.10': 'x' }, undefined],
])('%j: what is not required did not arrive, and %j did', (mapping, claims, name) => {
  const login = openId({ issuers: { 'https://idp.example.org': {} }, ...mapping }, claims);
  expect(login.decision.reason).toBe('authorized');
  const [field = ''] = Object.keys(mapping);
  expect(hintsIn(login)[field]).toBe(name && lookingLike(name, field));
});

test('of an assertion too', () => {
  const { trace } = samlOf({}, [attribute('userFirstName', ' '), attribute('userSurname', 'x')]);
  expect(trace.fields.last_name?.hint).toContain("write last_name: ['userSurname']");
  expect(trace.fields.first_name?.hint).toBeUndefined();
});

const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

test.each<[arrived: string, nameId: string, format: string | null, isTold: boolean]>([
  ['displayName', ' ada@example.org', UNSPECIFIED, true],
  ['displayName', 'ada@example.org', 'Unspecified', true],
  ['displayName', 'ada@example.org', null, true],
  ['displayName', 'ada', null, false],
  ['displayName', 'ada@example.org', PERSISTENT, false],
  ['mail', 'ada@example.org', null, false],
])('only %s arrived, and the NameID %j of the format %j', (arrived, nameId, format, isTold) => {
  const hints = Object.values(hintsIn(samlOf({}, [attribute(arrived, 'ada@example.org')], nameId, format)));
  expect(hints.some((hint) => hint.includes('write email: [NAME_ID] in a mapping'))).toBe(isTold);
});
