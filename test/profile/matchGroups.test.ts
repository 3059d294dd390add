/** Which of an operator's groups a value names. */
import { expect, test } from '@jest/globals';
import { groupMatcher } from '../../lib/profile/groups/matchGroups.ts';
import type { Group } from '../../lib/profile/schema/mappingSchema.ts';

const upperCase = (text: string) => text.toUpperCase();

test.each<[Group[], string, number[]]>([
  [['a', 'b', 'a'], 'a', [0, 2]],
  [['a', { prefix: 'a' }, { prefix: '' }], 'abc', [1, 2]],
  [[{ dn: 'cn=a,ou=b' }, { dn: 'CN=A, OU=B' }], 'cn=a,ou=b', [0, 1]],
  [[{ dn: 'cn=a,ou=b' }, { dn_suffix: 'ou=b' }, 'cn=a,ou=b'], 'cn=a,ou=b', [2, 0, 1]],
  [[{ dn: 'ou=a,dc=b' }], 'ou=ad,c=b', []],
  [[{ dn_suffix: 'ou=a,ou=b,dc=c' }, { dn_suffix: 'dc=c' }], 'ou=b,dc=c', [1]],
])('of %j, %s names %j', (groups, value, matches) => {
  expect(groupMatcher(groups)(value).matches).toEqual(matches);
});

test.each<[Group[], string, boolean]>([
  [['a'], '=x', false],
  [['a'], 'cn="a"', false],
  [[{ dn: 'cn=a' }], '=x', true],
  [[{ dn_suffix: 'cn=a' }], '=x', true],
])('of %j, %s may name one that cannot be read: %p', (groups, value, isUnclear) => {
  expect(groupMatcher(groups)(value)).toEqual({ matches: [], isUnclear });
});

test.each<[Group, string]>([
  ['a', 'A'],
  [{ prefix: 'a' }, 'Ab'],
])('%j and %s are the same in upper case', (group, value) => {
  expect(groupMatcher([group], upperCase)(value).matches).toEqual([0]);
  expect(groupMatcher([group], upperCase)(value, upperCase(value)).matches).toEqual([0]);
});
