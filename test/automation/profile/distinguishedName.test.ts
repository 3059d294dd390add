import { describe, expect, test } from '@jest/globals';
import { parseDistinguishedName } from '../../../lib/automation/profile/distinguishedName.ts';
import { groupMatcher } from '../../../lib/automation/profile/groups.ts';

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
    ['cn=\\FF', ['cn=\\\\ff']],
    ['cn=\\FE', ['cn=\\\\fe']],
    ['uid=a+cn=b', ['cn=b+uid=a']],
    ['2.5.4.3=Staff', ['2.5.4.3=staff']],
    ['cn=', ['cn=']],
    ['cn=a=b', ['cn=a\\=b']],
  ])('%s', (text, parts) => {
    expect(parseDistinguishedName(text)).toEqual(parts);
  });

  test.each(['', 'staff', 'cn', '=x', 'cn=a,', ',cn=a', 'cn=a,,dc=b', 'c n=a', 'https://x/?a=b'])(
    'is not %p',
    (text) => {
      expect(parseDistinguishedName(text)).toBeNull();
    },
  );

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
