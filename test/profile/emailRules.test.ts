/** The rules on addresses, and that every rule and source on the address judges the one that leaves. */
import { expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { attribute as sent } from '../support/wire.ts';
import { type Claims, openId, type Reason, type Rule, saml, withSettings } from './decided.ts';

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
  ['the first of a list', { rules: [{ claim: 'email', is: [EVE] }] }, both, 'authorized'],
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
  [['groups', 'email'], { any_group: [EVE] }, [EVE, ADA], 'authorized'],
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
