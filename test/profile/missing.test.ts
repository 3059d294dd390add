/** What a decision names as missing: the fields that were looked for and not found, in a fixed order. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { attribute } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

const G1 = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
/** More characters than are read. */
const TOO_LONG = Array.from({ length: 57 }, (_, index) => `${index}`.padEnd(7_000, 'x'));
const TABLE = [{ group: 'staff', uuid: G1 }];

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
  ['the address is there and unverified', { email_verified: false, given_name: none }, ['first_name']],
])('of the usual fields: %s', (_, claims, missing) => {
  expect(mapped({}, claims)).toEqual(missing);
});

describe('a mapping', () => {
  test.each<[string, Mapping, Record<string, unknown>, string[]]>([
    ['an optional field that is wanted', { affiliation: ['org'] }, {}, ['affiliation']],
    ['an optional field that nobody wants', {}, {}, []],
  ])('%s', (_, mapping, claims, missing) => {
    expect(mapped(mapping, claims)).toEqual(missing);
  });

  test.each<[string, Mapping, Record<string, unknown>, boolean]>([
    ['of a list', { groups: {} }, { groups: ['a'] }, false],
    ['of an empty list', { groups: {} }, { groups: [] }, false],
    ['under no name', { groups: {} }, {}, true],
    ['under one of two names', { groups: { from: ['a', 'b'] } }, { a: [] }, false],
    ['that are too long to be read', { groups: { unknown: 'none' } }, { groups: TOO_LONG }, true],
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
});
