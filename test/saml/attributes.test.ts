/** How the attributes of an assertion are read: by Name before FriendlyName, and under which names. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import { DEFAULTS } from '../../lib/profile/schema/profileFields.ts';
import { AttributesReader } from '../../lib/saml/attributes.ts';
import { handleSamlUserLoggedIn } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';

const XMLSOAP = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MICROSOFT = 'http://schemas.microsoft.com/ws/2008/06/identity/claims';
const MACE = 'urn:mace:dir:attribute-def';
const G1 = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

type Attributes = ReturnType<typeof attribute>[];
const parsed = (attributes: Attributes) => v.parse(SamlUserLoggedInEvent, samlEvent(attributes));
const reader = (...attributes: Attributes) => new AttributesReader(parsed(attributes));

describe('by default,', () => {
  const ADA = { mail: 'ada@example.org', givenName: 'Ada', sn: 'Lovelace' };
  const without = (left: keyof typeof ADA) =>
    Object.entries(ADA).flatMap(([name, value]) => (name === left ? [] : [attribute(name, value)]));

  test.each([
    ...['urn:oid:0.9.2342.19200300.100.1.3', 'email', 'emailAddress', `${MACE}:mail`],
    ...[`${XMLSOAP}/emailaddress`, `${MICROSOFT}/emailaddress`, 'urn:oid:1.2.840.113549.1.9.1'],
    'http://schemas.xmlsoap.org/claims/EmailAddress',
  ])('the address may be under %s', (name) => {
    const event = parsed([...without('mail'), attribute(name, 'eve@example.org')]);
    expect(handleSamlUserLoggedIn(event)).toMatchObject({ email: 'eve@example.org' });
  });

  test.each([
    ...['urn:oid:2.5.4.42', 'given_name', 'firstName', 'first_name', `${MACE}:givenName`],
    ...[`${XMLSOAP}/givenname`, `${MICROSOFT}/givenname`],
  ])('the first name may be under %s', (name) => {
    const event = parsed([...without('givenName'), attribute(name, 'Eve')]);
    expect(handleSamlUserLoggedIn(event)).toMatchObject({ first_name: 'Eve' });
  });

  test.each([
    ...['urn:oid:2.5.4.4', 'surname', 'lastName', 'last_name', 'family_name', `${MACE}:sn`],
    ...[`${XMLSOAP}/surname`, `${MICROSOFT}/surname`],
  ])('the last name may be under %s', (name) => {
    const event = parsed([...without('sn'), attribute(name, 'King')]);
    expect(handleSamlUserLoggedIn(event)).toMatchObject({ last_name: 'King' });
  });

  test.each([
    ...['urn:oid:2.16.840.1.113730.3.1.241', 'displayName', 'urn:oid:2.5.4.3', 'cn', 'name'],
    ...['http://schemas.microsoft.com/identity/claims/displayname', `${XMLSOAP}/name`],
  ])('the full name may be under %s', (name) => {
    const event = parsed([attribute('mail', ADA.mail), attribute(name, 'Eve King')]);
    expect(handleSamlUserLoggedIn(event)).toMatchObject({ first_name: 'Eve', last_name: 'King' });
  });

  test.each([
    ...[`${MICROSOFT}/groups`, 'http://schemas.xmlsoap.org/claims/Group', `${MICROSOFT}/role`, 'groups'],
    ...['memberOf', 'Role', 'urn:oid:1.3.6.1.4.1.5923.1.5.1.1', 'urn:oid:1.3.6.1.4.1.5923.1.1.1.7'],
  ])('groups may be under %s', (name) => {
    const handle = mapSamlLogin({ groups: { from: [DEFAULTS], table: [{ group: 'staff', uuid: G1 }] } });
    const event = parsed([...Object.entries(ADA).map((one) => attribute(...one)), attribute(name, 'staff')]);
    expect(handle(event)).toMatchObject({ user_group_uuids: [G1] });
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
    expect(one.occurrencesEverywhere(namesOf(o)).toArray()).toEqual([
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
    expect(one.occurrences(namesOf('')).toArray()).toEqual([]);
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
  [[attribute('urn:mace:dir:attribute-def:preferredLanguage', 'cs')], 'cs'],
  [[attribute('x', 'cs', 'preferredLanguage'), attribute('preferredLanguage', 'de')], 'de'],
  [[attribute('xpreferredLanguage', 'cs'), attribute('preferredLanguages', 'cs', 'x')], null],
])('the person’s language in %j: %j', (attributes, language) => {
  expect(reader(...attributes).preferredLanguage).toBe(language);
});
