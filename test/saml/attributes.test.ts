/** How the attributes of an assertion are read: by Name before FriendlyName, and under which names. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import type { SamlMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { attributeNames } from '../../lib/saml/attributeNames.ts';
import { AttributesReader, attributeValues, preferredLanguageOf } from '../../lib/saml/attributes.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { DEFAULTS, getEmail, getFirstName, getLastName, mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';

type Attributes = ReturnType<typeof attribute>[];
const parsed = (attributes: Attributes) => v.parse(SamlUserLoggedInEvent, samlEvent(attributes));
const reader = (...attributes: Attributes) => new AttributesReader(parsed(attributes));

const ADA = [
  attribute('mail', 'ada@example.org'),
  attribute('givenName', 'Ada'),
  attribute('sn', 'Lovelace'),
];
const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

/** What a mapping makes of Ada, with these attributes more. */
const mapped = (mapping: SamlMapping, ...attributes: Attributes) =>
  mapSamlLogin(mapping)(parsed([...ADA, ...attributes]));

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
  test.each<[string, Attributes]>([
    ['the last Name before the first FriendlyName', [attribute('x', other, first), attribute(last, value)]],
    ['the first usable value, without surrounding white space', blank],
  ])('finds %s', (_, attributes) => {
    expect(helper(parsed(attributes))).toBe(value);
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
    ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', 'ada@example.org', 'https://idp', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://sts.windows.net/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://login.microsoftonline.de/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'https://sts.microsoftonline.de/2b1a8f7e/', null],
    [EMAIL_FORMAT, 'ada@example.org', 'campus', 'ada@example.org'],
  ])('%s, %s from %s: %p', (format, value, issuer, email) => {
    expect(emailOf({ nameIDFormat: format, nameIDValue: value }, [], issuer)).toBe(email);
  });

  test('comes after every attribute', () => {
    const nameId = { nameIDFormat: EMAIL_FORMAT, nameIDValue: 'n@example.org' };
    expect(emailOf(nameId, [attribute('urn:x', 'ada@example.org', 'mail')])).toBe('ada@example.org');
  });
});

describe('a name', () => {
  const [name = { name: '', key: '' }] = namesOf('memberOf');

  test.each<[Attributes, boolean]>([
    [[attribute('MEMBEROF', 'a')], true],
    [[attribute('x', 'a', 'memberof')], true],
    [[attribute('x', 'a')], false],
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
  [[' true\n'], 'claimed'],
  [['truetrue'], 'claimed'],
  [['true', 'false'], 'unverified'],
])('emailVerified of %j: %s', (values, status) => {
  expect(reader(...values.map((value) => attribute('emailVerified', value))).emailStatus()).toBe(status);
});

test.each(['verified_email', 'https://idp.example/verifiedEmail'])('%s that says no counts', (name) => {
  expect(reader(attribute(name, 'false')).emailStatus()).toBe('unverified');
});

test.each<[Attributes, string | null]>([
  [[attribute('urn:oid:2.16.840.1.113730.3.1.39', 'cs, en;q=0.5')], 'cs, en;q=0.5'],
  [[attribute('x', 'y'), attribute('PREFERREDLANGUAGE', 'cs')], 'cs'],
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
    ['urn:oid:2.5.4.42', []],
    ['Role', []],
  ])('%s stands for itself and for %j', (name, others) => {
    expect(attributeNames(name)).toEqual([name, ...others]);
  });

  test.each<[string, Attributes, string[]]>([
    ['its usual name', [attribute(USUAL, 'a'), attribute(USUAL, 'b')], ['a', 'b']],
    ['its OID', [attribute(OID, 'a'), attribute(OID, ' b '), attribute(OID, '')], ['a', 'b']],
    ['its OID, and no other’s FriendlyName', [attribute(OID, 'a'), attribute('urn:x', 'b', USUAL)], ['a']],
  ])('its values arrive under %s', (_, attributes, values) => {
    expect(attributeValues(parsed(attributes), USUAL)).toEqual(values);
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
    ['no other group', { any_group: ['x'] }, attribute('isMemberOf', 'x')],
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
