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

  test.each([undefined, null, '', ' ', 1, true, {}, [[]]])('finds nothing in %p', (other) => {
    const [name = { name: '' }] = names;
    expect(helper(loginWith(other === undefined ? {} : { [name.name]: other }))).toBeNull();
  });
});

test.each([
  [{ name: 'Ada King Lovelace' }, 'Ada King', 'Lovelace'],
  [{ name: 'Lovelace, Ada' }, 'Ada', 'Lovelace'],
  [{ name: 'Ada' }, 'Ada', null],
  [{ name: 'ada@example.org' }, null, null],
  [{ name: 'Ada Lovelace', given_name: 'Augusta' }, 'Augusta', 'Lovelace'],
  [{ name: 'Ada Lovelace', family_name: 'King' }, 'Ada', 'King'],
  [{ name: '', given_name: 'Ada' }, 'Ada', null],
])('a full name fills only what is missing: %j', (claims, firstName, lastName) => {
  expect([getFirstName(loginWith(claims)), getLastName(loginWith(claims))]).toEqual([firstName, lastName]);
});

test.each(['ada', '@example.org', 'a@b@c', 'a b@example.org'])('an e-mail address is not %p', (email) => {
  expect(getEmail(loginWith({ email }))).toBeNull();
});

test.each([
  [{ locale: 'cs_CZ' }, 'cs_CZ'],
  [{ locale: ['cs'] }, null],
  [{ Locale: 'cs' }, null],
  [{}, null],
])('the person’s language in %j: %j', (claims, language) => {
  expect(OPENID.preferredLanguageOf(loginWith(claims))).toBe(language);
});

describe('the permanent identifier', () => {
  const LONGEST = 8_192;
  const read = (source: string, sub: string) => {
    const { settings } = readConfiguration('OpenID', { OPENID_EXTERNAL_ID: source });
    return OPENID.identifiersOf(loginWith({}, { sub }), settings).externalId;
  };

  test.each([
    ['subject-1', 'subject-1'],
    [' subject-1\n', 'subject-1'],
    ['several words, as some providers send', 'several words, as some providers send'],
    ['', null],
    ['s'.repeat(LONGEST), 's'.repeat(LONGEST)],
    ['s'.repeat(LONGEST + 1), null],
  ])('of the sub %s', (sub, value) => {
    expect(read('sub', sub)).toEqual({ source: 'sub', value });
  });

  test('is not read where the setting is off', () => {
    expect(read('off', 'subject-1')).toBeNull();
  });
});
