/** Rules: what they look at, what their refusals say to the operator, and that all on addresses judge the one that leaves. */
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import { namesOf } from '../../lib/profile/fields/reader.ts';
import { type RuleReads, readsOf } from '../../lib/profile/rules/rules.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import type { Rule as ParsedRule } from '../../lib/profile/schema/ruleSchema.ts';
import { openIdEvent, attribute as sent } from '../support/wire.ts';
import { type Claims, openId, openIdHandler, type Reason, type Rule, saml, withSettings } from './decided.ts';

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
  const mapping = { groups: { from: ['group', 'groups'] }, rules: [{ any_group: ['a'] }] };
  expect(openId(mapping, { groups: ['b'] }).trace.groups?.note).toBe(
    'Did not arrive: group. Correct the name in groups.from, or have the provider send it.',
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

test.each<[listed: string[], address: string, boolean]>([
  [['x@example.edu', 'Ada@Example.edu'], 'ADA@example.EDU', true],
  [['ada@example.edu'], 'eve@example.edu', false],
  [['ada@example.edu'], 'ada@example.edu.evil.example', false],
])('%j allows %s: %p', (emails, email, isAllowed) => {
  const { decision } = openId({ rules: [{ emails }] }, { email });
  expect(decision.reason).toBe(isAllowed ? 'authorized' : 'rule_refused');
});

test('a person without an address is on no list', () => {
  const { trace } = openId({ email: ['none'], rules: [{ emails: ['ada@example.edu'] }] });
  expect(trace.rule).toBeUndefined();
});

const EVE = 'eve@evil.example';
const ADA = 'ada@example.com';

const both = { email: [EVE, ADA], email_verified: true };

test.each<[string, Mapping, Claims, Reason]>([
  ['the first of a list', { rules: [{ claim: 'email', is: [ADA] }] }, both, 'rule_refused'],
  ['the first that a rule on addresses allows', { rules: [{ emails: [ADA] }] }, both, 'authorized'],
  ['no scope of another', { rules: [{ scopes: ['example.com'], from: ['email'] }] }, both, 'rule_refused'],
  ['a claim that is not it', { rules: [{ claim: 'Email', is: [ADA] }] }, { Email: [EVE, ADA] }, 'authorized'],
  ['a denied one', { rules: [{ claim: 'email', is_not: [ADA] }] }, both, 'rule_refused'],
  ['no NameID', { email: [NAME_ID, DEFAULTS], rules: [{ emails: [EVE] }] }, both, 'authorized'],
])('the address that leaves is judged: %s, by %j: %j: %s', (_, mapping, claims, reason) => {
  expect(openId(mapping, claims).decision.reason).toBe(reason);
});

test.each<[from: string[], Rule, email: unknown, Reason]>([
  [['groups', 'email'], { any_group: [ADA] }, [EVE, ADA], 'rule_refused'],
  [['email'], { no_group: [ADA] }, [EVE, ADA], 'rule_refused'],
  [['email'], { no_group: ['exam'] }, ` ${ADA} `, 'authorized'],
])('the address that leaves is a group: of %j, by %j, %j: %s', (from, rule, email, reason) => {
  const groups = { from, ...(Array.isArray(email) && { separator: 'none' }) };
  expect(openId({ groups, rules: [rule] }, { email, email_verified: true }).decision.reason).toBe(reason);
});

test('a person without an address is in no group of its claim', () => {
  const mapping: Mapping = { groups: { from: ['email'], separator: 'none' }, rules: [{ no_group: [ADA] }] };
  withSettings('OpenID', { requiredFields: [] }, () => {
    expect(openId(mapping, { email: ' ' }).decision.reason).toBe('authorized');
  });
});

const OID = 'urn:oid:0.9.2342.19200300.100.1.3';
const MACE = 'urn:mace:dir:attribute-def:mail';

test.each<[email: Mapping['email'], Rule, ReturnType<typeof sent>[], Reason]>([
  [['mail'], { attribute: MACE, is: [ADA] }, [sent(OID, EVE), sent(MACE, ADA)], 'rule_refused'],
  [['own'], { attribute: 'OWN', is: [ADA] }, [sent('own', EVE), sent('own', ADA)], 'rule_refused'],
])('an attribute of the address %j under any name: %j', (email, rule, attributes, reason) => {
  expect(saml({ email, rules: [rule] }, attributes).decision.reason).toBe(reason);
});

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

test.each<[string, Mapping['email'], nameId: string, Reason, format: string | null]>([
  ['the one that leaves', [NAME_ID, 'mail'], ` ${ADA} `, 'authorized', null],
  ['another one than the one that leaves', ['mail', NAME_ID], ADA, 'groups_unknown', null],
  ['no address', ['mail'], ADA, 'authorized', EMAIL_FORMAT],
  ['no address by its format', ['mail', DEFAULTS], ADA, 'authorized', null],
  ['another one by its format', ['mail', DEFAULTS], ADA, 'groups_unknown', EMAIL_FORMAT],
])('a NameID that is %s, as a group, for addresses from %j', (_, email, nameId, reason, format) => {
  const rules: Rule[] = [{ no_group: ['x@x.example'] }, { any_group: [ADA] }];
  const mapping: Mapping = { email, groups: { from: [NAME_ID], separator: 'none' }, rules };
  expect(saml(mapping, [sent('mail', EVE)], nameId, format).decision.reason).toBe(reason);
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
