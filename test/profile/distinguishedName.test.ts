import { describe, expect, test } from '@jest/globals';
import { groupMatcher } from '../../lib/profile/groups/matchGroups.ts';
import {
  type DistinguishedName,
  isReversed,
  mayBeSeveral,
  parseDistinguishedName,
} from '../../lib/profile/schema/distinguishedName.ts';

describe('a distinguished name', () => {
  test.each([
    ['CN=Staff,OU=Groups,DC=example,DC=org', ['cn=staff', 'ou=groups', 'dc=example', 'dc=org']],
    [' cn = Staff , ou=  Groups', ['cn=staff', 'ou=groups']],
    ['cn=Two   Words', ['cn=two words']],
    ['cn=Staff\\, part-time,ou=x', ['cn=staff\\, part-time', 'ou=x']],
    ['cn=Staff\\2C part-time', ['cn=staff\\, part-time']],
    ['cn=M\\C3\\BCller', ['cn=müller']],
    ['cn=Müller', ['cn=müller']],
    ['cn=ųtaff\\C3\\A9', ['cn=ųtaffé']],
    ['cn=\\FF', ['cn=\udcff']],
    ['cn=\\80', ['cn=\udc80']],
    ['cn=a\\5cff', ['cn=a\\\\ff']],
    ['uid=a+cn=b', ['cn=b+uid=a']],
    ['2.5.4.3=Staff', ['2.5.4.3=staff']],
    ['2.5.4.13=x', ['2.5.4.13=x']],
    ['12.3=x', ['12.3=x']],
    ['cn=\\FF\\FE', ['cn=\udcff\udcfe']],
    ['cn=', ['cn=']],
    ['cn=Staff\\ ', ['cn=staff']],
    ['cn=Staff\\', ['cn=staff']],
    ['cn=Staff\\20,ou=\\ x\\ ', ['cn=staff', 'ou=x']],
    ['cn=a=b', ['cn=a\\=b']],
  ])('%s', (text, parts) => {
    expect(parseDistinguishedName(text)?.parts).toEqual(parts);
  });

  test.each([
    '',
    'staff',
    'cn',
    '=x',
    'cn=a,',
    ',cn=a',
    'cn=a,,dc=b',
    'c n=a',
    'cn=a+b',
    'cn=a+b+uid=c',
    '.1=a',
    'https://x/?a=b',
  ])('is not %p', (text) => {
    expect(parseDistinguishedName(text)).toBeNull();
  });

  test.each([
    ['at most 8,192 characters', (length: number) => `cn=${'x'.repeat(length - 3)}`, 8_192],
    ['at most 100 parts', (parts: number) => 'dc=x,'.repeat(parts).slice(0, -1), 100],
  ])('has %s', (_, nameOf, most) => {
    expect(parseDistinguishedName(nameOf(most))).not.toBeNull();
    expect(parseDistinguishedName(nameOf(most + 1))).toBeNull();
  });

  test.each([
    ['cn=a,ou=b', false],
    ['cn=a\\=b\\;c,ou=c', false],
    ['cn=a\\"b#c', false],
    ['cn=a+uid=b', false],
    ['street=a,serialnumber=1', false],
    ['e=a', true],
    ['S=a,o=b', true],
    ['cn=a,sn=b', true],
    ['emailAddress=a,ou=b', true],
    ['x1=a', false],
    ['my-surname=a', false],
    ['surname-2=a', false],
    ['surname=a', true],
    ['cn=a+uid="b"', true],
    ['cn="a"+uid=b', true],
    ['cn=a=b', true],
    ['cn=a\\\\=b', true],
    ['cn=a,dc=xcn=b,dc=x', true],
    ['cn=a,dc=x;cn=b,dc=x', true],
    ['cn=a;ou=b', true],
    ['cn=a/ou=b/o=x', true],
    ['cn="a",ou=b', true],
    ['cn=#0c0161,ou=b', true],
    ['commonName=a,ou=b', true],
    ['2.5.4.3=a,ou=b', true],
  ])('%s may be another name too: %p', (text, expected) => {
    expect(parseDistinguishedName(text)?.hasOtherReading).toBe(expected);
  });

  test('is not text that is not well-formed', () => {
    expect(parseDistinguishedName('cn=\ud800')).toBeNull();
  });

  test.each([
    ['cn=a,ou=b,dc=c', 'ou=b,dc=c', true],
    ['ou=b,dc=c', 'ou=b,dc=c', true],
    ['dc=c', 'ou=b,dc=c', false],
    ['cn=a,xou=b,dc=c', 'ou=b,dc=c', false],
    ['cn=a\\,ou=b,dc=c', 'ou=b,dc=c', false],
    ['cn=a,ou=b,dc=c,dc=d', 'ou=b,dc=c', false],
  ])('%s is at or below %s: %p', (name, suffix, expected) => {
    expect(groupMatcher([{ dn_suffix: suffix }])(name).matches).toEqual(expected ? [0] : []);
  });
});

test.each<[string, boolean, boolean]>([
  ['cn=a,ou=b,dc=x', false, false],
  ['dc=x,ou=b,cn=a', true, true],
  ['cn=a,o=x,cn=b,o=y', true, false],
  ['cn=a,cn=a', true, false],
  ['promo=x,cn=b', false, false],
])('%s may be several: %p, and is reversed: %p', (text, several, reversed) => {
  const name = parseDistinguishedName(text) as DistinguishedName;
  expect([mayBeSeveral(name), isReversed(name)]).toEqual([several, reversed]);
});
