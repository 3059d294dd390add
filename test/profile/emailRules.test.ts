/** The rules on addresses, and that every rule and source on the address judges the one that leaves. */
import { expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import type { Rule } from '../../lib/profile/schema/ruleSchema.ts';
import { attribute as sent } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

type Claims = Record<string, unknown>;

test.each<[object, string, boolean]>([
  [{ emails: ['ada@example.edu'] }, 'ada@example.edu', true],
  [{ emails: ['x@example.edu', 'Ada@Example.edu'] }, 'ADA@example.EDU', true],
  [{ emails: ['ada@example.edu'] }, 'eve@example.edu', false],
  [{ emails: ['ada@example.edu'] }, 'ada@cs.example.edu', false],
  [{ emails: ['ada@example.edu'] }, 'ada@example.edu.evil.example', false],
  [{ emails: ['ada@xn--mnchen-3ya.example'] }, 'ada@MÜNCHEN.example', true],
])('%j allows %s: %p', (rule, address, expected) => {
  const { decision } = openId({ rules: [rule as Rule] }, { email: address });
  expect(decision.reason).toBe(expected ? 'authorized' : 'rule_refused');
});

test('a person without an address is on no list', () => {
  const { trace } = openId({ email: ['none'], rules: [{ emails: ['ada@example.edu'] }] });
  expect(trace.rule).toBeUndefined();
});

const EVE = 'eve@evil.example';
const ADA = 'ada@example.com';
const both = { email: [EVE, ADA], email_verified: true };
const from = (...sources: string[]) => ({ groups: { from: sources, separator: 'none' } });

test.each<[string, Mapping, Claims, string]>([
  ['the first of a list', { rules: [{ claim: 'email', is: [ADA] }] }, both, 'rule_refused'],
  ['the first of a list', { rules: [{ claim: 'email', is: [EVE] }] }, both, 'authorized'],
  ['the first of a list', { rules: [{ emails: [ADA] }] }, { email: [EVE, EVE] }, 'rule_refused'],
  ['the first that a rule on addresses allows', { rules: [{ emails: [ADA] }] }, both, 'authorized'],
  [
    'of a claim that is not the address',
    { rules: [{ claim: 'Email', is: [ADA] }] },
    { Email: [EVE, ADA] },
    'authorized',
  ],
  ['and a denied one', { rules: [{ claim: 'email', is_not: [ADA] }] }, both, 'rule_refused'],
  [
    'where an ID token has no NameID',
    { email: [NAME_ID, DEFAULTS], rules: [{ emails: [EVE] }] },
    both,
    'authorized',
  ],
  ['as a group', { ...from('groups', 'email'), rules: [{ any_group: [ADA] }] }, both, 'rule_refused'],
  ['as a group', { ...from('groups', 'email'), rules: [{ any_group: [EVE] }] }, both, 'authorized'],
  ['as a denied group', { ...from('email'), rules: [{ no_group: [ADA] }] }, both, 'rule_refused'],
  [
    'as no denied group',
    { groups: { from: ['email'] }, rules: [{ no_group: ['exam'] }] },
    { email: ` ${ADA} ` },
    'authorized',
  ],
])('the address %s that leaves is judged: %j with %j', (_, mapping, claims, reason) => {
  expect(openId(mapping, claims).decision.reason).toBe(reason);
});

const OID = 'urn:oid:0.9.2342.19200300.100.1.3';
const MACE = 'urn:mace:dir:attribute-def:mail';
const ofSaml = (own: Mapping): Mapping => ({ email: ['mail'], ...own });

test.each<[Mapping, ReturnType<typeof sent>[], string]>([
  [
    ofSaml({ rules: [{ attribute: 'mail', is: [ADA] }] }),
    [sent('mail', EVE), sent('mail', ADA)],
    'rule_refused',
  ],
  [ofSaml({ rules: [{ attribute: MACE, is: [ADA] }] }), [sent(OID, EVE), sent(MACE, ADA)], 'rule_refused'],
  [
    ofSaml({ rules: [{ attribute: 'MAIL', is: [EVE] }] }),
    [sent('Mail', EVE), sent('mail', ADA)],
    'authorized',
  ],
  [
    { email: ['workMail'], rules: [{ attribute: 'WORKMAIL', is: [ADA] }] },
    [sent('workMail', EVE), sent('workMail', ADA)],
    'rule_refused',
  ],
  [
    { email: ['x', NAME_ID], rules: [{ attribute: MACE, is: [ADA] }] },
    [sent('x', EVE), sent(MACE, ADA)],
    'authorized',
  ],
])('an attribute of the address under any name: %j', (mapping, attributes, reason) => {
  expect(saml(mapping, attributes).decision.reason).toBe(reason);
});

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

test.each<[string, Mapping['email'], string, string, string | null]>([
  ['the one that leaves', [NAME_ID, 'mail'], ` ${ADA} `, 'authorized', null],
  ['another one than the one that leaves', ['mail', NAME_ID], ADA, 'groups_unknown', null],
  ['no address', ['mail'], ADA, 'authorized', EMAIL_FORMAT],
  ['no address by its format', ['mail', DEFAULTS], ADA, 'authorized', null],
  ['another one by its format', ['mail', DEFAULTS], ADA, 'groups_unknown', EMAIL_FORMAT],
])('a NameID that is %s, as a group, for addresses from %j', (_, email, nameId, reason, format) => {
  const rules = [{ no_group: ['x@x.example'] }, { any_group: [ADA] }] satisfies Mapping['rules'];
  const { decision } = saml(
    { email, groups: { from: [NAME_ID], separator: 'none' }, rules },
    [sent('mail', EVE)],
    nameId,
    format,
  );
  expect(decision.reason).toBe(reason);
});
