/** How claims are read: under which names, what they say of a person, and which groups they may leave out. */
import { describe, expect, test } from '@jest/globals';
import { ClaimsReader, noteElsewhere, OPENID_NAMES } from '../../lib/openid/claims.ts';
import { OPENID } from '../../lib/openid/kind.ts';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import { DEFAULTS } from '../../lib/profile/schema/profileFields.ts';
import { readConfiguration } from '../../lib/readSettings.ts';
import { getEmail, getFirstName, getLastName, mapOpenIdLogin } from '../../lib/sdk.ts';
import { type Claims, loginWith } from './logins.ts';

const G1 = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const ADA = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };

const reader = (claims: Claims) => new ClaimsReader(loginWith(claims));
const [groups = { name: '', key: '' }] = namesOf('groups');

describe('by default,', () => {
  const named = (first_name: string, last_name: string) => ({ first_name, last_name });

  test.each<[Claims, object]>([
    [{ picture: 'https://example.org/ada.png' }, { image_url: 'https://example.org/ada.png' }],
    [{ schac_home_organization: 'example.org' }, { affiliation: 'example.org' }],
    [{ name: 'A B', given_name: '', family_name: '' }, named('A', 'B')],
    [{ sub: 'x', '': 'y' }, {}],
  ])('%j are %j', (claims, expected) => {
    const handle = mapOpenIdLogin({
      image_url: [DEFAULTS],
      affiliation: [DEFAULTS],
      external_id: { from: [DEFAULTS], issuer: false },
      external_label: [DEFAULTS],
    });
    expect(handle(loginWith({ ...ADA, ...claims }))).toEqual({
      ...{ type: 'AuthorizedUserResponse', email: 'ada@example.org', ...named('Ada', 'Lovelace') },
      ...{ user_group_uuids: [], image_url: null, affiliation: null, ...expected },
    });
  });

  test.each(['eduperson_scoped_affiliation', 'voperson_external_affiliation'])(
    'an affiliation with its scope may be under %s',
    (name) => {
      const handle = mapOpenIdLogin({ rules: [{ scopes: ['uni.example'] }] });
      const typeOf = (claims: Claims) => handle(loginWith({ ...ADA, ...claims })).type;
      expect(typeOf({ [name]: 'member@uni.example' })).toBe('AuthorizedUserResponse');
      expect(typeOf({ [name]: 'member@other.example' })).toBe('ForbiddenResponse');
    },
  );

  test.each<[Claims]>([
    [{ groups: ['staff'] }],
    [{ roles: 'staff' }],
    [{ 'cognito:groups': ['staff'] }],
    [{ realm_access: { roles: ['staff'] } }],
    [{ entitlements: ['staff'] }],
    [{ eduperson_entitlement: ['staff'] }],
  ])('groups may be under %j', (claims) => {
    const handle = mapOpenIdLogin({ groups: { from: [DEFAULTS], table: [{ group: 'staff', uuid: G1 }] } });
    expect(handle(loginWith({ ...ADA, ...claims }))).toMatchObject({ user_group_uuids: [G1] });
  });
});

test.each<[Claims, boolean]>([
  [{}, false],
  [{ 'groups:src1': 'https://graph.example' }, true],
  [{ hasgroups: 'no' }, true],
  [{ _claim_names: { address: 'src1' } }, false],
  [{ _claim_names: 'groups' }, true],
])('groups may be more than %j has: %p', (claims, hasOverage) => {
  expect(reader(claims).hasOverage(groups)).toBe(hasOverage);
});

test('a value is shown with the path at which it stands', () => {
  const claims = { 'a.b': 'flat', a: { b: ['nested', true, 'second'], 'c d': { e: 'deep' } } };
  const names = namesOf('a.b', 'a.c d.e', 'a.none', 'none.b');
  expect([...reader(claims).occurrencesEverywhere(names)]).toEqual([
    { name: 'a.b', path: 'other_claims["a.b"]', text: 'flat', use: 'grant', shape: 'single' },
    { name: 'a.b', path: 'other_claims.a.b[0]', text: 'nested', use: 'deny-only', shape: 'item' },
    { name: 'a.b', path: 'other_claims.a.b[2]', text: 'second', use: 'deny-only', shape: 'item' },
    { name: 'a.c d.e', path: 'other_claims.a["c d"].e', text: 'deep', use: 'grant', shape: 'single' },
  ]);
  // A parent that is no object is no place.
  const deep = reader({ a: 'text', 'a.b': { c: 'deep' } }).occurrences(namesOf('a.b.c'));
  expect([...deep]).toEqual([
    { name: 'a.b.c', path: 'other_claims["a.b"].c', text: 'deep', use: 'grant', shape: 'single' },
  ]);
});

describe('the reader', () => {
  test('knows no other names of a claim', () => {
    expect(reader({ a: 'x' }).otherNames()).toEqual([]);
  });

  const name = (text: string) => namesOf(text)[0] as { name: string; key: string };

  test.each<[string, Claims, object | null]>([
    ['groups', { groups: [true] }, { form: 'other' }],
    ['a.b.c', { a: {}, 'a.b': { c: { x: 1 } } }, { form: 'object' }],
    ['a.b', { a: [{ b: 'x' }, {}] }, { form: 'items' }],
    ['a.b', { a: [{ b: 'x' }] }, null],
  ])('sees the form of %s in %j: %j', (path, claims, form) => {
    expect(reader(claims).otherForm(name(path))).toEqual(form);
  });

  test('has no claim of a path into items that are no objects', () => {
    expect(reader({ a: ['x'] }).has(name('a.b'))).toBe(false);
    expect(reader({ a: [{ b: 'x' }, {}] }).values([name('a.b')])).toEqual([
      { path: 'other_claims.a[0].b', value: 'x' },
    ]);
  });

  test('makes one list of what stands in the items of a list', () => {
    const found = reader({ a: [{ b: 'x' }, { b: ['y'] }] }).occurrences([name('a.b')]);
    const item = { name: 'a.b', use: 'grant', shape: 'item' };
    expect([...found]).toEqual([
      { ...item, path: 'other_claims.a[0].b', text: 'x' },
      { ...item, path: 'other_claims.a[1].b[0]', text: 'y' },
    ]);
  });

  test.each<[Claims, object | null]>([
    [{ auth_time: 7 }, { path: 'other_claims.auth_time', value: 7 }],
    [{ auth_time: null }, null],
  ])('has the time of a sign-in of %j: %j', (claims, time) => {
    expect(reader(claims).signedInAt).toEqual(time);
  });

  test('has no nonce where there is none', () => {
    expect(new ClaimsReader(loginWith({}, { nonce: null })).has(name('nonce'))).toBe(false);
  });

  test('says nothing of an address that nobody speaks of', () => {
    expect(reader({ email: 'a@x.example' }).emailStatus('email', 'a@x.example')).toBe('unknown');
    expect(reader({}).emailStatus('email', 'a@x.example')).toBe('unknown');
  });

  test('takes the proof of the item that has the address', () => {
    const accounts = [{ email: 'a@x.example', email_verified: true }, { email: 'b@x.example' }];
    expect(reader({ accounts }).emailStatus('accounts.email', 'a@x.example')).toBe('verified');
  });

  test('is looked for once, however many addresses there are', () => {
    const addresses = Array.from({ length: 100 }, (_, index) => `a${index}@x.example`);
    const readsOf = (asked: string[]) => {
      let reads = 0;
      const event = loginWith({ emails: addresses });
      Object.defineProperty(event.id_token.other_claims, 'email_verified', { get: () => ++reads > 0 });
      const judged = new ClaimsReader(event);
      for (const address of asked) judged.emailStatus('emails', address);
      return reads;
    };
    expect(readsOf(addresses)).toBe(readsOf(addresses.slice(0, 1)));
  });

  test('shows what only UserInfo has at a path of its own', () => {
    const event = loginWith({});
    noteElsewhere(event.id_token.other_claims, { userInfo: { department: 'x' } });
    expect(new ClaimsReader(event).valuesEverywhere([name('department')])).toEqual([
      { path: 'userinfo.department', value: 'x' },
    ]);
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
