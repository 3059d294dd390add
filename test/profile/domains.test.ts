/** Domains and scopes: which of them are listed, and what a scoped affiliation says. */
import { describe, expect, test } from '@jest/globals';
import { scopedAffiliationReader } from '../../lib/profile/rules/scopes.ts';
import { domainMatcher } from '../../lib/profile/schema/domains.ts';

const longDomain = (length: number) => '.uni.example'.padStart(length, 'x');

test.each<[string[], string, boolean]>([
  [['uni.example'], 'uni.example', true],
  [['UNI.example'], 'uni.EXAMPLE', true],
  [['uni.example'], 'cs.uni.example', false],
  [['*.uni.example'], 'cs.uni.example', true],
  [['*.uni.example'], '*.uni.example', false],
  [['*.uni.example'], 'evil.example,.uni.example', false],
  [['*.uni.example'], '.uni.example', false],
  [['*.uni.example'], longDomain(255), true],
  [['*.uni.example'], longDomain(256), false],
  [['xn--mnchen-3ya.example'], 'münchen.example', true],
  [['kuni.example'], '\u212auni.example', false],
  [['uni.example'], 'u\u00adni.example', false],
  [['uni.example'], 'uni\u3002example', false],
])('%j lists %s: %p', (listed, domain, expected) => {
  expect(domainMatcher(listed)(domain)).toBe(expected);
});

describe('a scoped affiliation', () => {
  const U = 'uni.example';
  const of = (...affiliations: string[]) => affiliations.map((affiliation) => ({ affiliation, scope: U }));

  test.each<[string[], string, object[]]>([
    [[U], 'Member@UNI.example', of('member')],
    [[U], 'guest@uni.example', of('guest')],
    [[U], '@uni.example', of('')],
    [[U], 'member@other.example', [{ affiliation: 'member', scope: 'other.example' }]],
    [[U], 'member', []],
    [[U], '', []],
    [[U], 'member@uni.examplestaff@uni.example', of('member', 'staff')],
    [[U], 'Library-Walk-In@uni.exampleMEMBER@UNI.example', of('library-walk-in', 'member')],
    [[U, 'x.example'], 'member@uni.examplemember@x.exampleaffiliate', []],
    [['x.example', U], 'member@uni.examplestaff@uni.example', of('member', 'staff')],
    [[U], 'member@uni.exampleguest@uni.example', []],
    [[U], 'guest@uni.examplestaff@uni.example', []],
    [[U], 'member@uni.examplestaff@other.example', []],
    [['*.uni.example'], 'member@*.uni.examplestaff@*.uni.example', []],
  ])('where %j is listed, in %j: %j', (scopes, value, expected) => {
    expect(scopedAffiliationReader(scopes)(value)).toEqual(expected);
  });

  test('has at most 8,192 characters', () => {
    const read = scopedAffiliationReader([U]);
    const scoped = (length: number) => '@uni.example'.padStart(length, 'x');
    expect(read(scoped(8_192))).toHaveLength(1);
    expect(read(scoped(8_193))).toEqual([]);
  });
});
