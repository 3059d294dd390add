/** What a rule looks at, for tools that change it, keep it or show it. */
import { expect, test } from '@jest/globals';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import { type RuleReads, readsOf } from '../../lib/profile/rules/rules.ts';
import type { Rule } from '../../lib/profile/schema/ruleSchema.ts';

const lookUp = (name: string, values: unknown[] = [], isNeeded = true) => ({
  names: namesOf(name),
  values,
  isNeeded,
});

test.each<[Rule, Partial<RuleReads>]>([
  [{ emails: ['ada@uni.example'] }, { addresses: ['ada@uni.example'] }],
  [{ email_domains: ['uni.example'] }, { domains: ['uni.example'] }],
  [
    { scopes: ['uni.example'], from: ['a'] },
    { domains: ['uni.example'], lookUps: [lookUp('a')] },
  ],
  [
    { scopes: ['uni.example'], affiliations: ['staff'], from: ['a'] },
    { domains: ['uni.example'], affiliations: ['staff'], lookUps: [lookUp('a')] },
  ],
  [{ any_group: ['staff'] }, { groups: ['staff'] }],
  [{ no_group: [{ prefix: 'x' }] }, { groups: [{ prefix: 'x' }] }],
  [
    { claim: 'a', is: ['x', 7, { prefix: 'p' }, { suffix: 's' }] },
    { lookUps: [lookUp('a', ['x', 7, 'p', 's'])] },
  ],
  [{ claim: 'a', is_not: ['x'] }, { lookUps: [lookUp('a', ['x'])] }],
  [{ claim: 'a', is_not: ['x'], absent: 'allow' }, { lookUps: [lookUp('a', ['x'], false)] }],
  [{ claim: 'a', present: true }, { lookUps: [lookUp('a')] }],
  [
    { assurance: { acr: ['gold'], amr: [['mfa', 'pwd'], 'hwk'], max_age: '8h' } },
    { lookUps: [lookUp('acr', ['gold']), lookUp('amr', ['mfa', 'pwd', 'hwk']), lookUp('auth_time')] },
  ],
  [{ assurance: { acrs: ['c1'] } }, { lookUps: [lookUp('acrs', ['c1'])] }],
])('%j', (rule, reads) => {
  const nothing = { lookUps: [], groups: [], addresses: [], domains: [], affiliations: [] };
  expect(readsOf(rule, OPENID_NAMES)).toEqual({ ...nothing, ...reads });
});
