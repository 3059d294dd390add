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

const domains = ['uni.example'];
const STAFF: Rule = { scopes: domains, affiliations: ['staff'], from: ['a'] };
const OF_STAFF = { domains, affiliations: ['staff'], lookUps: [lookUp('a')] };
const ASSURED: Rule = { assurance: { acr: ['gold'], amr: [['mfa', 'pwd'], 'hwk'], max_age: '8h' } };
const OF_ASSURED = [lookUp('acr', ['gold']), lookUp('amr', ['mfa', 'pwd', 'hwk']), lookUp('auth_time')];
const ENDS: Rule = { claim: 'a', is: ['x', 7, { prefix: 'p' }, { suffix: 's' }] };

test.each<[Rule, Partial<RuleReads>]>([
  [{ emails: ['ada@uni.example'] }, { addresses: ['ada@uni.example'] }],
  [{ email_domains: domains }, { domains }],
  [
    { scopes: domains, from: ['a'] },
    { domains, lookUps: [lookUp('a')] },
  ],
  [STAFF, OF_STAFF],
  [{ any_group: ['staff'] }, { groups: ['staff'] }],
  [{ no_group: [{ prefix: 'x' }] }, { groups: [{ prefix: 'x' }] }],
  [ENDS, { lookUps: [lookUp('a', ['x', 7, 'p', 's'])] }],
  [{ claim: 'a', is_not: ['x'] }, { lookUps: [lookUp('a', ['x'])] }],
  [{ claim: 'a', is_not: ['x'], absent: 'allow' }, { lookUps: [lookUp('a', ['x'], false)] }],
  [{ claim: 'a', present: true }, { lookUps: [lookUp('a')] }],
  [ASSURED, { lookUps: OF_ASSURED }],
  [{ assurance: { acrs: ['c1'] } }, { lookUps: [lookUp('acrs', ['c1'])] }],
])('%j', (rule, reads) => {
  const nothing = { lookUps: [], groups: [], addresses: [], domains: [], affiliations: [] };
  expect(readsOf(rule, OPENID_NAMES)).toEqual({ ...nothing, ...reads });
});
