/** Rules: what their refusals say to the operator, at the usual level of the log. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { noteElsewhere } from '../../lib/openid/claims.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { openIdEvent } from '../support/wire.ts';
import { type Claims, openId, openIdHandler, type Reason, type Rule } from './decided.ts';

const [STAFF, OWN_DOMAIN] = [{ any_group: ['staff'] }, { email_domains: ['example.org'] }];

test.each<[kind: string, Rule]>([
  ['email_domains', { email_domains: ['uni.example'] }],
  ['scopes', { scopes: ['uni.example'] }],
])('a refusal names %s in its place: %j', (kind, rule) => {
  const groups = { from: ['groups'], unknown: 'none' as const };
  expect(openId({ groups, rules: [OWN_DOMAIN, rule] }).trace.rule).toBe(`rules[1].${kind}`);
});

test('groups that must be known, and are not, refuse by no rule', () => {
  const mapping: Mapping = { groups: { from: ['groups'] }, rules: [STAFF] };
  const { decision, trace } = openId(mapping, { hasgroups: true });
  expect(decision.reason).toBe('groups_unknown');
  expect(trace).not.toHaveProperty('rule');
});

test('rules alone do not ask that groups be known, and one that cannot do without refuses', () => {
  const { decision, trace } = openId({ rules: [OWN_DOMAIN, STAFF] }, { hasgroups: true });
  expect([decision.reason, trace.rule]).toEqual(['groups_unknown', 'rules[1].any_group']);
});

const NOTHING = { known: true, received: 0, mapped: 0, unmatched: 0 };
const ABSENT: Mapping = {
  groups: { from: ['groups'], absent: ['groups'] },
  rules: [{ no_group: ['staff'] }],
};

test.each<[Mapping, object | undefined]>([
  [{ rules: [OWN_DOMAIN] }, undefined],
  [{ rules: [{ scopes: ['example.org'] }] }, undefined],
  [
    { groups: { from: ['email'] }, rules: [STAFF] },
    { ...NOTHING, received: 1, unmatched: 1 },
  ],
  [ABSENT, NOTHING],
])('the trace has the groups where they count: %j', (mapping, groups) => {
  expect(openId(mapping).trace.groups).toStrictEqual(groups);
});

describe('a rule that names its sources', () => {
  test.each<[Rule, Claims, Reason]>([
    [{ any_group: ['a'] }, { groups: ['a'] }, 'authorized'],
    [{ any_group: ['a'], from: ['roles'] }, { roles: ['a'] }, 'authorized'],
    [{ any_group: ['a'], from: ['roles'] }, { roles: ['b'], groups: ['a'] }, 'rule_refused'],
    [{ any_group: ['a'], from: ['roles'] }, { roles: ['a'], hasgroups: true }, 'authorized'],
    [{ no_group: ['x'], from: ['roles'] }, { roles: ['a'], groups: ['x'] }, 'authorized'],
  ])('%j with %j: %s', (rule, claims, reason) => {
    const groups = { from: ['roles', 'groups'], unknown: 'none' as const };
    expect(openId({ groups, rules: [rule] }, claims).decision.reason).toBe(reason);
  });
});

const CURE = 'Correct the name in groups.from, or have the provider send it.';

test.each<[string[], Claims, string | undefined]>([
  [['groups'], { groups: ['b'] }, undefined],
  [['groups'], { groups: ['a'] }, undefined],
  [['teams', 'groups'], { groups: ['b'] }, `Did not arrive: teams. ${CURE}`],
  [['group'], { groups: ['a'] }, `Did not arrive: group (similar name that arrived: groups). ${CURE}`],
])('a rule that wants a group of %j in %j tells which source is absent', (from, claims, note) => {
  expect(openId({ groups: { from }, rules: [{ any_group: ['a'] }] }, claims).trace.groups?.note).toBe(note);
});

test('a mapping of rules only gives nobody a group', () => {
  const { response } = openId({ rules: [STAFF] }, { groups: ['staff'] });
  expect(response).toMatchObject({ type: 'AuthorizedUserResponse', user_group_uuids: [] });
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
