/** What is odd about a mapping that loads. */
import { expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
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

const ENDS = 'Write { prefix } or { suffix } for texts that begin or end so.';
const BEGINNING = 'Write { prefix } for groups that begin so.';

test.each<[rule: NonNullable<Mapping['rules']>[number], text: string, instead: string]>([
  [{ attribute: 'a', is: ['x', 'eng-*'] }, 'is: "eng-*"', ENDS],
  [{ attribute: 'a', is: [{ prefix: 'eng-*' }] }, 'is: "eng-*"', ENDS],
  [{ attribute: 'a', is_not: [{ suffix: '*-x' }] }, 'is_not: "*-x"', ENDS],
  [{ emails: ['*@uni.example'] }, 'emails: "*@uni.example"', 'Write email_domains for all'],
  [{ any_group: ['eng-*', { dn: 'CN=a' }] }, 'any_group: "eng-*"', BEGINNING],
  [{ no_group: [{ prefix: 'eng-*' }] }, 'no_group: "eng-*"', BEGINNING],
  [{ scopes: ['*.a.example'], affiliations: ['*'] }, 'affiliations: "*"', 'List each, or leave'],
  [{ assurance: { eduPersonAssurance: [['IAP/*']] } }, 'assurance: "IAP/*"', 'List each value.'],
])('a text with an asterisk is no pattern: %j', (rule, text, instead) => {
  const warnings = mappingWarnings({
    groups: { from: ['memberOf'] },
    rules: [{ email_domains: ['*.a.example'] }, rule],
  });
  const warning = `rules[1].${text} has a "*", which stands for itself: there are no patterns. ${instead}`;
  expect(warnings).toEqual([expect.stringContaining(warning)]);
});

test('a group with an asterisk in the table is no pattern', () => {
  const table = ['a', 'eng-*'].map((group) => ({ group, uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' }));
  const warning = expect.stringMatching(/^groups\.table: "eng-\*" has .* Write \{ prefix \} for groups/);
  expect(mappingWarnings({ groups: { table } })).toEqual([warning]);
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
