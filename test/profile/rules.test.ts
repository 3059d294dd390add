/** Rules: what their refusals say to the operator, at the usual level of the log. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { WORDS } from '../../lib/messages/en.ts';
import { noteElsewhere } from '../../lib/openid/claims.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { openIdEvent } from '../support/wire.ts';
import { openId, openIdHandler } from './decided.ts';

type Rule = NonNullable<Mapping['rules']>[number];

const NOTHING = { known: true, received: 0, mapped: 0, unmatched: 0 };

test.each<[string, Rule, Record<string, unknown>]>([
  ['email_domains', { email_domains: ['uni.example'] }, {}],
  ['scopes', { scopes: ['uni.example'] }, {}],
])('a refusal names %s in its place: %j with %j', (kind, rule, claims) => {
  const groups = { from: ['groups'], unknown: 'none' as const };
  const { trace } = openId({ groups, rules: [{ email_domains: ['example.org'] }, rule] }, claims);
  expect(trace.rule).toBe(`rules[1].${kind}`);
});

test.each([
  [99, 'authorized'],
  [100, 'rule_refused'],
])('behind %d other affiliations, one that is listed is %s', (others, reason) => {
  const eduperson_scoped_affiliation = [...Array(others).fill('member@other.example'), 'member@uni.example'];
  const { decision } = openId({ rules: [{ scopes: ['uni.example'] }] }, { eduperson_scoped_affiliation });
  expect(decision.reason).toBe(reason);
});

test.each([
  ['member@uni.example', 'authorized'],
  ['@uni.example', 'rule_refused'],
  ['\u200b@uni.example', 'rule_refused'],
  ['eve_evil.example#EXT#@uni.example', 'rule_refused'],
])('%j in a listed scope is %s', (upn, reason) => {
  const rules = [{ scopes: ['uni.example'], from: ['upn'] }];
  expect(openId({ rules }, { upn }).decision.reason).toBe(reason);
});

test('groups that must be known, and are not, refuse by no rule', () => {
  const mapping: Mapping = { groups: { from: ['groups'] }, rules: [{ any_group: ['staff'] }] };
  const { decision, trace } = openId(mapping, { hasgroups: true });
  expect(decision.reason).toBe('groups_unknown');
  expect(trace).not.toHaveProperty('rule');
});

test('rules alone do not ask that groups be known, and one that cannot do without refuses', () => {
  const rules: Mapping['rules'] = [{ email_domains: ['example.org'] }, { any_group: ['staff'] }];
  const { decision, trace } = openId({ rules }, { hasgroups: true });
  expect([decision.reason, trace.rule]).toEqual(['groups_unknown', 'rules[1].any_group']);
});

describe('the trace', () => {
  test.each<[Mapping, object | undefined]>([
    [{ rules: [{ email_domains: ['example.org'] }] }, undefined],
    [{ rules: [{ scopes: ['example.org'] }] }, undefined],
    [
      { groups: { from: ['email'] }, rules: [{ any_group: ['staff'] }] },
      { ...NOTHING, received: 1, unmatched: 1 },
    ],
    [{ groups: { from: ['groups'], absent: ['groups'] }, rules: [{ no_group: ['staff'] }] }, NOTHING],
  ])('has the groups where they count: %j', (mapping, groups) => {
    expect(openId(mapping).trace.groups).toStrictEqual(groups);
  });
});

test.each<[Rule, boolean]>([
  [{ any_group: ['staff'] }, false],
  [{ any_group: ['staff'], message: 'Ask Ada.' }, true],
])('%j: the message is the operator’s: %p', (rule, isOperators) => {
  expect(openId({ rules: [rule] }).decision.words === null).toBe(isOperators);
});

describe('a rule that names its sources', () => {
  const from = ['roles', 'groups'];
  const reasonOf = (rule: Rule, claims: Record<string, unknown>, groups: object = {}) =>
    openId({ groups: { from, unknown: 'none', ...groups }, rules: [rule] }, claims).decision.reason;

  test.each<[Rule, Record<string, unknown>, string]>([
    [{ any_group: ['a'] }, { groups: ['a'] }, 'authorized'],
    [{ any_group: ['a'], from: ['roles'] }, { roles: ['a'] }, 'authorized'],
    [{ any_group: ['a'], from: ['roles'] }, { roles: ['b'], groups: ['a'] }, 'rule_refused'],
    [{ any_group: ['a'], from: ['roles'] }, { roles: ['a'], hasgroups: true }, 'authorized'],
    [{ no_group: ['x'], from: ['roles'] }, { roles: ['a'], groups: ['x'] }, 'authorized'],
  ])('%j with %j: %s', (rule, claims, reason) => {
    expect(reasonOf(rule, claims)).toBe(reason);
  });
});

test.each<[string[], Record<string, unknown>, string | undefined]>([
  [['groups'], { groups: ['b'] }, undefined],
  [['groups'], { groups: ['a'] }, undefined],
  [
    ['teams', 'groups'],
    { groups: ['b'] },
    'Did not arrive: teams. Correct the name in groups.from, or have the provider send it.',
  ],
  [
    ['group'],
    { groups: ['a'] },
    'Did not arrive: group (similar name that arrived: groups). Correct the name in groups.from, or have the provider send it.',
  ],
])('a rule that wants a group of %j in %j tells which source is absent', (from, claims, note) => {
  expect(openId({ groups: { from }, rules: [{ any_group: ['a'] }] }, claims).trace.groups?.note).toBe(note);
});

test('a mapping of rules only gives nobody a group', () => {
  const { response } = openId({ rules: [{ any_group: ['staff'] }] }, { groups: ['staff'] });
  expect(response).toMatchObject({ type: 'AuthorizedUserResponse', user_group_uuids: [] });
});

test.each<[number, string]>([
  [8_192, 'authorized'],
  [8_193, 'rule_refused'],
])('an affiliation of %d characters: %s', (length, reason) => {
  const eduperson_scoped_affiliation = `${'a'.repeat(length - 12)}@uni.example`;
  const { decision } = openId({ rules: [{ scopes: ['uni.example'] }] }, { eduperson_scoped_affiliation });
  expect([eduperson_scoped_affiliation.length, decision.reason]).toEqual([length, reason]);
});

test.each<[number, string]>([
  [99, 'authorized'],
  [100, 'rule_refused'],
])('behind %d other affiliations in one text, one that is listed is %s', (others, reason) => {
  const eduperson_scoped_affiliation = `${'member@other.example;'.repeat(others)}member@uni.example`;
  const { decision } = openId({ rules: [{ scopes: ['uni.example'] }] }, { eduperson_scoped_affiliation });
  expect(decision.reason).toBe(reason);
});

test('a separator counts only in the only value of the sources', () => {
  const rule: Rule = { scopes: ['uni.example'], from: ['a', 'b'], separator: '|' };
  const reasonOf = (claims: Record<string, unknown>) => openId({ rules: [rule] }, claims).decision.reason;
  expect(reasonOf({ a: 'member@other.example|member@uni.example' })).toBe('authorized');
  expect(reasonOf({ a: 'member@other.example|member@uni.example', b: [''] })).toBe('rule_refused');
});

test('a rule that denies names sources of the groups only', () => {
  const rules: Rule[] = [{ no_group: ['x'], from: ['roles'] }];
  expect(() => openId({ groups: { from: ['groups'] }, rules })).toThrow('rules[0].from[0]');
});

test.each<[Rule, keyof typeof WORDS]>([
  [{ emails: ['x@uni.example'] }, 'email_domains'],
  [{ claim: 'email', is_not: ['ada@example.org'] }, 'forbidden'],
  [{ claim: 'level', is_not: [7] }, 'forbidden'],
])('what somebody reads whom %j refuses', (rule, words) => {
  expect(openId({ rules: [rule] }, { level: 7 }).response).toMatchObject({ message: WORDS[words] });
});

test.each<[Mapping, Record<string, unknown>, string]>([
  [
    { groups: { from: ['a.n', 'b.n'] }, rules: [{ no_group: ['x'] }] },
    { a: [{ n: 'y' }, {}], b: [{ n: 'y' }, {}] },
    'a.n and b.n: some items have no text there.',
  ],
  [
    { groups: { from: ['groups'] }, rules: [{ no_group: ['x'] }] },
    { groups: ['y', 'a; x'] },
    'joins them in the only text of a source.',
  ],
])('the note on groups of %j', (mapping, claims, note) => {
  expect(openId(mapping, claims).trace.groups?.note).toContain(note);
});

test('a demand that only UserInfo would meet did not arrive', () => {
  const event = v.parse(OpenIdUserLoggedInEvent, openIdEvent());
  noteElsewhere(event.id_token.other_claims, { userInfo: { acr: 'gold' } });
  const response = openIdHandler({ rules: [{ assurance: { acr: ['gold'] } }] })(event);
  expect(decisionOf(response)?.explain().note).toMatch(/^Did not arrive: acr\./);
});

test('what a handler changes in the event afterwards changes no explanation of a refusal', () => {
  const event = v.parse(OpenIdUserLoggedInEvent, openIdEvent());
  const response = openIdHandler({ rules: [{ claim: 'role', is: ['x'] }] })(event);
  Object.assign(event.id_token.other_claims, { roles: 'x' });
  expect(decisionOf(response)?.explain().note).toMatch(/^Did not arrive: role\. /);
});
