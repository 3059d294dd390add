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

function placeOf(names: string[] = [], role: Place['role'] = 'value'): Place {
  return { path: 'somewhere', role, names };
}

/** What is replaced is in angles, what is kept for a reason in braces. */
function shown(text: string, policy = policyOf(), place = placeOf()): string {
  const parts = partsOf(text, place, policy).map(({ text, why }) => {
    if (why === null) return `<${text}>`;
    return why === '' ? text : `{${text}}`;
  });
  return parts.join('');
}

function whyOf(text: string, policy = policyOf(), place = placeOf()): (string | null)[] {
  return partsOf(text, place, policy).map(({ why }) => why);
}

const URL = 'HTTP://user:pw@Example.org:8080/a//b?c=d&e#f;g';

test.each([
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
])('a text is replaced in its parts: %j', (text, expected) => expect(shown(text)).toBe(expected));

test.each<[Place['role'], string]>([
  ...(['token', 'method', 'attributeName', 'claimName', 'header', 'format'] as const).map(
    (role): [Place['role'], string] => [role, '<ada@example.org>'],
  ),
  ['nameId', '<ada>@<example.org>'],
  ['response', '<ada>@<example.org>'],
])('an address as %s is %s', (role, expected) => {
  expect(shown('ada@example.org', policyOf(), placeOf([], role))).toBe(expected);
});

test.each<[string, string, Place['role'], string | null]>([
  ['is kept as a value', ISSUER, 'value', 'the issuer'],
  ['is kept in a response', ISSUER, 'response', 'the issuer'],
  ['is replaced as a NameID', ISSUER, 'nameId', null],
  ['is kept in its UUID', TENANT, 'value', 'a part of the issuer'],
  ['is not kept in another UUID', GROUP, 'value', null],
  ['is not kept in its words', 'v2.0', 'value', null],
  ['is not kept in its UUID as a NameID', TENANT, 'nameId', null],
])('the issuer %s', (_, text, role, why) => {
  expect(whyOf(text, policyOf(), placeOf([], role))).toContain(why);
});

test('an event without an issuer keeps none', () => {
  expect(shown(TENANT, policyOf(null, OPENID_NAMES, { issuer: null }))).toBe(`<${TENANT}>`);
});

test.each([
  ['a whole text', 'Ada', 'Ada', 'somewhere', '{Ada}'],
  ['a part', 'example.org', 'ada@example.org', 'somewhere', '<ada>@{example.org}'],
  ['not elsewhere', 'Ada', 'Ada', 'elsewhere', '<Ada>'],
  ['not as a part of another text', 'Ada', 'Ada Lovelace', 'somewhere', '<Ada Lovelace>'],
])('what is allowed is kept in only its place: %s', (_, text, whole, path, expected) => {
  const policy = policyOf(null, OPENID_NAMES, { allowed: [{ path, text }] });
  expect(shown(whole, policy)).toBe(expected);
  if (expected === '{Ada}') expect(whyOf('Ada', policy)).toEqual(['allowed']);
});

test('what standards and documents have is told apart', () => {
  const isStandard = (text: string, place = placeOf()) =>
    partsOf(text, place, policyOf()).map((part) => part.isStandard);
  expect(isStandard('email', placeOf([], 'claimName'))).toEqual([true]);
  expect(isStandard('tim_x#EXT#@contoso.com')).toEqual([false, true, true, false]);
  expect(isStandard(' ')).toEqual([true]);
  expect(isStandard(ISSUER)).toEqual([false]);
});

const ROWS = [
  { group: 'Staff', uuid: GROUP },
  { group: { prefix: '/Lab/' }, uuid: GROUP },
];
const GROUPS: Mapping = {
  groups: { table: ROWS },
  rules: [
    { any_group: ['readers'] },
    { no_group: ['locked', { dn: 'CN=Out,DC=org' }, { dn_suffix: 'ou=staff,dc=org' }] },
  ],
};
const OF_NAME_ID: Mapping = { groups: { from: [{ use: 'nameId' }], table: ROWS } };

test.each<[string, string, string | null]>([
  ['Staff', '{Staff}', 'a group that the mapping names'],
  ['readers', '{readers}', 'a group that the mapping names'],
  ['locked', '{locked}', 'a group that the mapping names'],
  ['staff-2', '<staff-2>', null],
  ['/lab/ada', '{/lab/}<ada>', 'the prefix of groups that the mapping names'],
  ['/ada/Locked#campus', '/<ada>/{Locked}#<campus>', ''],
  ['locked#ada', '{locked}#<ada>', 'a part of a group that the mapping names'],
  ['CN=Ada, OU=Staff,DC=org', 'CN=<Ada>,{ OU=Staff,DC=org}', ''],
  ['OU=Staff,DC=org', '{OU=Staff,DC=org}', 'a distinguished name that the mapping names'],
  ['CN=Ada,CN=Out,DC=org', 'CN=<Ada>,{CN=Out,DC=org}', ''],
])('of the group %s, %s is kept', (text, expected, why) => {
  expect(shown(text, policyOf(GROUPS), placeOf(['groups']))).toBe(expected);
  expect(whyOf(text, policyOf(GROUPS), placeOf(['groups']))[0]).toBe(why);
});

test.each<[string, Mapping, Place, string]>([
  ['under a nested name', GROUPS, placeOf(['roles', 'realm_access.roles']), '{Staff}'],
  ['not under another claim', GROUPS, placeOf(['family_name']), '<Staff>'],
  ['not as a NameID', GROUPS, placeOf([], 'nameId'), '<Staff>'],
  ['as a NameID that the mapping uses', OF_NAME_ID, placeOf([], 'nameId'), '{Staff}'],
  ['not as another value beside that', OF_NAME_ID, placeOf(['groups']), '<Staff>'],
  ['under its own name', { groups: { from: ['teams'], table: ROWS } }, placeOf(['teams']), '{Staff}'],
  ['of one issuer', { issuers: { x: GROUPS } }, placeOf(['groups']), '{Staff}'],
])('a group that the mapping names is kept %s', (_, one, place, expected) => {
  expect(shown('Staff', policyOf(one), place)).toBe(expected);
});

test('the end of a distinguished name is kept in no other claim', () => {
  expect(shown('OU=Staff,DC=org', policyOf(GROUPS), placeOf(['x']))).toBe('OU=<Staff>,DC=<org>');
});

const DOMAINS: Mapping = {
  rules: [{ email_domains: ['Example.org', '*.maths.example.org', 'uni.example'] }],
};
test.each([
  ['ada@EXAMPLE.org', '<ada>@{example.org}'],
  ['ada@x.example.org', '<ada>@<x>.{example.org}'],
])('the domain that the mapping names is kept in %s', (text, expected) => {
  expect(shown(text, policyOf(DOMAINS))).toBe(expected);
  expect(whyOf(text, policyOf(DOMAINS)).at(-1)).toBe('a domain that the mapping names');
});

describe('an affiliation of a scope', () => {
  const mapping: Mapping = { rules: [{ scopes: ['uni.org', '*.uni.org'], affiliations: ['Rector'] }] };
  const own: Mapping = { rules: [{ scopes: ['uni.org'], from: ['is'] }] };
  const place = placeOf(['eduperson_scoped_affiliation']);
  const JOINED = 'member@uni.orgstaff@uni.org';
  test.each<[string, string, string | null]>([
    ['member@uni.org', '{member}@{uni.org}', 'an affiliation'],
    ['staff@other.org', '{staff}@<other.org>', 'an affiliation'],
    ['ada@uni.org', '<ada>@{uni.org}', null],
    [JOINED, `{${JOINED}}`, 'an affiliation for a scope that the mapping names'],
    ['member@uni.orgada@uni.org', '<member@uni.orgada@uni.org>', null],
  ])('%s', (text, expected, why) => {
    expect(shown(text, policyOf(mapping), place)).toBe(expected);
    expect(whyOf(text, policyOf(mapping), place)[0]).toBe(why);
  });

  test.each<[string, Mapping | null, Place, string]>([
    ['without such a rule', null, place, '<member>@<uni.org>'],
    ['under another name', mapping, placeOf(['x']), '<member>@{uni.org}'],
    ['under names of the rule’s own', own, placeOf(['is']), '{member}@{uni.org}'],
  ])('%s', (_, one, elsewhere, expected) => {
    expect(shown('member@uni.org', policyOf(one), elsewhere)).toBe(expected);
  });
});

describe('a value that a rule names', () => {
  const claims: Mapping = {
    rules: [
      { claim: 'org.unit', is: ['physics', 7, { prefix: 'eng-' }, { suffix: '-lab' }] },
      { assurance: { amr: ['own-key'] } },
    ],
  };
  const attributes: Mapping = { rules: [{ attribute: 'departmentNumber', is: ['A7'] }] };
  const unit = placeOf(['unit', 'org.unit']);

  test.each<[string, string, Mapping, DefaultNames, Place]>([
    ['is kept', '{physics}', claims, OPENID_NAMES, unit],
    ['is kept as a number', '{7}', claims, OPENID_NAMES, unit],
    ['is kept among methods', '{own-key}', claims, OPENID_NAMES, placeOf(['amr'])],
    ['is kept in another case of its name', '{physics}', claims, OPENID_NAMES, placeOf(['Org.Unit'])],
    ['is kept under the OID', '{A7}', attributes, SAML_NAMES, placeOf(['urn:oid:2.16.840.1.113730.3.1.2'])],
    ['is replaced elsewhere', '<physics>', claims, OPENID_NAMES, placeOf(['unit'])],
    ['is replaced as a key', '<physics>', claims, OPENID_NAMES, placeOf(['org.unit'], 'claimName')],
    ['is replaced inside others', '<my physics maths>', claims, OPENID_NAMES, placeOf(['org.unit'])],
  ])('%s: %s', (_, expected, mapping, names, place) => {
    expect(shown(expected.slice(1, -1), policyOf(mapping, names), place)).toBe(expected);
  });

  test.each([
    ['eng-ada', '{eng-}<ada>'],
    ['eng-', '{eng-}'],
    ['ada-lab', '<ada>{-lab}'],
  ])('is kept as a beginning or an end: %s', (text, expected) => {
    expect(shown(text, policyOf(claims), placeOf(['org.unit']))).toBe(expected);
    expect(shown(text, policyOf(claims), placeOf(['other']))).toBe(`<${text}>`);
  });

  test('is kept as an address that a rule lists', () => {
    const own = policyOf({ rules: [{ emails: ['Ada@example.edu'] }] });
    expect(shown('ada@Example.edu', own, placeOf(['email']))).toBe('{ada@Example.edu}');
    const why = 'an address that a rule of the mapping lists';
    expect(whyOf('ada@example.edu', own, placeOf(['email']))).toEqual([why]);
  });

  test('is kept with its reason, and says nothing of who somebody is', () => {
    const place = placeOf(['org.unit']);
    expect(whyOf('physics', policyOf(claims), place)).toEqual(['a value that a rule of the mapping names']);
    expect(isOfPerson('physics', place, policyOf(claims))).toBe(false);
    expect(isOfPerson('maths', place, policyOf(claims))).toBe(true);
  });
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
  test.each([
    ...[
      'user.email',
      'first',
      'last',
      'image',
      'org.unit',
      'unit',
      'ident',
      'LABEL',
      'teams',
      'all',
      'scoped',
    ],
  ])('%s', (name) => {
    expect(whyOf(name, policy, placeOf([], 'claimName'))).toEqual(['a name that the mapping has']);
    expect(whyOf(name, policy, placeOf([], 'attributeName'))).toEqual(['a name that the mapping has']);
    expect(whyOf(name, policy, placeOf([], 'fieldName'))).toEqual([null]);
    expect(whyOf(name, policyOf(), placeOf([], 'claimName'))).toEqual([null]);
  });

  test('an LDAP name stands for its other names', () => {
    const ofSaml = policyOf({ email: ['eduPersonNickname'] }, SAML_NAMES);
    expect([...ofSaml.mapping.names]).toContain('urn:oid:1.3.6.1.4.1.5923.1.1.1.2');
  });
});

describe('a host that the handler asks', () => {
  const policy = policyOf(null, OPENID_NAMES, { hosts: new Set(['x.org:8443']) });
  const REQUEST = placeOf([], 'request');
  test.each<[string, string, Place, string]>([
    ['is kept in a link', 'https://X.org:8443/ada?b', placeOf(), 'https://{X.org:8443}/<ada>?<b>'],
    ['is not kept with another port', 'https://x.org/ada', placeOf(), 'https://<x.org>/<ada>'],
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
  expect(isOfPerson(text, { ...placeOf(), ...place }, policy)).toBe(expected);
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
