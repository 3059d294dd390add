/** Which texts are kept, which parts of addresses, URLs and groups are replaced, and what a mapping names. */
import { describe, expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import type { DefaultNames } from '../../lib/profile/fields/reader.ts';
import { type Mapping, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { hostOf, isOfPerson, mappingTexts, type Policy, partsOf } from '../../tools/keep/places.ts';
import { NAME_ID, type Place, type Role } from '../../tools/keep/texts.ts';

const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const ISSUER = `https://login.example.com/${TENANT}/v2.0`;

function policyOf(
  mapping: Mapping | null = null,
  names: DefaultNames = OPENID_NAMES,
  more: Partial<Policy> = {},
): Policy {
  const texts = mappingTexts(mapping && parseMapping(mapping), names);
  return { issuer: ISSUER, mapping: texts, hosts: new Set(), allowed: [], ...more };
}

const at = (names: string[] = [], role: Role = 'value'): Place => ({ path: 'somewhere', role, names });

/** What is replaced is in angles, what is kept for a reason in braces. */
function shown(text: string, policy = policyOf(), place = at()): string {
  const parts = partsOf(text, place, policy).map(({ text, why }) => {
    if (why === null) return `<${text}>`;
    return why === '' ? text : `{${text}}`;
  });
  return parts.join('');
}

function whyOf(text: string, policy = policyOf(), place = at()): (string | null)[] {
  return partsOf(text, place, policy).map(({ why }) => why);
}

const ADDRESS = 'ada@example.org';

test.each<[string, string, Place?]>([
  [' Ada ', '<Ada>'],
  [' \t', ' \t'],
  ['Ada@Example.ORG', '<ada>@<example.org>'],
  ['a@b@c', '<a@b@c>'],
  ['tim_x#EXT#@contoso.com', '<tim_x#ext#>@<contoso.com>'],
  ['https://example.org:8080/a', '<https://example.org:8080/a>'],
  ['CN=Ada,DC=org', '<CN=Ada,DC=org>'],
  ...(['token', 'method', 'attributeName', 'claimName', 'format'] as const).map(
    (role): [string, string, Place] => [ADDRESS, `<${ADDRESS}>`, at([], role)],
  ),
  [ADDRESS, '<ada>@<example.org>', at([], 'nameId')],
  [ADDRESS, '<ada>@<example.org>', at([], 'response')],
])('a text is replaced in its parts: %j', (text, expected, ...[place]) =>
  expect(shown(text, policyOf(), place)).toBe(expected),
);

test.each<[string, string, Role, string | null]>([
  ['is kept as a value', ISSUER, 'value', 'the issuer'],
  ['is kept in a response', ISSUER, 'response', 'the issuer'],
  ['is replaced as a NameID', ISSUER, 'nameId', null],
  ['is kept in its UUID', TENANT, 'value', 'a part of the issuer'],
  ['is not kept in another UUID', UUID, 'value', null],
  ['is not kept in its words', 'v2.0', 'value', null],
])('the issuer %s', (_, text, role, why) => expect(whyOf(text, policyOf(), at([], role))).toEqual([why]));

test('an event without an issuer keeps none', () => {
  expect(shown(TENANT, policyOf(null, OPENID_NAMES, { issuer: null }))).toBe(`<${TENANT}>`);
});

test.each([
  ['a whole text', 'Ada', 'Ada', 'somewhere', '{Ada}'],
  ['a part', 'example.org', ADDRESS, 'somewhere', '<ada>@{example.org}'],
  ['not elsewhere', 'Ada', 'Ada', 'elsewhere', '<Ada>'],
  ['not as a part of another text', 'Ada', 'Ada Lovelace', 'somewhere', '<Ada Lovelace>'],
])('what is allowed is kept in only its place: %s', (_, text, whole, path, expected) => {
  const policy = policyOf(null, OPENID_NAMES, { allowed: [{ path, text }] });
  expect(shown(whole, policy)).toBe(expected);
  if (expected === '{Ada}') expect(whyOf('Ada', policy)).toEqual(['allowed']);
});

test('what standards have is told apart', () => {
  const isStandard = (text: string, place = at()) =>
    partsOf(text, place, policyOf()).map((part) => part.isStandard);
  expect(isStandard('email', at([], 'claimName'))).toEqual([true]);
  expect(isStandard(ADDRESS)).toEqual([false, true, false]);
  expect([isStandard(' '), isStandard(ISSUER)]).toEqual([[true], [false]]);
});

const ROWS = [
  { group: 'Staff', uuid: UUID },
  { group: { prefix: '/Lab/' }, uuid: UUID },
];
const DENIED = ['locked', 'a:b', { dn: 'CN=Out,DC=org' }, { dn_suffix: 'ou=staff,dc=org' }];
const GROUPS: Mapping = {
  groups: { table: ROWS },
  rules: [{ any_group: ['readers'] }, { no_group: DENIED }],
};
const OF_NAME_ID: Mapping = { groups: { from: [{ use: 'nameId' }], table: ROWS } };
const OF_TEAMS: Mapping = { groups: { from: ['teams'], table: ROWS } };
const DOMAINS: Mapping = {
  rules: [{ email_domains: ['Example.org', '*.maths.example.org', 'uni.example'] }],
};
const SCOPES: Mapping = { rules: [{ scopes: ['uni.org', '*.uni.org'], affiliations: ['Rector'] }] };
const OF_IS: Mapping = { rules: [{ scopes: ['uni.org'], from: ['is'] }] };
const UNIT = ['physics', 7, { prefix: 'eng-' }, { suffix: '-lab' }, 'eng-7'];
const CLAIMS: Mapping = { rules: [{ claim: 'org.unit', is: UNIT }, { assurance: { amr: ['own-key'] } }] };
const EMAILS: Mapping = { rules: [{ emails: ['Ada@example.edu'] }] };
const IN_GROUPS = at(['groups']);
const AFFILIATION = at(['eduperson_scoped_affiliation']);
const JOINED = 'member@uni.orgstaff@uni.org';
const GROUP = 'a group that the mapping names, or a part of one';
const VALUE = 'a value that the mapping names, or begins or ends with';

/** With the first reason, where it is looked at. */
test.each<[mapping: Mapping | null, place: Place, text: string, expected: string, why?: string]>([
  [GROUPS, IN_GROUPS, 'Staff', '{Staff}', GROUP],
  [GROUPS, IN_GROUPS, 'readers', '{readers}', GROUP],
  [GROUPS, IN_GROUPS, 'LOCKED', '{LOCKED}', GROUP],
  [GROUPS, IN_GROUPS, 'A:B', '{A:B}', GROUP],
  [GROUPS, IN_GROUPS, 'staff-2', '<staff-2>'],
  [GROUPS, IN_GROUPS, '/lab/ada', '{/lab/}<ada>', VALUE],
  [GROUPS, IN_GROUPS, '/Lab/', '{/Lab/}', VALUE],
  [GROUPS, IN_GROUPS, '/ada/Locked#campus', '/<ada>/{Locked}#<campus>', GROUP],
  [GROUPS, IN_GROUPS, 'locked\\ada', '{locked}\\<ada>', GROUP],
  [GROUPS, IN_GROUPS, '/ada/', '</ada/>'],
  [GROUPS, IN_GROUPS, 'CN=Ada,OU=Staff,DC=org', '<CN=Ada>{,OU=Staff,DC=org}', VALUE],
  [GROUPS, IN_GROUPS, 'OU=Staff,DC=org', '{OU=Staff,DC=org}', VALUE],
  [GROUPS, IN_GROUPS, 'CN=Out,DC=org', '{CN=Out,DC=org}', VALUE],
  [GROUPS, IN_GROUPS, ADDRESS, '<ada>@<example.org>'],
  [GROUPS, at(['roles', 'realm_access.roles']), 'Staff', '{Staff}'],
  [GROUPS, at(['family_name']), 'Staff', '<Staff>'],
  [GROUPS, at([NAME_ID], 'nameId'), 'Staff', '<Staff>'],
  [OF_NAME_ID, at([NAME_ID], 'nameId'), 'Staff', '{Staff}'],
  [OF_NAME_ID, IN_GROUPS, 'Staff', '<Staff>'],
  [OF_TEAMS, at(['Teams']), 'Staff', '{Staff}'],
  [{ issuers: { x: GROUPS } }, IN_GROUPS, 'Staff', '{Staff}'],
  [DOMAINS, at(), 'ada@EXAMPLE.org', '<ada>@{example.org}'],
  [DOMAINS, at(), 'ada@x.example.org', '<ada>@<x>.{example.org}'],
  [DOMAINS, at(), 'ada@x.maths.example.org', '<ada>@<x>.{maths.example.org}'],
  [DOMAINS, at(), 'ada@anexample.org', '<ada>@<anexample.org>'],
  [SCOPES, AFFILIATION, 'Member@uni.org', '{Member@}{uni.org}', VALUE],
  [SCOPES, AFFILIATION, 'rector@x.uni.org', '{rector@}<x>.{uni.org}', VALUE],
  [SCOPES, AFFILIATION, 'ada@uni.org', '<ada>@{uni.org}'],
  [SCOPES, AFFILIATION, JOINED, `{${JOINED}}`, 'affiliations for scopes that the mapping names'],
  [SCOPES, AFFILIATION, 'member@uni.orgada@uni.org', '{member@}<uni.orgada@uni.org>'],
  [null, AFFILIATION, 'member@uni.org', '<member>@<uni.org>'],
  [SCOPES, at(['x']), 'member@uni.org', '<member>@{uni.org}'],
  [SCOPES, at(['x']), JOINED, `<${JOINED}>`],
  [OF_IS, at(['is']), 'member@uni.org', '{member@}{uni.org}'],
  [CLAIMS, at(['unit', 'org.unit']), 'Physics', '{Physics}', VALUE],
  [CLAIMS, at(['Org.Unit']), '7', '{7}'],
  [CLAIMS, at(['amr']), 'own-key', '{own-key}'],
  [CLAIMS, at(['org.unit']), 'eng-7', '{eng-7}'],
  [CLAIMS, at(['unit']), 'physics', '<physics>'],
  [CLAIMS, at(['org.unit'], 'claimName'), 'physics', '<physics>'],
  [CLAIMS, at(['org.unit']), 'my physics maths', '<my physics maths>'],
  [CLAIMS, at(['org.unit']), 'eng-ada', '{eng-}<ada>'],
  [CLAIMS, at(['org.unit']), 'Ada-Lab', '<Ada>{-Lab}'],
  [
    EMAILS,
    at(['email']),
    'ada@Example.edu',
    '{ada@Example.edu}',
    'an address that a rule of the mapping lists',
  ],
])('what the mapping names is kept, row %#', (mapping, place, text, expected, ...[why]) => {
  expect(shown(text, policyOf(mapping), place)).toBe(expected);
  if (why !== undefined)
    expect(whyOf(text, policyOf(mapping), place).find((one) => one !== '' && one)).toBe(why);
});

test('the ends of an address and of a value are kept for their own reasons', () => {
  expect(whyOf('ada@EXAMPLE.org', policyOf(DOMAINS)).at(-1)).toBe('a domain that the mapping names');
  expect(whyOf('ada-lab', policyOf(CLAIMS), at(['org.unit']))).toEqual([null, VALUE]);
});

describe('names of claims and attributes that the mapping has are kept:', () => {
  const policy = policyOf({
    email: ['User.Email', { use: 'defaults' }],
    first_name: ['first'],
    last_name: { from: ['last'], fallback: '-' },
    groups: { from: ['teams.all'] },
    rules: [
      { scopes: ['uni.org'], from: ['scoped'] },
      { claim: 'wanted', present: true },
    ],
  });
  test.each('user.email first LAST user teams all teams.all scoped wanted'.split(' '))('%s', (name) => {
    const why = ['a name that the mapping has'];
    expect(whyOf(name, policy, at([], 'claimName'))).toEqual(why);
    expect(whyOf(name, policy, at([], 'attributeName'))).toEqual(why);
    expect(whyOf(name, policy)).toEqual([null]);
    expect(whyOf(name, policyOf(), at([], 'claimName'))).toEqual([null]);
  });

  test('an LDAP name stands for its other names', () => {
    const { names } = policyOf({ email: ['eduPersonNickname'] }, SAML_NAMES).mapping;
    expect(names).toContain('urn:oid:1.3.6.1.4.1.5923.1.1.1.2');
  });
});

test.each<[string, Role, string]>([
  ['https://X.org:8443/ada?b', 'value', 'https://{X.org:8443}/<ada?b>'],
  ['https://X.org:8443', 'value', 'https://{X.org:8443}'],
  ['https://x.org/ada', 'value', '<https://x.org/ada>'],
  ['xhttps://x.org:8443/ada', 'value', '<xhttps://x.org:8443/ada>'],
  ['https:///ada', 'value', '<https:///ada>'],
  ['GET https://X.org:8443/\nada', 'request', 'GET https://{X.org:8443}/<\nada>'],
  ['ADA https://X.org:8443/ada', 'request', '<ADA https://X.org:8443/ada>'],
])('a host that the handler asks is kept with its port: %j', (text, role, expected) => {
  const policy = policyOf(null, OPENID_NAMES, { hosts: new Set(['x.org:8443', '']) });
  expect(shown(text, policy, at([], role))).toBe(expected);
  if (text.endsWith(':8443')) expect(whyOf(text, policy)).toContain('a system that the handler asks');
});

test.each([
  ['GET https://X.org:8443/a', 'x.org:8443'],
  ['POST http://x.org?a', 'x.org'],
  ['x GET https://x.org', ''],
  ['Ada', ''],
])('the host of %s: %s', (text, host) => expect(hostOf(text)).toBe(host));

test.each<[string, string, Partial<Place>, boolean]>([
  ['a value', 'Ada', {}, true],
  ['a NameID', 'ada', { role: 'nameId' }, true],
  ['but a key', 'ada', { role: 'claimName' }, false],
  ['but a group', 'ada', { names: ['groups'] }, false],
  ['but a group of the mapping’s own', 'ada', { names: ['TEAMS'] }, false],
  ['but an affiliation', 'ada', { names: ['eduperson_scoped_affiliation'] }, false],
  ['but an affiliation of an attribute', 'ada', { names: ['urn:oid:1.3.6.1.4.1.5923.1.1.1.9'] }, false],
  ['but a group of an attribute', 'ada', { names: ['isMemberOf'] }, false],
  ['but a scope', 'openid', { names: ['scope'] }, false],
  ['but the audience', 'client', { path: 'id_token.aud[]' }, false],
  ['but what a claim below it says', 'client', { path: 'aud' }, false],
  ['but a URL', 'https://ada.example', {}, false],
  ['but a value that a rule wants', ' Physics', { names: ['unit'] }, false],
  ['a value that no rule wants', 'maths', { names: ['unit'] }, true],
])('a name of a sample must not have %s', (_, text, place, expected) => {
  const policy = policyOf({ groups: { from: ['teams'] }, rules: [{ claim: 'unit', is: ['physics'] }] });
  expect(isOfPerson(text, { ...at(), ...place }, policy)).toBe(expected);
});

test('a NameID is of the person also where groups are looked up in it', () => {
  const policy = policyOf(OF_NAME_ID, SAML_NAMES);
  expect(isOfPerson('ada', at([NAME_ID], 'nameId'), policy)).toBe(true);
});

test('no mapping names nothing, and an empty one the groups of the defaults', () => {
  const lookUps = [{ of: 'groups', names: [], values: [] }];
  const nothing = { groups: [], domains: [], addresses: [], names: [], lookUps };
  expect(mappingTexts(null, OPENID_NAMES)).toEqual(nothing);
  const names = ['groups', 'roles', 'cognito:groups', 'realm_access.roles', 'eduperson_entitlement'];
  const empty = { ...nothing, names, lookUps: [{ of: 'groups', names, values: [] }] };
  expect(mappingTexts(parseMapping({}), OPENID_NAMES)).toEqual(empty);
});
