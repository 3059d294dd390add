/** What is odd about a mapping: groups that it denies, and that nobody or the wrong people may be in. */
import { expect, test } from '@jest/globals';
import type { Group, Mapping, Rule } from '../../lib/profile/schema/mappingSchema.ts';
import { mappingWarnings } from '../../tools/local/mappingWarnings.ts';

const G1 = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const G2 = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';

const denying = (denied: Group, granting: Group[] = [], groups: object = {}): Mapping => ({
  groups: { from: ['memberOf'], table: granting.map((group) => ({ group, uuid: G1 })), ...groups },
  rules: [{ no_group: [denied] }],
});

test.each<[string, Mapping, string]>([
  ['part of another name', denying('offline', ['offline_access']), '"offline" is part of "offline_access".'],
  [
    'part of another denied name',
    { ...denying('ban'), rules: [{ no_group: ['suspended', 'suspended students'] }] },
    '"suspended" is part of "suspended students".',
  ],
  ['short', denying('ban'), '"ban" has less than 4 characters.'],
])('a denied name is %s', (_, mapping, warning) => {
  expect(mappingWarnings(mapping)).toEqual([`rules[0].no_group: ${warning}`]);
  expect(mappingWarnings({ ...mapping, groups: { ...mapping.groups, separator: 'none' } })).toEqual([]);
});

test.each<[Group, Group, string]>([
  [
    { prefix: 'suspended' },
    '/staff',
    '{"prefix":"suspended"} is not written as "/staff" is, and may match no group: expected "/suspended".',
  ],
  [{ prefix: 'suspended' }, { prefix: '/staff/' }, '{"prefix":"/suspended/"}'],
  [{ dn: 'CN=suspended,O=x' }, '/uni/staff', '"/uni/suspended"'],
  [{ dn: 'CN=suspended,O=x' }, 'staff', '"suspended"'],
  ['suspended', { dn: 'CN=staff,OU=Groups,O=x' }, '{"dn":"CN=suspended,OU=Groups,O=x"}'],
  ['/suspended', 'CN=staff,O=x', '"CN=suspended,O=x"'],
  ['suspended', G1, 'expected one of that form.'],
  [G2, 'staff', 'expected one of that form.'],
  [{ prefix: '/suspended' }, 'staff', '"suspended"'],
  [{ prefix: '/' }, 'staff', 'expected "".'],
])('%j is not written as the groups of the table are: %j', (denied, granted, expected) => {
  const warnings = mappingWarnings(denying(denied, [granted], { separator: 'none' }));
  expect(warnings).toEqual([expect.stringMatching(/^rules\[0\]\.no_group: .*expected .*\.$/)]);
  expect(warnings[0]).toContain(expected);
});

test('a group that any_group names is written as the provider writes it too', () => {
  const { groups, rules = [] } = denying({ dn: 'CN=suspended' }, [], { separator: 'none' });
  expect(mappingWarnings({ groups, rules: [...rules, { any_group: ['staff'] }] })).toHaveLength(1);
  expect(
    mappingWarnings({ groups, rules: [...rules, { any_group: ['staff', { dn_suffix: 'O=x' }] }] }),
  ).toEqual([]);
});

test.each<[Mapping]>([
  [{ rules: [{ email_domains: ['x.example'] }, { scopes: ['x.example'] }, { any_group: ['ban'] }] }],
  [denying('bans')],
  [denying({ dn: 'CN=a' }, [{ dn_suffix: 'OU=a' }])],
  [denying('suspended', ['/staff'])],
  [denying('suspended', [{ prefix: '/staff/' }])],
  [denying('/suspended', ['staff'])],
  [denying({ prefix: '/suspended' }, ['staff', '/staff'])],
  [denying(G1, [G2])],
])('a mapping that denies whom it means warns of nothing: %j', (mapping) => {
  expect(mappingWarnings(mapping)).toEqual([]);
});

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
