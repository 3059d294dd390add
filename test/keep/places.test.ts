/** Which texts are kept, which parts of addresses, URLs and distinguished names are replaced, and what a mapping names. */
import { describe, expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import type { DefaultNames } from '../../lib/profile/fields/reader.ts';
import { type Mapping, parseMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { hostOf, isOfPerson, mappingTexts, type Policy, partsOf } from '../../tools/keep/places.ts';
import type { Place } from '../../tools/keep/texts.ts';

const TENANT = '2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b';
const GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const ISSUER = `https://login.example.com/${TENANT}/v2.0`;

function policyOf(
  mapping: Mapping | null = null,
  names: DefaultNames = OPENID_NAMES,
  more: Partial<Policy> = {},
): Policy {
  const texts = mappingTexts(mapping && parseMapping(mapping), names);
  return { issuer: ISSUER, mapping: texts, hosts: new Set(), allowed: [], ...more };
}

const at = (names: string[] = [], role: Place['role'] = 'value'): Place => ({
  path: 'somewhere',
  role,
  names,
});

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

const URL = 'HTTP://user:pw@Example.org:8080/a//b?c=d&e#f;g';
const OF_ROLE = ['token', 'method', 'attributeName', 'claimName', 'header', 'format'] as const;
const ADDRESS = 'ada@example.org';

test.each<[string, string, Place?]>([
  [' Ada ', '<Ada>'],
  [' \t', ' \t'],
  ['Ada@Example.ORG', '<ada>@<example.org>'],
  ['a@b@c', '<a@b@c>'],
  ['tim_x#EXT#@contoso.com', '<tim_x>{#EXT#}@<contoso.com>'],
  ['#ext#@contoso.com', '{#ext#}@<contoso.com>'],
  ['a#EXT#b@contoso.com', '<a#ext#b>@<contoso.com>'],
  [URL, 'HTTP://<user:pw>@<example.org>:8080/<a>//<b>?<c>=<d>&<e>#<f>;<g>'],
  ['https://example.org:123456/', 'https://<example.org:123456>/'],
  ['GET https://example.org/ada', '<GET https://example.org/ada>'],
  ['CN=Ada Lovelace,OU=People+uid=ada, DC=org', 'CN=<Ada Lovelace>,OU=<People>+uid=<ada>, DC=<org>'],
  ['CN=Love\\,lace\\\\,OU=,O=a=b', 'CN=<Love,lace\\>,OU=,O=<a=b>'],
  ['CN= Ada ,c=\nGB', 'CN=<Ada>,c=<GB>'],
  ['CN=Ada,lovelace=x', '<CN=Ada,lovelace=x>'],
  ...OF_ROLE.map((role): [string, string, Place] => [ADDRESS, `<${ADDRESS}>`, at([], role)]),
  [ADDRESS, '<ada>@<example.org>', at([], 'nameId')],
  [ADDRESS, '<ada>@<example.org>', at([], 'response')],
])('a text is replaced in its parts: %j', (text, expected, ...[place]) =>
  expect(shown(text, policyOf(), place)).toBe(expected),
);

test.each<[string, string, Place['role'], string | null]>([
  ['is kept as a value', ISSUER, 'value', 'the issuer'],
  ['is kept in a response', ISSUER, 'response', 'the issuer'],
  ['is replaced as a NameID', ISSUER, 'nameId', null],
  ['is kept in its UUID', TENANT, 'value', 'a part of the issuer'],
  ['is not kept in another UUID', GROUP, 'value', null],
  ['is not kept in its words', 'v2.0', 'value', null],
  ['is not kept in its UUID as a NameID', TENANT, 'nameId', null],
])('the issuer %s', (_, text, role, why) => expect(whyOf(text, policyOf(), at([], role))).toContain(why));

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

test('what standards and documents have is told apart', () => {
  const isStandard = (text: string, place = at()) =>
    partsOf(text, place, policyOf()).map((part) => part.isStandard);
  expect(isStandard('email', at([], 'claimName'))).toEqual([true]);
  expect(isStandard('tim_x#EXT#@contoso.com')).toEqual([false, true, true, false]);
  expect(isStandard(' ')).toEqual([true]);
  expect(isStandard(ISSUER)).toEqual([false]);
});

const ROWS = [
  { group: 'Staff', uuid: GROUP },
  { group: { prefix: '/Lab/' }, uuid: GROUP },
];
const DENIED = ['locked', { dn: 'CN=Out,DC=org' }, { dn_suffix: 'ou=staff,dc=org' }];
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
const CLAIMS: Mapping = {
  rules: [
    { claim: 'org.unit', is: ['physics', 7, { prefix: 'eng-' }, { suffix: '-lab' }] },
    { assurance: { amr: ['own-key'] } },
  ],
};
const ATTRIBUTES: Mapping = { rules: [{ attribute: 'departmentNumber', is: ['A7'] }] };
const EMAILS: Mapping = { rules: [{ emails: ['Ada@example.edu'] }] };
const AFFILIATION = at(['eduperson_scoped_affiliation']);
const JOINED = 'member@uni.orgstaff@uni.org';

/** With the reason of the first part, where it is looked at. */
test.each<[mapping: Mapping | null, place: Place, text: string, expected: string, why?: string | null]>([
  [GROUPS, at(['groups']), 'Staff', '{Staff}', 'a group that the mapping names'],
  [GROUPS, at(['groups']), 'readers', '{readers}', 'a group that the mapping names'],
  [GROUPS, at(['groups']), 'locked', '{locked}', 'a group that the mapping names'],
  [GROUPS, at(['groups']), 'staff-2', '<staff-2>', null],
  [GROUPS, at(['groups']), '/lab/ada', '{/lab/}<ada>', 'the prefix of groups that the mapping names'],
  [GROUPS, at(['groups']), '/ada/Locked#campus', '/<ada>/{Locked}#<campus>', ''],
  [GROUPS, at(['groups']), 'locked#ada', '{locked}#<ada>', 'a part of a group that the mapping names'],
  [GROUPS, at(['groups']), 'CN=Ada, OU=Staff,DC=org', 'CN=<Ada>,{ OU=Staff,DC=org}', ''],
  [
    GROUPS,
    at(['groups']),
    'OU=Staff,DC=org',
    '{OU=Staff,DC=org}',
    'a distinguished name that the mapping names',
  ],
  [GROUPS, at(['groups']), 'CN=Ada,CN=Out,DC=org', 'CN=<Ada>,{CN=Out,DC=org}', ''],
  [GROUPS, at(['roles', 'realm_access.roles']), 'Staff', '{Staff}'],
  [GROUPS, at(['family_name']), 'Staff', '<Staff>'],
  [GROUPS, at([], 'nameId'), 'Staff', '<Staff>'],
  [GROUPS, at(['x']), 'OU=Staff,DC=org', 'OU=<Staff>,DC=<org>'],
  [OF_NAME_ID, at([], 'nameId'), 'Staff', '{Staff}'],
  [OF_NAME_ID, at(['groups']), 'Staff', '<Staff>'],
  [OF_TEAMS, at(['teams']), 'Staff', '{Staff}'],
  [{ issuers: { x: GROUPS } }, at(['groups']), 'Staff', '{Staff}'],
  [DOMAINS, at(), 'ada@EXAMPLE.org', '<ada>@{example.org}'],
  [DOMAINS, at(), 'ada@x.example.org', '<ada>@<x>.{example.org}'],
  [SCOPES, AFFILIATION, 'member@uni.org', '{member}@{uni.org}', 'an affiliation'],
  [SCOPES, AFFILIATION, 'staff@other.org', '{staff}@<other.org>', 'an affiliation'],
  [SCOPES, AFFILIATION, 'ada@uni.org', '<ada>@{uni.org}', null],
  [SCOPES, AFFILIATION, JOINED, `{${JOINED}}`, 'an affiliation for a scope that the mapping names'],
  [SCOPES, AFFILIATION, 'member@uni.orgada@uni.org', '<member@uni.orgada@uni.org>', null],
  [null, AFFILIATION, 'member@uni.org', '<member>@<uni.org>'],
  [SCOPES, at(['x']), 'member@uni.org', '<member>@{uni.org}'],
  [OF_IS, at(['is']), 'member@uni.org', '{member}@{uni.org}'],
  [CLAIMS, at(['unit', 'org.unit']), 'physics', '{physics}', 'a value that a rule of the mapping names'],
  [CLAIMS, at(['unit', 'org.unit']), '7', '{7}'],
  [CLAIMS, at(['amr']), 'own-key', '{own-key}'],
  [CLAIMS, at(['Org.Unit']), 'physics', '{physics}'],
  [CLAIMS, at(['unit']), 'physics', '<physics>'],
  [CLAIMS, at(['org.unit'], 'claimName'), 'physics', '<physics>'],
  [CLAIMS, at(['org.unit']), 'my physics maths', '<my physics maths>'],
  [CLAIMS, at(['org.unit']), 'eng-ada', '{eng-}<ada>'],
  [CLAIMS, at(['org.unit']), 'eng-', '{eng-}'],
  [CLAIMS, at(['org.unit']), 'ada-lab', '<ada>{-lab}'],
  [CLAIMS, at(['other']), 'eng-ada', '<eng-ada>'],
  [CLAIMS, at(['other']), 'ada-lab', '<ada-lab>'],
  [
    EMAILS,
    at(['email']),
    'ada@Example.edu',
    '{ada@Example.edu}',
    'an address that a rule of the mapping lists',
  ],
])('what the mapping names is kept, row %#', (mapping, place, text, expected, ...[why]) => {
  expect(shown(text, policyOf(mapping), place)).toBe(expected);
  if (why !== undefined) expect(whyOf(text, policyOf(mapping), place)[0]).toBe(why);
});

test('the last part of an address is kept for its own reason', () => {
  expect(whyOf('ada@EXAMPLE.org', policyOf(DOMAINS)).at(-1)).toBe('a domain that the mapping names');
});

test('a value that a rule names is kept under the OID, and says nothing of who somebody is', () => {
  const ofOid = at(['urn:oid:2.16.840.1.113730.3.1.2']);
  expect(shown('A7', policyOf(ATTRIBUTES, SAML_NAMES), ofOid)).toBe('{A7}');
  expect(isOfPerson('physics', at(['org.unit']), policyOf(CLAIMS))).toBe(false);
  expect(isOfPerson('maths', at(['org.unit']), policyOf(CLAIMS))).toBe(true);
});

describe('names of claims and attributes that the mapping has are kept:', () => {
  const policy = policyOf({
    email: ['User.Email', { use: 'defaults' }],
    first_name: ['first'],
    last_name: { from: ['last'], fallback: '-' },
    image_url: ['image'],
    affiliation: ['org.unit'],
    external_id: ['ident'],
    external_label: ['label'],
    groups: { from: ['teams.all'] },
    rules: [{ scopes: ['uni.org'], from: ['scoped'] }],
  });
  const NAMES = 'user.email first last image org.unit unit ident LABEL teams all scoped'.split(' ');
  test.each(NAMES)('%s', (name) => {
    expect(whyOf(name, policy, at([], 'claimName'))).toEqual(['a name that the mapping has']);
    expect(whyOf(name, policy, at([], 'attributeName'))).toEqual(['a name that the mapping has']);
    expect(whyOf(name, policy, at([], 'fieldName'))).toEqual([null]);
    expect(whyOf(name, policyOf(), at([], 'claimName'))).toEqual([null]);
  });

  test('an LDAP name stands for its other names', () => {
    const ofSaml = policyOf({ email: ['eduPersonNickname'] }, SAML_NAMES);
    expect([...ofSaml.mapping.names]).toContain('urn:oid:1.3.6.1.4.1.5923.1.1.1.2');
  });
});

describe('a host that the handler asks', () => {
  const policy = policyOf(null, OPENID_NAMES, { hosts: new Set(['x.org:8443']) });
  const REQUEST = at([], 'request');
  test.each<[string, string, Place, string]>([
    ['is kept in a link', 'https://X.org:8443/ada?b', at(), 'https://{X.org:8443}/<ada>?<b>'],
    ['is not kept with another port', 'https://x.org/ada', at(), 'https://<x.org>/<ada>'],
    ['is kept in a request', 'GET https://X.org/ada', REQUEST, 'GET https://{X.org}</ada>'],
    ['is kept in a request alone', 'GET https://X.org', REQUEST, 'GET https://{X.org}'],
    ['is none of another text', 'ada', REQUEST, '<ada>'],
  ])('%s', (_, text, place, expected) => expect(shown(text, policy, place)).toBe(expected));

  test('is kept with its reason', () => {
    expect(whyOf('https://x.org:8443', policy)).toEqual(['', 'a system that the handler asks']);
  });

  test.each([
    ['GET https://X.org:8443/a', 'x.org:8443'],
    ['POST http://x.org?a', 'x.org'],
    ['https://x.org', ''],
    ['x GET https://x.org', ''],
    ['Ada', ''],
  ])('of %s: %s', (text, host) => expect(hostOf(text)).toBe(host));
});

test.each<[string, string, Partial<Place>, boolean]>([
  ['a value', 'Ada', {}, true],
  ['a NameID', 'ada', { role: 'nameId' }, true],
  ['but a key', 'ada', { role: 'claimName' }, false],
  ['but a group', 'ada', { names: ['groups'] }, false],
  ['but a group of the mapping’s own', 'ada', { names: ['TEAMS'] }, false],
  ['but an affiliation', 'ada', { names: ['eduperson_scoped_affiliation'] }, false],
  ['but an affiliation of an attribute', 'ada', { names: ['urn:oid:1.3.6.1.4.1.5923.1.1.1.9'] }, false],
  ['but a group of an attribute', 'ada', { names: ['urn:oid:1.3.6.1.4.1.5923.1.5.1.1'] }, false],
  ['but a scope', 'openid', { names: ['scope'] }, false],
  ['but the audience', 'client', { path: 'idToken.aud[]' }, false],
  ['but what a claim below it says', 'client', { path: 'aud' }, false],
  ['but a URL', 'https://ada.example', {}, false],
])('a name of a sample must not have %s', (_, text, place, expected) => {
  const policy = policyOf({ groups: { from: ['teams'] } });
  expect(isOfPerson(text, { ...at(), ...place }, policy)).toBe(expected);
});

const DEFAULT_GROUPS = ['groups', 'roles', 'cognito:groups', 'realm_access.roles', 'eduperson_entitlement'];
const NOTHING = {
  ...{ groups: [], domains: [], affiliations: [], addresses: new Set() },
  ...{ names: new Set(), usesNameIdForGroups: false, values: new Map() },
};

test('no mapping names nothing, and an empty one the groups of the defaults', () => {
  const none = { ...NOTHING, groupNames: new Set(), affiliationNames: new Set() };
  expect(mappingTexts(null, OPENID_NAMES)).toEqual(none);
  const groupNames = new Set(DEFAULT_GROUPS);
  expect(mappingTexts(parseMapping({}), OPENID_NAMES)).toEqual({ ...none, names: groupNames, groupNames });
});

test('all parts of a mapping name texts: domains in lower case, the longest first', () => {
  const mapping = parseMapping({
    email: ['Address', { use: 'nameId' }],
    groups: { from: ['Teams', { use: 'nameId' }], table: [{ group: 'staff', uuid: GROUP }] },
    rules: [
      { email_domains: ['a.org', '*.Long.example.org'] },
      { any_group: ['one'] },
      { emails: ['Ada@example.edu'] },
    ],
    issuers: {
      x: {
        rules: [
          { scopes: ['uni.org'] },
          { scopes: ['uni.org'], affiliations: ['Rector'], from: ['Role'] },
          { no_group: [{ prefix: '/two/' }] },
          { claim: 'Team', is: ['Physics', 7] },
          { claim: 'Team', is: [true, { prefix: 'a-' }] },
          { claim: 'Team', is_not: [{ suffix: '-b' }, 'Maths'] },
          { claim: 'any', present: true },
          { assurance: { acr: ['gold'], amr: [['pwd', 'otp'], 'hwk'], max_age: '8h' } },
          { assurance: { eduPersonAssurance: ['high'] } },
        ],
      },
    },
  });
  const groupNames = new Set(['teams', ...DEFAULT_GROUPS]);
  const affiliationNames = new Set([
    ...['eduperson_scoped_affiliation', 'voperson_external_affiliation', 'role'],
  ]);
  const ofRules = ['team', 'any', 'acr', 'amr', 'auth_time', 'eduperson_assurance'];
  expect(mappingTexts(mapping, OPENID_NAMES)).toEqual({
    groups: ['staff', 'one', { prefix: '/two/' }],
    domains: ['long.example.org', 'uni.org', 'uni.org', 'a.org'],
    affiliations: ['rector'],
    addresses: new Set(['ada@example.edu']),
    names: new Set(['address', ...groupNames, ...affiliationNames, ...ofRules]),
    values: new Map([
      ['team', new Set(['Physics', '7', 'true', 'a-', '-b', 'Maths'])],
      ['any', new Set()],
      ['acr', new Set(['gold'])],
      ['amr', new Set(['pwd', 'otp', 'hwk'])],
      ['auth_time', new Set()],
      ['eduperson_assurance', new Set(['high'])],
    ]),
    groupNames,
    affiliationNames,
    usesNameIdForGroups: true,
  });
});
