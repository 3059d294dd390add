import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { handleSamlUserLoggedIn } from '../../../lib/automation/saml/handler.ts';
import { getEmail, getFirstName, getLastName } from '../../../lib/automation/saml/helpers.ts';
import { SamlUserLoggedInEvent } from '../../../lib/automation/saml/model.ts';
import { attribute, samlEvent } from '../../support/wire.ts';

type Attributes = ReturnType<typeof attribute>[];

const eventWith = (attributes: Attributes) => v.parse(SamlUserLoggedInEvent, samlEvent(attributes));
const MAIL = attribute('urn:oid:0.9.2342.19200300.100.1.3', 'ada@example.org');
const GIVEN_NAME = attribute('urn:oid:2.5.4.42', 'Ada');
const SURNAME = attribute('urn:oid:2.5.4.4', 'Lovelace');

test('authorizes whoever has an e-mail address and both names', () => {
  expect(handleSamlUserLoggedIn(eventWith([SURNAME, GIVEN_NAME, MAIL]))).toEqual({
    type: 'AuthorizedUserResponse',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.org',
    image_url: null,
    affiliation: null,
    user_group_uuids: [],
  });
});

test.each<[Attributes, string]>([
  [[GIVEN_NAME, SURNAME], 'e-mail address'],
  [[MAIL, SURNAME], 'first name'],
  [[MAIL, GIVEN_NAME, attribute('urn:oid:2.5.4.4', '')], 'last name'],
  [[], 'e-mail address, first name, last name'],
])('with the attributes %j, says what is missing', (attributes, missing) => {
  expect(handleSamlUserLoggedIn(eventWith(attributes))).toEqual({
    type: 'ErrorResponse',
    message: `Your identity provider did not send: ${missing}.`,
  });
});

describe.each([
  [
    'getEmail',
    getEmail,
    'ada@example.org',
    ['urn:oid:0.9.2342.19200300.100.1.3', 'urn:oid:1.2.840.113549.1.9.1'],
    ['email', 'mail'],
  ],
  ['getFirstName', getFirstName, 'Ada', ['urn:oid:2.5.4.42'], ['givenName']],
  ['getLastName', getLastName, 'Lovelace', ['urn:oid:2.5.4.4'], ['surname', 'sn']],
] as const)('%s', (_, helper, value, names, friendlyNames) => {
  test.each(names)('finds the name %s', (name) => {
    expect(helper(eventWith([attribute('Role', 'staff'), attribute(name, value)]))).toBe(value);
  });

  test.each(friendlyNames)('finds the friendly name %s', (friendlyName) => {
    expect(helper(eventWith([attribute('urn:x', value, friendlyName)]))).toBe(value);
  });

  test('prefers a name to a friendly name, wherever they stand', () => {
    const other = helper === getEmail ? 'other@example.org' : 'Other';
    const attributes = [attribute('urn:x', other, friendlyNames[0]), attribute(names[0], value)];
    expect(helper(eventWith(attributes))).toBe(value);
  });

  test('passes over an empty value', () => {
    expect(helper(eventWith([attribute(names[0], ''), attribute(names[0], value)]))).toBe(value);
    expect(helper(eventWith([attribute(names[0], '')]))).toBeNull();
  });
});
