/** Rules: what their refusals say to the operator, at the usual level of the log. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { attribute } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

type Rule = NonNullable<Mapping['rules']>[number];

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const NOTHING = { known: true, received: 0, mapped: 0, unmatched: 0 };

test.each<[string, Rule, Record<string, unknown>]>([
  ['email_domains', { email_domains: ['uni.example'] }, {}],
  ['scopes', { scopes: ['uni.example'] }, {}],
  ['any_group', { any_group: ['staff'] }, {}],
  ['any_group', { any_group: ['staff'] }, { hasgroups: true }],
  ['no_group', { no_group: ['staff'] }, { groups: ['staff'] }],
  ['no_group', { no_group: ['staff'] }, { groups: 'all staff' }],
  ['no_group', { no_group: ['staff'] }, { hasgroups: true }],
])('a refusal names %s in its place: %j with %j', (kind, rule, claims) => {
  const groups = { from: ['groups'], unknown: 'none' as const };
  const { trace } = openId({ groups, rules: [{ email_domains: ['example.org'] }, rule] }, claims);
  expect(trace.rule).toBe(`rules[1].${kind}`);
});

test.each([
  [999, 'authorized'],
  [1_000, 'rule_refused'],
])('behind %d other affiliations, one that is listed is %s', (others, reason) => {
  const eduperson_scoped_affiliation = [...Array(others).fill('member@other.example'), 'member@uni.example'];
  const { decision } = openId({ rules: [{ scopes: ['uni.example'] }] }, { eduperson_scoped_affiliation });
  expect(decision.reason).toBe(reason);
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
    [{ rules: [{ any_group: ['staff'] }] }, NOTHING],
    [{ groups: { from: ['groups'], absent: ['groups'] }, rules: [{ no_group: ['staff'] }] }, NOTHING],
    [{ groups: { table: [{ group: 'staff', uuid: UUID }] } }, NOTHING],
    [{ groups: {} }, NOTHING],
  ])('has the groups where they count: %j', (mapping, groups) => {
    expect(openId(mapping).trace.groups).toStrictEqual(groups);
  });

  test('explains a text that may hold a forbidden group, and no other refusal', () => {
    const noteOf = (rule: Rule, group: string) =>
      saml({ groups: { from: ['memberOf'] }, rules: [rule] }, [attribute('memberOf', group)]).trace.groups
        ?.note;
    expect(noteOf({ no_group: ['staff'] }, 'all staff')).toContain('one Attribute for each value');
    expect(noteOf({ no_group: ['staff'] }, 'staff')).toBeUndefined();
    expect(noteOf({ any_group: ['staff'] }, 'students')).toBeUndefined();
  });

  test('explains a group of a list that cannot be read', () => {
    const mapping: Mapping = { groups: { from: ['groups'] }, rules: [{ no_group: [{ dn: 'CN=a' }] }] };
    const { note } = openId(mapping, { groups: ['=x'] }).trace.groups ?? {};
    expect(note).toContain('A group cannot be read');
  });

  test('has no verdicts', () => {
    expect(openId({ rules: [{ any_group: ['staff'] }] }).trace).not.toHaveProperty('rules');
  });
});

test.each<[Rule, boolean]>([
  [{ any_group: ['staff'] }, false],
  [{ any_group: ['staff'], message: 'Ask Ada.' }, true],
])('%j: the message is the operator’s: %p', (rule, isOperators) => {
  expect(openId({ rules: [rule] }).decision.words === undefined).toBe(isOperators);
});
