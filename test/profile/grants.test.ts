/** Which rules and rows of a mapping let a person in, for the record of grants. */
import { expect, test } from '@jest/globals';
import { Invocation, runInInvocation } from '../../lib/deadline.ts';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { openId } from './decided.ts';

const [G1, G2] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'];
const ISSUER = 'https://idp.example.org';
const table = [
  { group: 'staff', uuid: G1 },
  { group: 'unused', uuid: G2 },
  { group: { prefix: 'st' }, uuid: G1.toUpperCase() },
  { group: 'data', uuid: G2 },
];

test.each<[string, Mapping, object | undefined]>([
  ['no groups and rules', {}, { rules: [], rows: {} }],
  ['rules', { rules: [{ email_domains: ['example.org'] }] }, { rules: ['rules[0].email_domains'], rows: {} }],
  [
    'groups, of which one matches two rows',
    { groups: { from: ['groups'], table } },
    { rules: [], rows: { [G1]: ['groups.table[0]', 'groups.table[2]'], [G2]: ['groups.table[3]'] } },
  ],
  [
    'rules and groups of an issuer',
    {
      rules: [{ email_domains: ['example.org'] }],
      issuers: { [ISSUER]: { groups: { from: ['groups'], table }, rules: [{ any_group: ['data'] }] } },
    },
    {
      rules: ['rules[0].email_domains', `issuers.${ISSUER}.rules[0].any_group`],
      rows: {
        [G1]: [`issuers.${ISSUER}.groups.table[0]`, `issuers.${ISSUER}.groups.table[2]`],
        [G2]: [`issuers.${ISSUER}.groups.table[3]`],
      },
    },
  ],
  [
    'groups that match no row',
    { groups: { from: ['groups'], table: table.slice(1, 2) } },
    { rules: [], rows: {} },
  ],
  ['a rule that refuses', { rules: [{ email_domains: ['evil.example'] }] }, undefined],
  ['an incomplete profile', { last_name: ['none'] }, undefined],
  ['another issuer alone', { issuers: { 'https://other.example': {} } }, undefined],
])('of a mapping with %s', (_, mapping, grants) => {
  const { decision } = openId(mapping, { groups: ['data', 'staff', 'other'] });
  expect(decision.grants?.()).toEqual(grants);
});

/** What the login knows of its last mapping, for a handler that copies the response. */
function known(mapping: Mapping): Pick<Invocation, 'grants' | 'isOwnScope'> {
  const invocation = new Invocation({}, null);
  runInInvocation(invocation, () => openId(mapping));
  return invocation;
}

test('the login knows what its mapping grants', () => {
  const rules: Mapping['rules'] = [{ email_domains: ['example.org'] }];
  expect(known({ rules }).grants?.()).toEqual({ rules: ['rules[0].email_domains'], rows: {} });
  expect(known({ rules: [{ email_domains: ['evil.example'] }] }).grants).toBeNull();
});

test('the login knows which scopes its mapping lists for the issuer', () => {
  const rules: Mapping['rules'] = [
    { scopes: ['uni.example', '*.example.org'] },
    { scopes: ['*.example.org', 'b.example'] },
  ];
  const { isOwnScope } = known({ rules });
  const scopes = ['uni.example', 'cs.example.org', 'example.org', 'b.example'];
  expect(scopes.filter((scope) => isOwnScope?.(scope))).toEqual(['cs.example.org']);
  expect(known({}).isOwnScope).toBeNull();
  expect(known({ issuers: { 'https://other.example': { rules } } }).isOwnScope).toBeNull();
});
