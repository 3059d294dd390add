/** Distinguished names, and which of an operator's groups a value names. */
import { describe, expect, test } from '@jest/globals';
import { groupMatcher } from '../../lib/profile/groups/matchGroups.ts';
import {
  type DistinguishedName,
  isReversed,
  mayBeSeveral,
  parseDistinguishedName,
} from '../../lib/profile/schema/distinguishedName.ts';
import type { Group } from '../../lib/profile/schema/mappingSchema.ts';

describe('a distinguished name', () => {
  test.each([
    ['CN=Staff,OU=Groups,DC=example,DC=org', ['cn=staff', 'ou=groups', 'dc=example', 'dc=org']],
    [' cn = Staff , ou=  Groups', ['cn=staff', 'ou=groups']],
    ['cn=Two   Words', ['cn=two words']],
    ['cn=Staff\\, part-time,ou=x', ['cn=staff\\, part-time', 'ou=x']],
    ['cn=Staff\\2C part-time', ['cn=staff\\, part-time']],
    ['cn=M\\C3\\BCller', ['cn=müller']],
    ['cn=\\FF', ['cn=\udcff']],
    ['cn=\\80', ['cn=\udc80']],
    ['uid=a+cn=b', ['cn=b+uid=a']],
    ['2.5.4.3=Staff', ['2.5.4.3=staff']],
    ['2.5.4.13=x', ['2.5.4.13=x']],
    ['12.3=x', ['12.3=x']],
    ['cn=\\FF\\FE', ['cn=\udcff\udcfe']],
    ['cn=Staff\\', ['cn=staff']],
  ])('%s', (text, parts) => {
    expect(parseDistinguishedName(text)?.parts).toEqual(parts);
  });

  test.each(['', 'cn=a,', 'c n=a', 'cn=a+b', 'cn=\ud800'])('is not %p', (text) => {
    expect(parseDistinguishedName(text)).toBeNull();
  });

  test.each([
    ['at most 8,192 characters', (length: number) => `cn=${'x'.repeat(length - 3)}`, 8_192],
    ['at most 100 parts', (parts: number) => 'dc=x,'.repeat(parts).slice(0, -1), 100],
  ])('has %s', (_, nameOf, most) => {
    expect(parseDistinguishedName(nameOf(most))).not.toBeNull();
    expect(parseDistinguishedName(nameOf(most + 1))).toBeNull();
  });

  test.each<[boolean, string[]]>([
    [false, ['cn=a,ou=b', 'cn=a+uid=b', 'cn=a\\=b\\;c,ou=c', 'cn=a\\"b#c']],
    [false, ['street=a,serialnumber=1', 'x1=a', 'my-surname=a', 'surname-2=a']],
    // Other types.
    [true, ['e=a', 'S=a,o=b', 'cn=a,sn=b', 'emailAddress=a,ou=b', 'surname=a', 'commonName=a,ou=b']],
    [true, ['2.5.4.3=a,ou=b']],
    // Other values.
    [true, ['cn="a",ou=b', 'cn=a+uid="b"', 'cn="a"+uid=b', 'cn=a=b', 'cn=a\\\\=b', 'cn=#0c0161,ou=b']],
  ])('may be another name too: %p: %j', (expected, texts) => {
    const found = texts.map((text) => [text, parseDistinguishedName(text)?.hasOtherReading]);
    expect(found).toEqual(texts.map((text) => [text, expected]));
  });

  test.each([
    ['cn=a,ou=b,dc=c', 'ou=b,dc=c', true],
    ['dc=c', 'ou=b,dc=c', false],
    ['cn=a,xou=b,dc=c', 'ou=b,dc=c', false],
  ])('%s is at or below %s: %p', (name, suffix, expected) => {
    expect(groupMatcher([{ dn_suffix: suffix }])(name).matches).toEqual(expected ? [0] : []);
  });
});

test.each<[string, boolean, boolean]>([
  ['dc=x,ou=b,cn=a', true, true],
  ['cn=a,cn=a', true, false],
  ['promo=x,cn=b', false, false],
])('%s may be several: %p, and is reversed: %p', (text, several, reversed) => {
  const name = parseDistinguishedName(text) as DistinguishedName;
  expect([mayBeSeveral(name), isReversed(name)]).toEqual([several, reversed]);
});

test.each<[Group[], string, number[]]>([
  [['a', 'b', 'a'], 'a', [0, 2]],
  [['a', { prefix: 'a' }, { prefix: '' }], 'abc', [1, 2]],
  [[{ dn: 'cn=a,ou=b' }, { dn: 'CN=A, OU=B' }], 'cn=a,ou=b', [0, 1]],
  [[{ dn: 'ou=a,dc=b' }], 'ou=ad,c=b', []],
  [[{ dn_suffix: 'ou=a,ou=b,dc=c' }, { dn_suffix: 'dc=c' }], 'ou=b,dc=c', [1]],
  [[{ dn_suffix: 'ou=b,dc=c' }, { dn_suffix: 'dc=c' }], 'cn=a,ou=b,dc=c', [0, 1]],
])('of %j, %s names %j', (groups, value, matches) => {
  expect(groupMatcher(groups)(value).matches).toEqual(matches);
});

test.each<[Group[], string, boolean]>([
  [['a'], '=x', false],
  [[{ dn: 'cn=a' }], '=x', true],
])('of %j, %s may name one that cannot be read: %p', (groups, value, isUnclear) => {
  expect(groupMatcher(groups)(value)).toEqual({ matches: [], isUnclear });
});
