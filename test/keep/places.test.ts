/** Which texts stay, and which parts of addresses, URLs and distinguished names are replaced. */
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

/** What is replaced is in angles, what stays for a reason in braces. */
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

describe('a text is replaced in its parts:', () => {
  test.each([
    [' Ada ', '<Ada>'],
    [' \t', ' \t'],
    ['Ada@Example.ORG', '<ada>@<example.org>'],
    ['a@b@c', '<a@b@c>'],
    ['tim_x#EXT#@contoso.com', '<tim_x>{#EXT#}@<contoso.com>'],
    ['#ext#@contoso.com', '{#ext#}@<contoso.com>'],
    ['a#EXT#b@contoso.com', '<a#ext#b>@<contoso.com>'],
    [
      'HTTP://user:pw@Example.org:8080/a//b?c=d&e#f;g',
      'HTTP://<user:pw>@<example.org>:8080/<a>//<b>?<c>=<d>&<e>#<f>;<g>',
    ],
    ['https://example.org:123456/', 'https://<example.org:123456>/'],
    ['GET https://example.org/ada', '<GET https://example.org/ada>'],
    ['CN=Ada Lovelace,OU=People+uid=ada, DC=org', 'CN=<Ada Lovelace>,OU=<People>+uid=<ada>, DC=<org>'],
    ['CN=Love\\,lace\\\\,OU=,O=a=b', 'CN=<Love,lace\\>,OU=,O=<a=b>'],
    ['CN= Ada ,c=\nGB', 'CN=<Ada>,c=<GB>'],
    ['CN=Ada,lovelace=x', '<CN=Ada,lovelace=x>'],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test.each<Place['role']>(['token', 'method', 'attributeName', 'claimName', 'header', 'format'])(
    'but where it is no value: %s',
    (role) => {
      expect(shown('ada@example.org', policyOf(), placeOf([], role))).toBe('<ada@example.org>');
    },
  );

  test.each<Place['role']>(['nameId', 'response'])('as a value, where it is a %s', (role) => {
    expect(shown('ada@example.org', policyOf(), placeOf([], role))).toBe('<ada>@<example.org>');
  });
});

describe('the issuer', () => {
  test.each<[string, string, Place['role'], string | null]>([
    ['stays as a value', ISSUER, 'value', 'the issuer'],
    ['stays in a response', ISSUER, 'response', 'the issuer'],
    ['is replaced as a NameID', `${ISSUER}`, 'nameId', null],
    ['stays in its UUID', TENANT, 'value', 'a part of the issuer'],
    ['does not stay in another UUID', GROUP, 'value', null],
    ['does not stay in its words', 'v2.0', 'value', null],
    ['does not stay in its UUID as a NameID', TENANT, 'nameId', null],
  ])('%s', (_, text, role, why) => {
    expect(whyOf(text, policyOf(), placeOf([], role))).toContain(why);
  });

  test('is none where the event has none', () => {
    expect(shown(TENANT, policyOf(null, OPENID_NAMES, { issuer: null }))).toBe(`<${TENANT}>`);
  });
});

describe('what is ticked stays in its place alone:', () => {
  const ticked = (path: string, text: string) => policyOf(null, OPENID_NAMES, { allowed: [{ path, text }] });
  test.each([
    ['a whole text', 'Ada', 'Ada', 'somewhere', '{Ada}'],
    ['a part', 'example.org', 'ada@example.org', 'somewhere', '<ada>@{example.org}'],
    ['not elsewhere', 'Ada', 'Ada', 'elsewhere', '<Ada>'],
    ['not as a part of another text', 'Ada', 'Ada Lovelace', 'somewhere', '<Ada Lovelace>'],
  ])('%s', (_, text, whole, path, expected) => {
    expect(shown(whole, ticked(path, text))).toBe(expected);
  });

  test('its reason says so', () => {
    expect(whyOf('Ada', ticked('somewhere', 'Ada'))).toEqual(['allowed']);
  });
});

describe('groups that the mapping names stay', () => {
  const mapping: Mapping = {
    groups: {
      table: [
        { group: 'Staff', uuid: GROUP },
        { group: { prefix: '/Lab/' }, uuid: GROUP },
      ],
    },
    rules: [
      { any_group: ['readers'] },
      { no_group: ['locked', { dn: 'CN=Out,DC=org' }, { dn_suffix: 'ou=staff,dc=org' }] },
    ],
  };

  test.each([
    ['Staff', '{Staff}'],
    ['readers', '{readers}'],
    ['locked', '{locked}'],
    ['staff-2', '<staff-2>'],
    ['/lab/ada', '{/lab/}<ada>'],
    ['/ada/Locked#campus', '/<ada>/{Locked}#<campus>'],
    ['CN=Ada, OU=Staff,DC=org', 'CN=<Ada>,{ OU=Staff,DC=org}'],
    ['OU=Staff,DC=org', '{OU=Staff,DC=org}'],
    ['CN=Ada,CN=Out,DC=org', 'CN=<Ada>,{CN=Out,DC=org}'],
  ])('%s', (text, expected) => {
    expect(shown(text, policyOf(mapping), placeOf(['groups']))).toBe(expected);
  });

  test.each([
    ['Staff', 'a group that the mapping names'],
    ['/lab/ada', 'the prefix of groups that the mapping names'],
    ['locked#ada', 'a part of a group that the mapping names'],
    ['OU=Staff,DC=org', 'a distinguished name that the mapping names'],
  ])('%s, with its reason', (text, why) => {
    expect(whyOf(text, policyOf(mapping), placeOf(['groups']))[0]).toBe(why);
  });

  test.each<[string, Mapping, Place, string]>([
    ['under a nested name', mapping, placeOf(['roles', 'realm_access.roles']), '{Staff}'],
    ['not under another claim', mapping, placeOf(['family_name']), '<Staff>'],
    ['not as a NameID', mapping, placeOf([], 'nameId'), '<Staff>'],
    [
      'as a NameID that the mapping uses',
      { groups: { from: [{ use: 'nameId' }], table: mapping.groups?.table } } as Mapping,
      placeOf([], 'nameId'),
      '{Staff}',
    ],
    [
      'not as another value beside that',
      { groups: { from: [{ use: 'nameId' }], table: mapping.groups?.table } } as Mapping,
      placeOf(['groups']),
      '<Staff>',
    ],
    [
      'under its own name',
      { groups: { from: ['teams'], table: mapping.groups?.table } } as Mapping,
      placeOf(['teams']),
      '{Staff}',
    ],
    ['of one issuer', { issuers: { x: mapping } }, placeOf(['groups']), '{Staff}'],
  ])('%s', (_, one, place, expected) => {
    expect(shown('Staff', policyOf(one), place)).toBe(expected);
  });

  test('the end of a distinguished name stays in no other claim', () => {
    expect(shown('OU=Staff,DC=org', policyOf(mapping), placeOf(['x']))).toBe('OU=<Staff>,DC=<org>');
  });
});

describe('domains that the mapping names stay at the end of an address:', () => {
  const mapping: Mapping = {
    rules: [{ email_domains: ['Example.org', '*.maths.example.org', 'uni.example'] }],
  };
  test.each([
    ['ada@EXAMPLE.org', '<ada>@{example.org}'],
    ['ada@x.example.org', '<ada>@<x>.{example.org}'],
  ])('%s', (text, expected) => {
    expect(shown(text, policyOf(mapping))).toBe(expected);
  });

  test('with its reason', () => {
    expect(whyOf('ada@example.org', policyOf(mapping))).toEqual([
      null,
      '',
      'a domain that the mapping names',
    ]);
  });
});

describe('affiliations of a scope', () => {
  const mapping: Mapping = { rules: [{ scopes: ['uni.org', '*.uni.org'], affiliations: ['Rector'] }] };
  const place = placeOf(['eduperson_scoped_affiliation']);
  test.each([
    ['member@uni.org', '{member}@{uni.org}'],
    ['staff@other.org', '{staff}@<other.org>'],
    ['ada@uni.org', '<ada>@{uni.org}'],
    ['member@uni.orgstaff@uni.org', '{member@uni.orgstaff@uni.org}'],
    ['member@uni.orgada@uni.org', '<member@uni.orgada@uni.org>'],
  ])('%s', (text, expected) => {
    expect(shown(text, policyOf(mapping), place)).toBe(expected);
  });

  test('stay with their reasons', () => {
    expect(whyOf('member@uni.org', policyOf(mapping), place)[0]).toBe('an affiliation');
    expect(whyOf('member@uni.orgstaff@uni.org', policyOf(mapping), place)).toEqual([
      'an affiliation for a scope that the mapping names',
    ]);
  });

  test.each<[string, Mapping | null, Place]>([
    ['without such a rule', null, place],
    ['under another name', mapping, placeOf(['x'])],
  ])('are addresses %s', (_, one, elsewhere) => {
    expect(shown('member@uni.org', policyOf(one), elsewhere)).toMatch(/^<member>@/);
  });

  test('under names of the rule’s own', () => {
    const own: Mapping = { rules: [{ scopes: ['uni.org'], from: ['is'] }] };
    expect(shown('member@uni.org', policyOf(own), placeOf(['is']))).toBe('{member}@{uni.org}');
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

  test.each<[string, string, Mapping, DefaultNames, Place]>([
    ['stays', '{physics}', claims, OPENID_NAMES, placeOf(['unit', 'org.unit'])],
    ['stays as a number', '{7}', claims, OPENID_NAMES, placeOf(['unit', 'org.unit'])],
    ['stays among methods', '{own-key}', claims, OPENID_NAMES, placeOf(['amr'])],
    ['stays in another case of its name', '{physics}', claims, OPENID_NAMES, placeOf(['Org.Unit'])],
    ['stays under the OID', '{A7}', attributes, SAML_NAMES, placeOf(['urn:oid:2.16.840.1.113730.3.1.2'])],
    ['is replaced elsewhere', '<physics>', claims, OPENID_NAMES, placeOf(['unit'])],
    ['is replaced as a key', '<physics>', claims, OPENID_NAMES, placeOf(['org.unit'], 'claimName')],
    ['is replaced inside others', '<my physics maths>', claims, OPENID_NAMES, placeOf(['org.unit'])],
  ])('%s: %s', (_, expected, mapping, names, place) => {
    const text = expected.slice(1, -1);
    expect(shown(text, policyOf(mapping, names), place)).toBe(expected);
  });

  test.each([
    ['eng-ada', '{eng-}<ada>'],
    ['eng-', '{eng-}'],
    ['ada-lab', '<ada>{-lab}'],
  ])('stays as a beginning or an end: %s', (text, expected) => {
    expect(shown(text, policyOf(claims), placeOf(['org.unit']))).toBe(expected);
    expect(shown(text, policyOf(claims), placeOf(['other']))).toBe(`<${text}>`);
  });

  test('stays as an address that a rule lists', () => {
    const own = policyOf({ rules: [{ emails: ['Ada@example.edu'] }] });
    expect(shown('ada@Example.edu', own, placeOf(['email']))).toBe('{ada@Example.edu}');
    expect(whyOf('ada@example.edu', own, placeOf(['email']))).toEqual([
      'an address that a rule of the mapping lists',
    ]);
  });

  test('stays with its reason, and says nothing of who somebody is', () => {
    const place = placeOf(['org.unit']);
    expect(whyOf('physics', policyOf(claims), place)).toEqual(['a value that a rule of the mapping names']);
    expect(isOfPerson('physics', place, policyOf(claims))).toBe(false);
    expect(isOfPerson('maths', place, policyOf(claims))).toBe(true);
  });
});

describe('names of claims and attributes that the mapping has stay:', () => {
  const mapping: Mapping = {
    email: ['User.Email', { use: 'defaults' }],
    first_name: ['first'],
    last_name: { from: ['last'], fallback: '-' },
    image_url: ['image'],
    affiliation: ['org.unit'],
    external_id: ['ident'],
    external_label: ['label'],
    groups: { from: ['teams.all'] },
    rules: [{ scopes: ['uni.org'], from: ['scoped'] }],
  };
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
    const policy = policyOf(mapping);
    expect(whyOf(name, policy, placeOf([], 'claimName'))).toEqual(['a name that the mapping has']);
    expect(whyOf(name, policy, placeOf([], 'attributeName'))).toEqual(['a name that the mapping has']);
    expect(whyOf(name, policy, placeOf([], 'fieldName'))).toEqual([null]);
    expect(whyOf(name, policyOf(), placeOf([], 'claimName'))).toEqual([null]);
  });

  test('an LDAP name stands for its other names', () => {
    const policy = policyOf({ email: ['eduPersonNickname'] }, SAML_NAMES);
    expect([...policy.mapping.names]).toContain('urn:oid:1.3.6.1.4.1.5923.1.1.1.2');
  });
});

describe('a host that the handler asks stays,', () => {
  const policy = policyOf(null, OPENID_NAMES, { hosts: new Set(['x.org:8443']) });
  test.each([
    ['in a link', 'https://X.org:8443/ada?b', 'https://{X.org:8443}/<ada>?<b>'],
    ['not with another port', 'https://x.org/ada', 'https://<x.org>/<ada>'],
  ])('%s', (_, text, expected) => {
    expect(shown(text, policy)).toBe(expected);
  });

  test('with its reason', () => {
    expect(whyOf('https://x.org:8443', policy)).toEqual(['', 'a system that the handler asks']);
  });

  test('in a request, whose rest is what the handler makes of the kept event', () => {
    expect(shown('GET https://X.org/ada', policy, placeOf([], 'request'))).toBe('GET https://{X.org}</ada>');
    expect(shown('GET https://X.org', policy, placeOf([], 'request'))).toBe('GET https://{X.org}');
    expect(shown('ada', policy, placeOf([], 'request'))).toBe('<ada>');
  });

  test.each([
    ['GET https://X.org:8443/a', 'x.org:8443'],
    ['POST http://x.org?a', 'x.org'],
    ['https://x.org', ''],
    ['x GET https://x.org', ''],
    ['Ada', ''],
  ])('of %s: %s', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });
});

describe('a name of a sample must not have', () => {
  const isNamed = (text: string, place: Partial<Place>, mapping: Mapping | null = null) =>
    isOfPerson(text, { ...placeOf(), ...place }, policyOf(mapping));
  test.each<[string, string, Partial<Place>, boolean]>([
    ['a value', 'Ada', {}, true],
    ['a NameID', 'ada', { role: 'nameId' }, true],
    ['but a key', 'ada', { role: 'claimName' }, false],
    ['but a group', 'ada', { names: ['groups'] }, false],
    ['but an affiliation', 'ada', { names: ['eduperson_scoped_affiliation'] }, false],
    ['but an affiliation of an attribute', 'ada', { names: ['urn:oid:1.3.6.1.4.1.5923.1.1.1.9'] }, false],
    ['but a scope', 'openid', { names: ['scope'] }, false],
    ['but the audience', 'client', { path: 'idToken.aud[]' }, false],
    ['but what a claim below it says', 'client', { path: 'aud' }, false],
  ])('%s', (_, text, place, expected) => {
    expect(isNamed(text, place)).toBe(expected);
  });

  test('but a group of the mapping’s own', () => {
    expect(isNamed('ada', { names: ['TEAMS'] }, { groups: { from: ['teams'] } })).toBe(false);
  });
});
