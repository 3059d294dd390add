import { describe, expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { handleOpenIdUserLoggedIn, OPENID } from '../../lib/openid/kind.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { getEmail, getFirstName, getLastName } from '../../lib/sdk.ts';
import { loginWith } from './logins.ts';

const ADA = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };

test('authorizes whoever has an e-mail address and both names', () => {
  expect(handleOpenIdUserLoggedIn(loginWith({ ...ADA, picture: 'https://x', groups: ['g'] }))).toEqual({
    ...{ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
    ...{ image_url: null, affiliation: null, user_group_uuids: [] },
  });
});

describe.each([
  ['getEmail', getEmail, OPENID_NAMES.email, 'ada@example.org'],
  ['getFirstName', getFirstName, OPENID_NAMES.first_name, 'Ada'],
  ['getLastName', getLastName, OPENID_NAMES.last_name, 'Lovelace'],
] as const)('%s', (_, helper, names, value) => {
  test.each(names)('finds $name', ({ name }) => {
    expect(helper(loginWith({ [name]: value }))).toBe(value);
    expect(helper(loginWith({ [name]: ` ${value}\n` }))).toBe(value);
    expect(helper(loginWith({ [name]: ['', value] }))).toBe(value);
    expect(helper(loginWith({ [name.toUpperCase()]: value }))).toBeNull();
  });
});

test('a full name fills only what is missing', () => {
  const event = loginWith({ name: 'Ada Lovelace', given_name: 'Augusta' });
  expect([getFirstName(event), getLastName(event)]).toEqual(['Augusta', 'Lovelace']);
});

test.each([
  [{ locale: 'cs_CZ' }, 'cs_CZ'],
  [{ locale: ['cs'] }, null],
])('the person’s language in %j: %j', (claims, language) => {
  expect(OPENID.preferredLanguageOf(loginWith(claims))).toBe(language);
});

test.each([
  ['sub', { source: 'sub', value: 'subject-1' }],
  ['off', null],
])('the permanent identifier where the setting is %s: %j', (source, externalId) => {
  const { settings } = readConfiguration('OpenID', { OPENID_EXTERNAL_ID: source });
  const event = loginWith({}, { sub: ' subject-1\n' });
  expect(OPENID.identifiersOf(event, settings).externalId).toEqual(externalId);
});
