/** What is odd about a mapping that loads. */
import { expect, test } from '@jest/globals';
import type { Mapping, Rule } from '../../lib/profile/schema/mappingSchema.ts';
import { mappingWarnings, unboundGuards } from '../../tools/local/mappingOf.ts';

test.each(['https://login.microsoftonline.com/t/v2.0', 'https://sts.windows.net/t/'])(
  'sources that %s leaves out are no evidence',
  (issuer) => {
    const groups = { from: ['groups'], absent: ['groups'] };
    const ofIssuer: Mapping = { issuers: { [issuer]: { groups } } };
    const warning =
      'Entra may leave out the groups if there are too many, so their absence does not prove that there are none.';
    expect(mappingWarnings(ofIssuer)).toEqual([`issuers.${issuer}.groups.absent: ${warning}`]);
    expect(mappingWarnings({ groups, issuers: { [issuer]: {} } })).toEqual([`groups.absent: ${warning}`]);
    expect(mappingWarnings({ issuers: { [issuer]: { groups: { from: ['groups'] } } } })).toEqual([]);
    expect(mappingWarnings({ groups, issuers: { 'https://sso.example': {} } })).toEqual([]);
  },
);

const NO_PATTERN =
  'has a "*", which stands for itself: there are no patterns. Write { prefix } or { suffix } for texts that begin or end so.';

test.each<[Rule, string]>([
  [{ attribute: 'a', is: ['x', 'eng-*'] }, 'is: "eng-*"'],
  [{ attribute: 'a', is: [{ prefix: 'eng-*' }] }, 'is: "eng-*"'],
  [{ attribute: 'a', is_not: [{ suffix: '*-x' }] }, 'is_not: "*-x"'],
  [{ emails: ['*@uni.example'] }, 'emails: "*@uni.example"'],
  [{ any_group: ['eng-*', { dn: 'CN=a' }] }, 'any_group: "eng-*"'],
  [{ no_group: [{ prefix: 'eng-*' }] }, 'no_group: "eng-*"'],
])('a text with an asterisk is no pattern: %j', (rule, text) => {
  const warnings = mappingWarnings({
    groups: { from: ['memberOf'] },
    rules: [{ email_domains: ['*.a.example'] }, rule],
  });
  expect(warnings).toEqual([`rules[1].${text} ${NO_PATTERN}`]);
});

test('other values are no patterns', () => {
  expect(mappingWarnings({ rules: [{ claim: 'a', is: ['x', 7, true] }] })).toEqual([]);
});

test.each<[string, Mapping, string[]]>([
  [
    'any',
    { issuers: 'any', groups: { from: ['g'] }, rules: [{ any_group: ['a'] }] },
    ['groups', 'rules[0].any_group'],
  ],
  ['none', { rules: [{ email_domains: ['uni.example'] }] }, ['rules[0].email_domains']],
  ['none, and nothing to assert', {}, []],
  ['some', { issuers: { 'https://a.example': {} }, rules: [{ any_group: ['a'] }] }, []],
])('the guards that every issuer may assert, of a mapping that lists %s', (_, mapping, guards) => {
  expect(unboundGuards(mapping)).toEqual(guards);
});
