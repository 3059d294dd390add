/** Rules: what their refusals say to the operator, at the usual level of the log. */
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { noteElsewhere } from '../../lib/openid/claims.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { openIdEvent } from '../support/wire.ts';
import { type Claims, openId, openIdHandler, type Reason, type Rule } from './decided.ts';

const [STAFF, OWN_DOMAIN] = [{ any_group: ['staff'] }, { email_domains: ['example.org'] }];

const from = ['groups'];
const CUT = { hasgroups: true };

test.each<[Mapping, Claims, Reason, rule: string | undefined]>([
  [{ rules: [OWN_DOMAIN, { email_domains: ['uni.example'] }] }, {}, 'rule_refused', 'rules[1].email_domains'],
  [{ rules: [OWN_DOMAIN, { scopes: ['uni.example'] }] }, {}, 'rule_refused', 'rules[1].scopes'],
  [{ groups: { from, unknown: 'none' }, rules: [STAFF] }, {}, 'rule_refused', 'rules[0].any_group'],
  // Groups that must be known refuse by no rule. Rules alone do not ask that they be known.
  [{ groups: { from }, rules: [STAFF] }, CUT, 'groups_unknown', undefined],
  [{ rules: [OWN_DOMAIN, STAFF] }, CUT, 'groups_unknown', 'rules[1].any_group'],
])('a refusal names its rule: %j with %j: %s by %s', (mapping, claims, reason, rule) => {
  const { decision, trace } = openId(mapping, claims);
  expect([decision.reason, trace.rule, 'rule' in trace]).toEqual([reason, rule, rule !== undefined]);
});

const NOTHING = { known: true, received: 0, mapped: 0, unmatched: 0 };
const ABSENT: Mapping = {
  groups: { from: ['groups'], absent: ['groups'] },
  rules: [{ no_group: ['staff'] }],
};

const OF_EMAIL: Mapping = { groups: { from: ['email'] }, rules: [STAFF] };

test.each<[Mapping, object | undefined]>([
  [{ rules: [OWN_DOMAIN] }, undefined],
  [{ rules: [{ scopes: ['example.org'] }] }, undefined],
  [OF_EMAIL, { ...NOTHING, received: 1, unmatched: 1 }],
  [ABSENT, NOTHING],
])('the trace has the groups where they count: %j', (mapping, groups) => {
  expect(openId(mapping).trace.groups).toStrictEqual(groups);
});

test.each<[Rule, Claims, Reason]>([
  [{ any_group: ['a'] }, { groups: ['a'] }, 'authorized'],
  [{ any_group: ['a'], from: ['roles'] }, { roles: ['a'] }, 'authorized'],
  [{ any_group: ['a'], from: ['roles'] }, { roles: ['b'], groups: ['a'] }, 'rule_refused'],
  [{ any_group: ['a'], from: ['roles'] }, { roles: ['a'], hasgroups: true }, 'authorized'],
  [{ no_group: ['x'], from: ['roles'] }, { roles: ['a'], groups: ['x'] }, 'authorized'],
])('a rule looks at the sources that it names: %j with %j: %s', (rule, claims, reason) => {
  const groups = { from: ['roles', 'groups'], unknown: 'none' as const };
  expect(openId({ groups, rules: [rule] }, claims).decision.reason).toBe(reason);
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
