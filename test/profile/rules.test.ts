/** Rules: what they look at, and what their refusals say to the operator, at the usual level of the log. */
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import { type RuleReads, readsOf } from '../../lib/profile/rules/rules.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import type { Rule as ParsedRule } from '../../lib/profile/schema/ruleSchema.ts';
import { openIdEvent } from '../support/wire.ts';
import { type Claims, openId, openIdHandler, type Reason, type Rule } from './decided.ts';

const [STAFF, OWN_DOMAIN] = [{ any_group: ['staff'] }, { email_domains: ['example.org'] }];

const from = ['groups'];
const CUT = { hasgroups: true };

test.each<[Mapping, Claims, Reason, rule: string | undefined]>([
  [{ rules: [OWN_DOMAIN, { email_domains: ['uni.example'] }] }, {}, 'rule_refused', 'rules[1].email_domains'],
  [{ groups: { from, unknown: 'none' }, rules: [STAFF] }, {}, 'rule_refused', 'rules[0].any_group'],
  // Groups that must be known refuse by no rule. Rules alone do not ask that they be known.
  [{ groups: { from }, rules: [STAFF] }, CUT, 'groups_unknown', undefined],
  [{ rules: [OWN_DOMAIN, STAFF] }, CUT, 'groups_unknown', 'rules[1].any_group'],
])('a refusal names its rule: %j with %j: %s by %s', (mapping, claims, reason, rule) => {
  const { decision, trace } = openId(mapping, claims);
  expect([decision.reason, trace.rule, 'rule' in trace]).toEqual([reason, rule, rule !== undefined]);
});

const NOTHING = { known: true, received: 0, mapped: 0, unmatched: 0 };

const OF_EMAIL: Mapping = { groups: { from: ['email'] }, rules: [STAFF] };

test.each<[Mapping, object | undefined]>([
  [{ rules: [OWN_DOMAIN] }, undefined],
  [OF_EMAIL, { ...NOTHING, received: 1, unmatched: 1 }],
])('the trace has the groups where they count: %j', (mapping, groups) => {
  expect(openId(mapping).trace.groups).toStrictEqual(groups);
});

test.each<[Rule, Claims, Reason]>([
  [{ any_group: ['a'], from: ['roles'] }, { roles: ['b'], groups: ['a'] }, 'rule_refused'],
  [{ any_group: ['a'], from: ['roles'] }, { roles: ['a'], hasgroups: true }, 'authorized'],
  [{ no_group: ['x'], from: ['roles'] }, { roles: ['a'], groups: ['x'] }, 'authorized'],
])('a rule looks at the sources that it names: %j with %j: %s', (rule, claims, reason) => {
  const groups = { from: ['roles', 'groups'], unknown: 'none' as const };
  expect(openId({ groups, rules: [rule] }, claims).decision.reason).toBe(reason);
});

test('a rule that wants a group tells which source is absent', () => {
  const mapping = { groups: { from: ['teams', 'groups'] }, rules: [{ any_group: ['a'] }] };
  expect(openId(mapping, { groups: ['b'] }).trace.groups?.note).toBe(
    'Did not arrive: teams. Correct the name in groups.from, or have the provider send it.',
  );
});

const ITEMS = [{ n: 'y' }, {}];
const WITHOUT_TEXT = 'a.n and b.n: some items have no text there. Have the provider send it for each';

test.each<[from: string[], Claims, string]>([
  [['a.n', 'b.n'], { a: ITEMS, b: ITEMS }, WITHOUT_TEXT],
  [['groups'], { groups: ['y', 'a; x'] }, 'joins them in the only text of a source.'],
])('the note on groups of %j, in %j', (from, claims, note) => {
  expect(openId({ groups: { from }, rules: [{ no_group: ['x'] }] }, claims).trace.groups?.note).toContain(
    note,
  );
});

test('what a handler changes in the event afterwards changes no explanation of a refusal', () => {
  const event = v.parse(OpenIdUserLoggedInEvent, openIdEvent());
  const response = openIdHandler({ rules: [{ claim: 'role', is: ['x'] }] })(event);
  Object.assign(event.id_token.other_claims, { roles: 'x' });
  expect(decisionOf(response)?.explain().note).toMatch(/^Did not arrive: role\. /);
});

const lookUp = (name: string, values: unknown[] = [], isNeeded = true) => ({
  names: namesOf(name),
  values,
  isNeeded,
});

const domains = ['uni.example'];
const AFFILIATED: ParsedRule = { scopes: domains, affiliations: ['staff'], from: ['a'] };
const OF_AFFILIATED = { domains, affiliations: ['staff'], lookUps: [lookUp('a')] };
const ASSURED: ParsedRule = { assurance: { acr: ['gold'], amr: [['mfa', 'pwd'], 'hwk'], max_age: '8h' } };
const OF_ASSURED = [lookUp('acr', ['gold']), lookUp('amr', ['mfa', 'pwd', 'hwk']), lookUp('auth_time')];
const ENDS: ParsedRule = { claim: 'a', is: ['x', 7, { prefix: 'p' }, { suffix: 's' }] };

test.each<[ParsedRule, Partial<RuleReads>]>([
  [{ emails: ['ada@uni.example'] }, { addresses: ['ada@uni.example'] }],
  [{ email_domains: domains }, { domains }],
  [
    { scopes: domains, from: ['a'] },
    { domains, lookUps: [lookUp('a')] },
  ],
  [AFFILIATED, OF_AFFILIATED],
  [{ any_group: ['staff'] }, { groups: ['staff'] }],
  [{ no_group: [{ prefix: 'x' }] }, { groups: [{ prefix: 'x' }] }],
  [ENDS, { lookUps: [lookUp('a', ['x', 7, 'p', 's'])] }],
  [{ claim: 'a', is_not: ['x'] }, { lookUps: [lookUp('a', ['x'])] }],
  [{ claim: 'a', is_not: ['x'], absent: 'allow' }, { lookUps: [lookUp('a', ['x'], false)] }],
  [{ claim: 'a', present: true }, { lookUps: [lookUp('a')] }],
  [ASSURED, { lookUps: OF_ASSURED }],
  [{ assurance: { acrs: ['c1'] } }, { lookUps: [lookUp('acrs', ['c1'])] }],
])('tools are told what %j looks at', (rule, reads) => {
  const nothing = { lookUps: [], groups: [], addresses: [], domains: [], affiliations: [] };
  expect(readsOf(rule, OPENID_NAMES)).toEqual({ ...nothing, ...reads });
});
