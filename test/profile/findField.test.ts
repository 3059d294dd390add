/** How a field is found: what the trace says of it, what is no value, what a decision names as missing, and what is required. */
import { describe, expect, test } from '@jest/globals';
import { type Kind, kindOf } from '../../lib/profile/kind.ts';
import { mappingHandler } from '../../lib/profile/mapping.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { attribute } from '../support/wire.ts';
import { type Claims, openId, saml, withSettings } from './decided.ts';

const long = (length: number) => 'x'.repeat(length);

describe('the trace of an assertion', () => {
  const ORGANIZATION = ['org', 'o', 'urn:oid:2.5.4.10', 'urn:mace:dir:attribute-def:o'];
  const IMAGE = 'https://x.example/';

  test.each<[field: string, Mapping, tried: string[] | undefined, found: string | null]>([
    ['first_name', { first_name: [NAME_ID] }, ['NameID'], 'NameID'],
    ['affiliation', { affiliation: ['org', 'o'] }, ORGANIZATION, null],
    ['affiliation', { affiliation: ['org', NAME_ID, 'unit'] }, ['org', 'NameID', 'unit'], 'NameID'],
    // There are no default names of it.
    ['image_url', { image_url: [DEFAULTS] }, undefined, null],
    ['image_url', { image_url: { from: [DEFAULTS], fallback: IMAGE } }, [], 'fallback'],
  ])('names what was tried for %s by %j: %j', (field, mapping, tried, found) => {
    expect(saml(mapping).trace.fields[field]).toEqual(tried && { tried, found });
  });

  test('names the NameID of an address, and says nothing of fields that nobody wants', () => {
    const { email, first_name, ...others } = saml({}).trace.fields;
    expect(email?.tried).toContain('NameID of format emailAddress');
    expect(first_name?.tried).not.toContain('NameID of format emailAddress');
    expect(Object.keys(others)).toEqual(['last_name']);
  });
});

test.each<[Mapping, Claims, object]>([
  [{ first_name: ['n'] }, { n: long(8_192) }, { first_name: long(8_192) }],
  [{ first_name: ['n', DEFAULTS] }, { n: long(8_193) }, { first_name: 'Ada' }],
  [{ first_name: ['n'] }, { n: '\u0000' }, { type: 'ErrorResponse' }],
])('%# names have at most 8,192 characters', (mapping, claims, expected) => {
  expect(openId(mapping, claims).response).toMatchObject(expected);
});

test('a handler tells its mapping, and its kind of login', () => {
  const mapping: Mapping = { rules: [{ any_group: ['staff'] }] };
  const names = { kind: 'SAML', expand: () => [], same: () => [], email: [], groups: [] } as never;
  const handler = mappingHandler({ names } as Partial<Kind<unknown>> as Kind<unknown>, mapping);
  expect((handler as unknown as Record<symbol, unknown>)[Symbol.for('login-hooks.mapping')]).toBe(mapping);
  expect(kindOf(handler)).toBe('SAML');
});

test('neighbouring names are looked up together: any by Name goes before one by FriendlyName', () => {
  const attributes = [attribute('x', 'Friendly', 'a'), attribute('b', 'ByName')];
  expect(saml({ affiliation: ['a', 'b'] }, attributes).response).toMatchObject({ affiliation: 'ByName' });
});

test('characters without ink stay in an address, which is refused', () => {
  expect(openId({}, { email: 'ada@example.org\u200b' }).decision.reason).toBe('profile_incomplete');
});

const GROUPS = ['user_group_uuids'];
const HALVES = ['first_name', 'last_name'];
const [given_name, family_name, email] = [undefined, undefined, undefined];

test.each<[string, Mapping, Claims, missing: string[]]>([
  ['nothing', {}, {}, []],
  ['all that is usual', {}, { email, given_name, family_name }, ['email', ...HALVES]],
  ['no half of a full name', {}, { given_name, family_name, name: 'Ada Lovelace' }, []],
  ['no address that is unverified', {}, { email_verified: false, given_name }, ['first_name']],
  ['no groups of a list', { groups: {} }, { groups: ['a'] }, []],
  ['groups under no name', { groups: {} }, {}, GROUPS],
  ['no groups under one of two names', { groups: { from: ['a', 'b'] } }, { a: [] }, []],
])('what is missing: %s', (_, mapping, claims, missing) => {
  expect(openId(mapping, claims).decision.missing).toEqual(missing);
});

/** Where an identifier is enough. */
function withoutAny(mapping: Mapping, claims: Claims) {
  return withSettings('OpenID', { requiredFields: [], openidExternalId: 'sub' }, () =>
    // All issuers may share it.
    openId({ external_id: { issuer: false }, ...mapping }, claims),
  );
}

describe('where none is required', () => {
  test('no surname is null', () => {
    const { response, decision } = withoutAny({}, { family_name: undefined });
    expect(response).toMatchObject({ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: null });
    expect(decision).toMatchObject({ reason: 'authorized', missing: ['last_name'] });
  });

  test('an address that is refused stays an error', () => {
    const { response, decision } = withoutAny({}, { email_verified: false, family_name: undefined });
    expect(decision.reason).toBe('email_unverified');
    expect(response).toMatchObject({ type: 'ErrorResponse' });
  });

  test.each<[Mapping, email: unknown, reason: string]>([
    [{ rules: [{ claim: 'email', present: true }] }, undefined, 'rule_refused'],
    [{ email: [NAME_ID], rules: [{ emails: ['ada@example.org'] }] }, undefined, 'rule_refused'],
    [{ rules: [{ email_domains: ['example.org'] }] }, 'ada@evil.example', 'rule_refused'],
    [{ rules: [{ email_domains: ['example.org'] }] }, 'ada@example.org', 'authorized'],
  ])('nobody without an address gets in: %j, %j: %s', (mapping, email, reason) => {
    expect(withoutAny(mapping, { email }).decision.reason).toBe(reason);
  });

  test('a rule on addresses does not speak of one to who has none', () => {
    const { response } = withoutAny({ rules: [{ email_domains: ['example.org'] }] }, { email: undefined });
    const message = expect.stringMatching(/^Your account does not have what is needed/);
    expect(response).toMatchObject({ message });
  });
});

test('the words of a refusal name what is required alone', () => {
  const { response } = withSettings('SAML', { requiredFields: ['email', 'last_name'] }, () =>
    saml({ last_name: ['none'], first_name: ['none'] }),
  );
  const message = 'Your identity provider did not send your last name.';
  expect(response).toMatchObject({ type: 'ErrorResponse', message });
});
