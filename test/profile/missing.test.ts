/** What a decision names as missing: the fields that were looked for and not found, in a fixed order. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { handleSamlUserLoggedIn } from '../../lib/sdk.ts';
import { attribute, samlEvent } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

const ISSUER = 'https://idp.example.org';
const G1 = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
/** More characters than are read. */
const TOO_LONG = Array.from({ length: 57 }, (_, index) => `${index}`.padEnd(7_000, 'x'));
const TABLE = [{ group: 'staff', uuid: G1 }];
const ALL: Mapping = {
  image_url: [DEFAULTS],
  affiliation: ['org'],
  external_id: { from: ['oid'], issuer: false },
  external_label: ['upn'],
  groups: { table: TABLE },
};

const mapped = (...login: Parameters<typeof openId>) => openId(...login).decision.missing;
const none = undefined;

test.each<[string, Record<string, unknown>, string[]]>([
  ['all is there', {}, []],
  [
    'nothing is there',
    { email: none, given_name: none, family_name: none },
    ['email', 'first_name', 'last_name'],
  ],
  ['a claim is empty', { family_name: ' ' }, ['last_name']],
  ['a full name is there', { given_name: none, family_name: none, name: 'Ada Lovelace' }, []],
  ['half of a full name is there', { given_name: none, family_name: none, name: 'ada' }, ['last_name']],
  ['the address is there and unverified', { email_verified: false, given_name: none }, ['first_name']],
  ['the address is there and none', { email: 'a@b@c' }, []],
])('of the usual fields: %s', (_, claims, missing) => {
  expect(mapped({}, claims)).toEqual(missing);
});

test('the default handler of SAML logins', () => {
  const of = (...attributes: ReturnType<typeof attribute>[]) =>
    decisionOf(handleSamlUserLoggedIn(v.parse(SamlUserLoggedInEvent, samlEvent(attributes))))?.missing;
  expect(of()).toEqual(['email', 'first_name', 'last_name']);
  expect(of(attribute('mail', 'ada@example.org'), attribute('sn', 'Lovelace'))).toEqual(['first_name']);
});

describe('a mapping', () => {
  test.each<[string, Mapping, Record<string, unknown>, string[]]>([
    ['an optional field that is wanted', { affiliation: ['org'] }, {}, ['affiliation']],
    ['an optional field that nobody wants', {}, {}, []],
    [
      'a field that a fallback stands in for',
      { affiliation: { from: ['org'], fallback: 'None' } },
      {},
      ['affiliation'],
    ],
    [
      'an address that is refused, with a fallback',
      { email: { fallback: 'a@b.example' } },
      { email_verified: false },
      [],
    ],
    [
      'all fields, in their order',
      ALL,
      {},
      ['image_url', 'affiliation', 'external_id', 'external_label', 'user_group_uuids'],
    ],
    [
      'all fields of an incomplete profile, without groups',
      ALL,
      { email: none },
      ['email', 'image_url', 'affiliation', 'external_id', 'external_label'],
    ],
    [
      'no field',
      ALL,
      { picture: 'https://x.example/p.png', org: 'Uni', oid: '1', upn: 'ada', groups: ['x'] },
      [],
    ],
  ])('%s', (_, mapping, claims, missing) => {
    expect(mapped(mapping, claims)).toEqual(missing);
  });

  test.each<[string, Mapping, Record<string, unknown>, boolean]>([
    ['of a list', { groups: {} }, { groups: ['a'] }, false],
    ['of an empty list', { groups: {} }, { groups: [] }, false],
    ['under no name', { groups: {} }, {}, true],
    ['under one of two names', { groups: { from: ['a', 'b'] } }, { a: [] }, false],
    [
      'under one of two names, both required',
      { groups: { from: ['a', 'b'], required: true } },
      { a: ['x'] },
      true,
    ],
    ['that the provider left out', { groups: { unknown: 'none' } }, { hasgroups: true }, true],
    ['that are too long to be read', { groups: { unknown: 'none' } }, { groups: TOO_LONG }, true],
    ['that a rule alone looks at', { rules: [{ any_group: ['staff'] }] }, {}, true],
    ['that nobody looks at', { rules: [{ email_domains: ['example.org'] }] }, {}, false],
  ])('groups %s', (_, mapping, claims, areMissing) => {
    expect(mapped(mapping, claims)).toEqual(areMissing ? ['user_group_uuids'] : []);
  });

  test('SAML groups', () => {
    const of = (groups: Mapping['groups'], ...attributes: ReturnType<typeof attribute>[]) =>
      saml({ groups }, attributes).decision.missing;
    const byAttribute = { table: TABLE };
    expect(of(byAttribute)).toEqual(['user_group_uuids']);
    expect(of(byAttribute, attribute('memberOf', 'other'))).toEqual([]);
    expect(of({ from: [NAME_ID], table: TABLE })).toEqual([]);
  });

  test('an issuer that is not listed: nothing is looked for', () => {
    expect(mapped({ issuers: { 'https://other.example': {} } })).toBeNull();
    expect(mapped({ issuers: { [ISSUER]: { affiliation: ['org'] } } })).toEqual(['affiliation']);
  });
});
