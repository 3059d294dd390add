/** How the attributes of an assertion are read: by Name before FriendlyName, and under which names. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import type { SamlMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { attributeNames } from '../../lib/saml/attributeNames.ts';
import { AttributesReader, attributeValues, preferredLanguageOf } from '../../lib/saml/attributes.ts';
import { handleSamlUserLoggedIn } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { DEFAULTS, getEmail, getFirstName, getLastName, mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';

type Attributes = ReturnType<typeof attribute>[];
const parsed = (attributes: Attributes) => v.parse(SamlUserLoggedInEvent, samlEvent(attributes));
const reader = (...attributes: Attributes) => new AttributesReader(parsed(attributes));

const MAIL = attribute('urn:oid:0.9.2342.19200300.100.1.3', 'ada@example.org');
const GIVEN_NAME = attribute('urn:oid:2.5.4.42', 'Ada');
const SURNAME = attribute('urn:oid:2.5.4.4', 'Lovelace');
const ADA = {
  ...{ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
  ...{ image_url: null, affiliation: null, user_group_uuids: [] },
};
const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

/** What a mapping makes of Ada, with these attributes more. */
const mapped = (mapping: SamlMapping, ...attributes: Attributes) =>
  mapSamlLogin(mapping)(parsed([MAIL, GIVEN_NAME, SURNAME, ...attributes]));

const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MICROSOFT = 'http://schemas.microsoft.com/ws/2008/06/identity/claims';
const EIDAS = 'http://eidas.europa.eu/attributes/naturalperson';
const MACE = 'urn:mace:dir:attribute-def';

/** In order of preference. */
const EMAIL = [
  ...['urn:oid:0.9.2342.19200300.100.1.3', 'mail', 'email', 'emailAddress', `${XMLSOAP}/emailaddress`],
  ...[`${MICROSOFT}/emailaddress`, 'http://schemas.xmlsoap.org/claims/EmailAddress', `${MACE}:mail`],
  'urn:oid:1.2.840.113549.1.9.1',
];
const FIRST_NAME = [
  ...['urn:oid:2.5.4.42', 'givenName', 'given_name', 'firstName', 'first_name', `${XMLSOAP}/givenname`],
  ...[`${MICROSOFT}/givenname`, `${MACE}:givenName`, `${EIDAS}/CurrentGivenName`, 'CurrentGivenName'],
];
const LAST_NAME = [
  ...['urn:oid:2.5.4.4', 'sn', 'surname', 'lastName', 'last_name', 'family_name', `${XMLSOAP}/surname`],
  ...[`${MICROSOFT}/surname`, `${MACE}:sn`, `${EIDAS}/CurrentFamilyName`, 'CurrentFamilyName'],
  ...['familyName', 'usual_name'],
];

describe.each([
  ['getEmail', getEmail, EMAIL, 'ada@example.org', 'other@example.org'],
  ['getFirstName', getFirstName, FIRST_NAME, 'Ada', 'Augusta'],
  ['getLastName', getLastName, LAST_NAME, 'Lovelace', 'King'],
] as const)('%s', (_, helper, names, value, other) => {
  test.each(names.map((name, index) => ({ name, preferred: names[index - 1] })))(
    'finds $name as Name and as FriendlyName, in any case, and prefers $preferred, wherever that stands',
    ({ name, preferred }) => {
      for (const spelling of [name, name.toUpperCase(), name.toLowerCase()]) {
        expect(helper(parsed([attribute('Role', 'x'), attribute(spelling, value)]))).toBe(value);
        expect(helper(parsed([attribute('urn:x', value, spelling)]))).toBe(value);
      }
      if (preferred === undefined) return;
      const pair = [attribute(name, other), attribute(preferred, value)];
      expect(helper(parsed(pair))).toBe(value);
      expect(helper(parsed(pair.reverse()))).toBe(value);
    },
  );

  const [first = '', last = ''] = [names[0], names.at(-1)];
  const blank = ['', '  ', ` ${value}\n`, other].map((text) => attribute(first, text));
  test.each<[string, Attributes, string | null]>([
    [
      'the last Name before the first FriendlyName',
      [attribute('x', other, first), attribute(last, value)],
      value,
    ],
    ['the first usable value, without surrounding white space', blank, value],
    ['nothing under an empty name', [attribute('', value, ''), attribute('', value)], null],
  ])('finds %s', (_, attributes, expected) => {
    expect(helper(parsed(attributes))).toBe(expected);
  });
});

describe('a full name', () => {
  test.each([
    ...['urn:oid:2.16.840.1.113730.3.1.241', 'displayName', 'urn:oid:2.5.4.3', 'cn', 'name'],
    ...[`${MACE}:displayName`, `${MACE}:cn`, `${XMLSOAP}/name`],
    'http://schemas.microsoft.com/identity/claims/displayname',
  ])('is split under %s', (name) => {
    const event = parsed([attribute(name, 'Ada King Lovelace')]);
    expect([getFirstName(event), getLastName(event)]).toEqual(['Ada King', 'Lovelace']);
  });

  test.each([
    ['displayName', 'cn'],
    ['cn', 'name'],
  ])('of a single word under %s leaves both to one in two parts under %s', (single, two) => {
    const event = parsed([attribute(single, 'Ada'), attribute(two, 'Augusta Lovelace')]);
    expect([getFirstName(event), getLastName(event)]).toEqual(['Augusta', 'Lovelace']);
    expect(getFirstName(parsed([attribute('cn', 'Ada')]))).toBe('Ada');
  });

  test('is never made of an address', () => {
    expect(getLastName(parsed([attribute('name', 'ada lovelace@example.org')]))).toBeNull();
  });
});

describe('the NameID as e-mail address', () => {
  const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

  function emailOf(nameId: object, attributes: Attributes, assertionIssuer = 'https://idp') {
    const { assertion } = samlEvent(attributes);
    Object.assign(assertion.assertionSubject.subjectNameID, nameId);
    return getEmail(v.parse(SamlUserLoggedInEvent, { assertion: { ...assertion, assertionIssuer } }));
  }

  test.each<[string | null, string, string, string | null]>([
    [EMAIL_FORMAT, 'ada@example.org', 'https://idp', 'ada@example.org'],
    ['emailAddress', 'ada@example.org', 'https://idp', 'ada@example.org'],
    ['EMAILADDRESS', ' ada@example.org ', 'https://idp', 'ada@example.org'],
    ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'ada@example.org', 'https://idp', null],
    [null, 'ada@example.org', 'https://idp', null],
    [EMAIL_FORMAT, 'ada', 'https://idp', null],
    [EMAIL_FORMAT, 'ada_example.org#EXT#@contoso.example', 'https://idp', null],
    [EMAIL_FORMAT, 'ada_example.org#ext#@contoso.example', 'https://idp', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://sts.windows.net/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://STS.chinacloudapi.cn/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://login.microsoftonline.us/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://login.microsoftonline.de/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://sts.microsoftonline.de/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://example.org/sts.windows.net/', 'ada@example.org'],
    [EMAIL_FORMAT, 'ada@example.org', 'urn:example:idp', 'ada@example.org'],
    [EMAIL_FORMAT, 'ada@example.org', 'campus', 'ada@example.org'],
  ])('%s, %s from %s: %p', (format, value, issuer, email) => {
    expect(emailOf({ nameIDFormat: format, nameIDValue: value }, [], issuer)).toBe(email);
  });

  test('comes after every attribute', () => {
    const nameId = { nameIDFormat: EMAIL_FORMAT, nameIDValue: 'n@example.org' };
    expect(emailOf(nameId, [attribute('urn:x', 'ada@example.org', 'mail')])).toBe('ada@example.org');
  });
});

test.each(['a@b.examplec@d.example', 'ada', ''])('an address that is ambiguous or none: %p', (value) => {
  expect(getEmail(parsed([attribute('mail', value)]))).toBeNull();
});

describe('the answer of the default handler', () => {
  const unknownAttribute = fc
    .tuple(fc.string(), fc.string(), fc.string())
    .map(([name, value, friendlyName]) => attribute(`urn:unknown:${name}`, value, `unknown-${friendlyName}`));

  test('does not depend on the order of attributes with different names', () => {
    const attributes = [SURNAME, GIVEN_NAME, MAIL, attribute('cn', 'A B'), attribute('email', 'x@y')];
    fc.assert(
      fc.property(fc.shuffledSubarray(attributes, { minLength: attributes.length }), (shuffled) => {
        expect(handleSamlUserLoggedIn(parsed(shuffled))).toEqual(ADA);
      }),
    );
  });

  test('is not changed by attributes under unknown names', () => {
    fc.assert(
      fc.property(fc.array(unknownAttribute), fc.array(unknownAttribute), (before, after) => {
        const event = parsed([...before, MAIL, SURNAME, GIVEN_NAME, ...after]);
        expect(handleSamlUserLoggedIn(event)).toEqual(ADA);
      }),
    );
  });
});

describe('a name', () => {
  const [name = { name: '', key: '' }] = namesOf('memberOf');

  test.each<[Attributes, boolean]>([
    [[attribute('MEMBEROF', 'a')], true],
    [[attribute('x', 'a', 'memberof')], true],
    [[attribute('memberOf', '')], true],
    [[attribute('x', 'a')], false],
    [[], false],
  ])('is there in %j: %p', (attributes, isThere) => {
    expect(reader(...attributes).has(name)).toBe(isThere);
  });

  test('has values by Name, then by FriendlyName, then under other names of its attribute', () => {
    const o = 'urn:oid:2.5.4.10';
    const first = [attribute('O', 'c', o), attribute('x', 'b', o)];
    const one = reader(...first, attribute(o, 'a'), attribute('y', 'd', 'o'));
    const own = { name: o, shape: 'maybe-joined', by: 'Name', attribute: o, use: 'grant' };
    const fallback = { ...own, by: 'FriendlyName', use: 'fallback' };
    const other = { ...own, name: 'o', use: 'deny-only' };
    expect(one.occurrencesEverywhere(namesOf(o))).toEqual([
      { ...own, path: 'attribute_statement[2]', text: 'a' },
      { ...fallback, path: 'attribute_statement[0]', text: 'c', attribute: 'O' },
      { ...fallback, path: 'attribute_statement[1]', text: 'b', attribute: 'x' },
      { ...other, path: 'attribute_statement[0]', text: 'c', attribute: 'O' },
      { ...other, path: 'attribute_statement[3]', text: 'd', by: 'FriendlyName', attribute: 'y' },
    ]);
  });

  test('that is empty matches nothing, and is not told', () => {
    const one = reader(attribute('', 'a', ''), attribute('x', 'b', 'y'), attribute('z', 'c', null));
    expect(one.allNames()).toEqual(['x', 'y', 'z']);
    expect(one.occurrences(namesOf(''))).toEqual([]);
  });
});

test.each<[string[], string]>([
  [[], 'unknown'],
  [['true'], 'claimed'],
  [['1', 'TRUE'], 'claimed'],
  [[' true\n'], 'claimed'],
  [['truetrue'], 'claimed'],
  [['true', 'false'], 'unverified'],
  [['xtrue'], 'unverified'],
  [['truex'], 'unverified'],
])('emailVerified of %j: %s', (values, status) => {
  expect(reader(...values.map((value) => attribute('emailVerified', value))).emailStatus()).toBe(status);
});

test.each([
  ['verified_email', 'unverified'],
  ['https://idp.example/verifiedEmail', 'unverified'],
  ['unverified_email', 'unknown'],
])('%s that says no: %s', (name, status) => {
  expect(reader(attribute(name, 'false')).emailStatus()).toBe(status);
});

test.each<[Attributes, string | null]>([
  [[attribute('urn:oid:2.16.840.1.113730.3.1.39', 'cs, en;q=0.5')], 'cs, en;q=0.5'],
  [[attribute('x', 'y'), attribute('PREFERREDLANGUAGE', 'cs')], 'cs'],
  [[attribute(`${MACE}:preferredLanguage`, 'cs')], 'cs'],
  [[attribute('x', 'cs', 'preferredLanguage'), attribute('preferredLanguage', 'de')], 'de'],
  [[attribute('x', 'cs', 'preferredLanguage'), attribute('y', 'de', 'preferredLanguage')], 'cs'],
  [[attribute('xpreferredLanguage', 'cs'), attribute('preferredLanguages', 'cs', 'x')], null],
])('the person’s language in %j: %j', (attributes, language) => {
  expect(preferredLanguageOf(parsed(attributes))).toBe(language);
});

describe('one attribute has several names:', () => {
  const OID = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
  const USUAL = 'eduPersonScopedAffiliation';
  const SCHAC = 'urn:mace:terena.org:attribute-def:schacHomeOrganization';
  const MEMBER_OF = 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1';

  test.each([
    ['schacHomeOrganization', ['urn:oid:1.3.6.1.4.1.25178.1.2.9', SCHAC]],
    ['GIVENNAME', ['urn:oid:2.5.4.42', `${MACE}:givenName`]],
    ['urn:oid:2.5.4.42', []],
    [`${MACE}:givenName`, []],
    ['Role', []],
  ])('%s stands for itself and for %j', (name, others) => {
    expect(attributeNames(name)).toEqual([name, ...others]);
  });

  test.each<[string, Attributes, string[]]>([
    ['its usual name', [attribute(USUAL, 'a'), attribute(USUAL, 'b')], ['a', 'b']],
    ['its usual name in another case', [attribute(USUAL.toUpperCase(), 'a')], ['a']],
    ['its OID', [attribute(OID, 'a'), attribute(OID, ' b '), attribute(OID, '')], ['a', 'b']],
    ['its older name', [attribute(`${MACE}:${USUAL}`, 'a')], ['a']],
    ['its FriendlyName', [attribute('urn:x', 'a', USUAL)], ['a']],
    ['its OID, and no other’s FriendlyName', [attribute(OID, 'a'), attribute('urn:x', 'b', USUAL)], ['a']],
    ['another name', [attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.90', 'a')], []],
    ['the claim URI of a vendor', [attribute(`http://schemas.example/claims/${USUAL}`, 'a')], []],
  ])('its values arrive under %s', (_, attributes, values) => {
    expect(attributeValues(parsed(attributes), USUAL)).toEqual(values);
  });

  test('any other name stands for itself', () => {
    const event = parsed([attribute('Role', 'staff'), attribute(USUAL, 'member@uni.example')]);
    expect(attributeValues(event, 'role')).toEqual(['staff']);
    expect(attributeValues(event, OID)).toEqual([]);
  });

  test('a mapping finds a field by the usual name', () => {
    const nickname = attribute('urn:oid:1.3.6.1.4.1.5923.1.1.1.2', 'Countess');
    expect(mapped({ first_name: ['eduPersonNickname'] }, nickname)).toMatchObject({ first_name: 'Countess' });
  });

  test('a mapping finds groups and scopes by the usual name', () => {
    const mapping: SamlMapping = {
      groups: { from: ['isMemberOf'], table: [{ group: 'staff', uuid: UUID }] },
      rules: [{ any_group: ['staff'] }, { scopes: ['uni.example'], from: [USUAL] }],
    };
    const member = attribute(MEMBER_OF, 'staff');
    expect(mapped(mapping, member, attribute(OID, 'member@uni.example'))).toMatchObject({
      user_group_uuids: [UUID],
    });
    expect(mapped(mapping, member).type).toBe('ForbiddenResponse');
  });

  test.each([
    ['a denied group', { no_group: ['x'] }, attribute('urn:x', 'x', 'isMemberOf')],
    ['a denied group', { no_group: ['x'] }, attribute(`${MACE}:isMemberOf`, 'x')],
    ['no other group', { any_group: ['x'] }, attribute('isMemberOf', 'x')],
    ['no other group', { any_group: ['x'] }, attribute('urn:x', 'x', 'isMemberOf')],
  ])('a mapping finds by the OID %s: %j, %j', (_, rule, member) => {
    expect(mapped({ groups: { from: [MEMBER_OF] }, rules: [rule] }, member).type).toBe('ForbiddenResponse');
  });

  test.each([OID, USUAL, `${MACE}:${USUAL}`])('the defaults find scopes by %s', (name) => {
    const rules = [{ scopes: ['uni.example'], affiliations: ['member'] }];
    expect(mapped({ rules }, attribute(name, 'member@uni.example')).type).toBe('AuthorizedUserResponse');
  });

  test.each([
    ...[
      `${MICROSOFT}/groups`,
      'http://schemas.xmlsoap.org/claims/Group',
      `${MICROSOFT}/role`,
      'groups',
      'Role',
    ],
    ...[MEMBER_OF, 'isMemberOf', `${MACE}:isMemberOf`],
    ...['urn:oid:1.2.840.113556.1.2.102', 'memberOf', `${MACE}:memberOf`],
    ...['urn:oid:1.3.6.1.4.1.5923.1.1.1.7', 'eduPersonEntitlement', `${MACE}:eduPersonEntitlement`],
  ])('the defaults find groups by %s', (name) => {
    const groups = { table: [{ group: 'staff', uuid: UUID }] };
    expect(mapped({ groups }, attribute(name, 'staff'))).toMatchObject({ user_group_uuids: [UUID] });
  });

  test.each([
    ...['urn:oid:2.5.4.10', 'o', `${MACE}:o`],
    ...['urn:oid:1.3.6.1.4.1.25178.1.2.9', 'schacHomeOrganization', SCHAC],
  ])('the defaults find the affiliation by %s', (name) => {
    const response = mapped({ affiliation: [DEFAULTS] }, attribute(name, 'Uni'));
    expect(response).toMatchObject({ affiliation: 'Uni' });
  });
});
