/** The rule about a claim or an attribute: which values it wants, which it denies, and what it says where none arrived. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { openIdEvent, attribute as sent } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

type Rule = NonNullable<Mapping['rules']>[number];
type Claims = Record<string, unknown>;
type Value = string | number | boolean | { prefix: string } | { suffix: string };

const ADDRESS = 'ada@example.org';
const is = (...values: Value[]): Rule => ({ claim: 'unit', is: values });
const isNot = (...values: Value[]): Rule => ({ claim: 'unit', is_not: values });
const present: Rule = { claim: 'unit', present: true };

const reasonOf = (rule: Rule, claims: Claims) => openId({ rules: [rule] }, claims).decision.reason;

test.each<[Rule, Claims]>([
  [is('physics'), { unit: 'physics' }],
  [is('physics'), { unit: ' physics\n' }],
  [is('maths', 'physics'), { unit: ['chemistry', 'physics'] }],
  [is(7), { unit: 7 }],
  [is(-0), { unit: 0 }],
  [is(false), { unit: [false] }],
  [is({ prefix: 'eng-' }), { unit: 'eng-social' }],
  [is({ prefix: 'eng-' }), { unit: 'eng-' }],
  [is({ suffix: '@uni.example' }), { unit: ['x', 'ada@uni.example'] }],
  [is({ suffix: '#EXT#@uni.example' }), { unit: 'ada_gmail.com#EXT#@uni.example' }],
  [is(7, { suffix: 'b' }, { prefix: 'a' }), { unit: 'ax' }],
  [{ claim: 'a.b', is: ['x'] }, { a: { b: 'x' } }],
  [
    { claim: 'a.b', is: ['x'] },
    { a: { b: 'y' }, 'a.b': 'x' },
  ],
  [present, { unit: 'physics' }],
  [present, { unit: false }],
  [present, { unit: 0 }],
  [present, { unit: ['', 'x'] }],
  [present, { unit: { of: ['x'] } }],
  [present, { unit: 'é' }],
])('%j allows %j', (rule, claims) => {
  expect(reasonOf(rule, claims)).toBe('authorized');
});

test.each<[Rule, Claims]>([
  [is('physics'), {}],
  [is('physics'), { Unit: 'physics' }],
  [is('physics'), { unit: null }],
  [is('physics'), { unit: 'Physics' }],
  [is('physics'), { unit: 'astrophysics' }],
  [is('physics'), { unit: { physics: true } }],
  [is('physics'), { unit: [['physics']] }],
  [is('7', 'true'), { unit: [7, true] }],
  [is(7, true), { unit: ['7', 'true', 1] }],
  [is('x'), { unit: 'xx' }],
  [is({ prefix: 'eng-' }), { unit: ['ENG-a', 'xeng-', 7] }],
  [is({ suffix: '-a' }), { unit: ['a-A', '-ax'] }],
  [is({ suffix: '@uni.example' }), { unit: 'ada_gmail.com#EXT#@uni.example' }],
  [
    { claim: 'a.b', is: ['x'] },
    { a: { b: 'x' }, 'a.b': 'y' },
  ],
  [{ claim: 'toString', present: true }, {}],
  [present, {}],
  [present, { unit: ' ' }],
  [present, { unit: '\u200b\u3164\u00ad' }],
  [present, { unit: [] }],
  [present, { unit: ['', null, [' '], {}] }],
  [present, { unit: { of: '' } }],
])('%j refuses %j', (rule, claims) => {
  const { decision, response } = openId({ rules: [rule] }, claims);
  expect([decision.reason, response.type]).toEqual(['rule_refused', 'ForbiddenResponse']);
});

const unlessAbsent = (...values: Value[]): Rule => ({ claim: 'unit', is_not: values, absent: 'allow' });

describe('a rule that denies values', () => {
  test.each<[Rule, Claims, string]>([
    [isNot('TRUE', true), { unit: 'FALSE' }, 'authorized'],
    [isNot('TRUE', true), { unit: [false, 'no', 0] }, 'authorized'],
    [isNot('TRUE'), { unit: true }, 'authorized'],
    [isNot('1'), { unit: 1 }, 'authorized'],
    [isNot('student'), { unit: 'students' }, 'authorized'],
    [isNot('student'), { unit: 'a student of arts' }, 'authorized'],
    [isNot({ prefix: 'ex-' }), { unit: 'an ex-member' }, 'authorized'],
    [isNot('x'), { 'unit.a': 'x', unit: 'y' }, 'authorized'],
    [unlessAbsent('x'), {}, 'authorized'],
    [unlessAbsent('x'), { unit: '' }, 'authorized'],
    [unlessAbsent('x'), { unit: [] }, 'authorized'],

    [isNot('TRUE', true), { unit: 'TRUE' }, 'rule_refused'],
    [isNot('TRUE', true), { unit: true }, 'rule_refused'],
    [isNot('TRUE', true), { unit: ['x', true] }, 'rule_refused'],
    [isNot('TRUE'), { unit: ' true ' }, 'rule_refused'],
    [isNot('TRUE'), { unit: 'ＴＲＵＥ' }, 'rule_refused'],
    [isNot('Sperre  A'), { unit: 'sperre a' }, 'rule_refused'],
    [isNot({ prefix: 'ex-' }), { unit: ['x', 'Ex-member'] }, 'rule_refused'],
    [isNot({ suffix: '-closed' }), { unit: 'account-CLOSED' }, 'rule_refused'],
    [isNot(7), { unit: [6, 7] }, 'rule_refused'],
    [isNot('x'), { unit: [['y'], 'x'] }, 'rule_refused'],
    [{ claim: 'a.b', is_not: ['x'] }, { 'a.b': 'y', a: { b: 'x' } }, 'rule_refused'],
    [unlessAbsent('x'), { unit: 'x' }, 'rule_refused'],

    [isNot('x'), {}, 'claim_unknown'],
    [isNot('x'), { unit: null }, 'claim_unknown'],
    [isNot('x'), { unit: ' ' }, 'claim_unknown'],
    [isNot('x'), { unit: [] }, 'claim_unknown'],
    [isNot('x'), { units: 'y' }, 'claim_unknown'],
    [isNot('x'), { unit: { is: 'x' } }, 'claim_unknown'],
    [isNot('x'), { unit: ['y', ['x']] }, 'claim_unknown'],
    [isNot('x'), { unit: ['y', null] }, 'claim_unknown'],
    [isNot('x'), { unit: 'y'.repeat(8_193) }, 'claim_unknown'],
    [isNot('x'), { unit: 'y, X' }, 'claim_unknown'],
    [isNot('x'), { unit: "'xa,y" }, 'authorized'],
    [isNot('x'), { unit: "ax',y" }, 'authorized'],
    [isNot('x'), { unit: [...Array(48).fill('y'.repeat(8_192)), 'y'.repeat(2_784)] }, 'authorized'],
    [isNot('campusaxe'), { unit: 'CAMPUS\\axe' }, 'authorized'],
    [isNot('x'), { unit: [7, ...Array(49).fill('y'.repeat(8_192))] }, 'claim_unknown'],
    [isNot('x'), { unit: 'y@y.example,'.repeat(100) }, 'authorized'],
    [isNot('x'), { unit: 'y@y.example,'.repeat(101) }, 'claim_unknown'],
    [{ claim: 'a.b.c.d.e.f.g.h.i.j', is_not: ['x'] }, { 'a.b.c.d.e.f.g.h.i': { j: 'x' } }, 'rule_refused'],
    [
      { claim: 'a.b.c.d.e.f.g.h.i.j.k', is_not: ['x'] },
      { a: { 'b.c.d.e.f.g.h.i.j.k': 'x' } },
      'claim_unknown',
    ],
    [{ claim: 'a.b.c.d.e.f.g.h.i.j.k', is_not: ['x'] }, { 'a.b.c.d.e.f.g.h.i.j.k': 'x' }, 'rule_refused'],
    [isNot('x'), { unit: 'y\u2028x' }, 'claim_unknown'],
    [isNot('x'), { unit: 'y，x' }, 'claim_unknown'],
    [isNot('x'), { unit: '["a",1,"\\u0078"]' }, 'claim_unknown'],
    [isNot('x/y'), { unit: '[1,"x\\/y"]' }, 'claim_unknown'],
    [isNot('x'), { unit: 'y\\nx' }, 'claim_unknown'],
    [isNot('suspended'), { unit: '\\73uspended' }, 'claim_unknown'],
    [isNot('y'), { unit: `${'\\CC\\81\\CC\\A7'.repeat(16)}` }, 'claim_unknown'],
    [isNot('Doe, Jane'), { unit: 'x;doe, jane' }, 'claim_unknown'],
    [isNot('Doe, Jane'), { unit: 'x;Doe, Janet' }, 'authorized'],
    [isNot({ prefix: 'a;b' }), { unit: 'x,a;bc' }, 'claim_unknown'],
    [isNot({ suffix: 'a;b' }), { unit: "xa;b' ,y" }, 'claim_unknown'],
    [isNot({ suffix: 'b' }), { unit: 'ab c' }, 'authorized'],
    [isNot('ada@MÜNCHEN.example'), { unit: 'Ada@xn--mnchen-3ya.example.' }, 'rule_refused'],
    [isNot('ada@xn--mnchen-3ya.example'), { unit: 'x, ada@münchen.example, y' }, 'claim_unknown'],
    [isNot({ prefix: 'ada@mün' }), { unit: 'ada@münchen.example' }, 'rule_refused'],
    [isNot({ suffix: '@münchen.example' }), { unit: 'ada@xn--mnchen-3ya.example' }, 'rule_refused'],
    [{ claim: 'a.b', is_not: ['x'], absent: 'allow' }, { a: 'x' }, 'claim_unknown'],
    [{ claim: 'a.b', is_not: ['x'], absent: 'allow' }, { a: { c: 'x' } }, 'authorized'],
    [{ claim: 'unit', is_not: ['x'], absent: 'allow' }, { unit: true }, 'authorized'],
    [isNot('x'), { unit: 'y', _claim_names: { unit: 'src1' } }, 'claim_unknown'],
    [unlessAbsent('x'), { 'unit:src1': 'https://x.example' }, 'claim_unknown'],
    [{ claim: 'a.b', is_not: ['x'] }, { a: [{ b: 'y' }, { c: 'x' }] }, 'claim_unknown'],
    [{ claim: 'a.b', is_not: ['x'], absent: 'allow' }, { a: [[{ b: 'x' }]] }, 'claim_unknown'],
    [{ claim: 'a.b', is_not: ['x'] }, { a: [{ b: 'y' }, { b: 'z' }] }, 'authorized'],
    [isNot('x'), { unit: "['y', 'x']" }, 'claim_unknown'],
    [isNot('x'), { unit: '["y","x"]' }, 'claim_unknown'],
    [isNot({ prefix: 'ex-' }), { unit: 'y;ex-member' }, 'claim_unknown'],
    [isNot('x'), { unit: 'y|x\tz' }, 'claim_unknown'],
    [isNot('x'), { unit: ["y'x'"] }, 'authorized'],
    [unlessAbsent('x'), { unit: {} }, 'claim_unknown'],
    [unlessAbsent('x'), { _claim_names: { unit: 'src1' } }, 'claim_unknown'],
    [unlessAbsent('x'), { _claim_names: { other: 'src1' } }, 'authorized'],
    [unlessAbsent('x'), { _claim_names: 'src1' }, 'claim_unknown'],
  ])('%j with %j: %s', (rule, claims, reason) => {
    expect(reasonOf(rule, claims)).toBe(reason);
  });

  test.each<[Rule, string, string]>([
    [isNot('x'), 'ErrorResponse', 'Your identity provider did not say whether your account may log in here.'],
    [
      { claim: 'email', is_not: [ADDRESS] },
      'ForbiddenResponse',
      'You are not allowed to log in here. If you',
    ],
  ])('%j speaks to the person', (rule, type, message) => {
    const { response } = openId({ rules: [rule] });
    expect(response).toMatchObject({ type, message: expect.stringContaining(message) });
  });
});

const OID = 'urn:oid:2.16.840.1.113730.3.1.2';
const number: Rule = { attribute: 'departmentNumber', is: ['7'] };
const notSeven: Rule = { attribute: 'departmentNumber', is_not: ['7'] };
const team: Rule = { attribute: 'team', present: true };

test.each<[string, Rule, ReturnType<typeof sent>[], string]>([
  ['its name', number, [sent('departmentNumber', '7')], 'authorized'],
  ['its name in another case', number, [sent('DEPARTMENTNUMBER', ' 7 ')], 'authorized'],
  ['its OID', number, [sent(OID, '7', 'departmentNumber')], 'authorized'],
  ['its other name', { attribute: OID, is: ['7'] }, [sent('departmentNumber', '7')], 'rule_refused'],
  ['one of several values', number, [sent(OID, '8'), sent(OID, '7')], 'authorized'],
  ['its FriendlyName alone', number, [sent('urn:x', '7', 'departmentNumber')], 'rule_refused'],
  ['values joined into one text', number, [sent(OID, '78')], 'rule_refused'],
  ['a beginning', { attribute: 'team', is: [{ prefix: 'a-' }] }, [sent('team', 'a-b')], 'authorized'],
  ['a blank value', team, [sent('team', ' ')], 'rule_refused'],
  ['any value', team, [sent('team', 'x')], 'authorized'],
  ['another value than a denied one', notSeven, [sent(OID, '8')], 'authorized'],
  ['a denied value', notSeven, [sent(OID, '8'), sent(OID, '7')], 'rule_refused'],
  [
    'a denied value under another name',
    notSeven,
    [sent('departmentNumber', '8'), sent(OID, '7')],
    'rule_refused',
  ],
  [
    'a denied value by FriendlyName',
    notSeven,
    [sent(OID, '8'), sent('x', '7', 'departmentNumber')],
    'rule_refused',
  ],
  ['FriendlyName alone', notSeven, [sent('urn:x', '8', 'departmentNumber')], 'claim_unknown'],
  ['a denied value joined with another', notSeven, [sent(OID, '87')], 'claim_unknown'],
  ['no value where one is denied', notSeven, [], 'claim_unknown'],
])('an attribute by %s', (_, rule, attributes, reason) => {
  expect(saml({ rules: [rule] }, attributes).decision.reason).toBe(reason);
});

const CURE = 'Correct the name, or have the provider send it.';

test.each<[Rule, Claims, unknown]>([
  [is('physics'), { dept: 'physics' }, `Did not arrive: unit. ${CURE}`],
  [is('physics'), { units: 'x' }, `Did not arrive: unit (similar name that arrived: units). ${CURE}`],
  [
    isNot('physics'),
    {},
    `Did not arrive: unit. ${CURE} If the provider leaves it out for people who may log in, write absent: 'allow'.`,
  ],
  [is('physics'), { unit: [] }, 'unit arrived without a value: have the provider send one.'],
  [isNot('physics'), { unit: ' ' }, 'unit arrived without a value: have the provider send one.'],
  [
    isNot('physics'),
    { unit: {} },
    expect.stringContaining('unit arrived in a form that may hide a denied value'),
  ],
  [isNot('physics'), { unit: 'physics' }, undefined],
  [is('physics'), { unit: 'chemistry' }, undefined],
  [
    is('physics', 7),
    { unit: [7.5, 'physicsmaths'] },
    expect.stringMatching(/Values compare whole.*one item of a list, for each\.$/),
  ],
  [is(7, { prefix: 'a' }), { unit: 'ba7' }, undefined],
  [
    is({ prefix: 'Eng-' }, { suffix: 'x' }),
    { unit: 'eng-a' },
    expect.stringContaining('Nearly arrived: Eng- (other capitals).'),
  ],
])('%j with %j: the trace tells why', (rule, claims, note) => {
  const { trace } = openId({ rules: [{ email_domains: ['example.org'] }, rule] }, claims);
  expect([trace.rule, trace.note, trace.groups]).toEqual(['rules[1].claim', note, undefined]);
});

test.each([number, notSeven])('%j: the trace says that only the FriendlyName arrived', (rule) => {
  const { trace } = saml({ rules: [rule] }, [sent('urn:x', '8', 'departmentNumber')]);
  expect(trace.note).toMatch(
    /^departmentNumber arrived as a FriendlyName only, which identifies no attribute: write urn:x in the rule\.$/,
  );
});

test('a mapping with groups tells it beside the rule', () => {
  const { trace } = openId({ groups: { from: ['groups'] }, rules: [is('physics')] }, { groups: ['a'] });
  expect([trace.note, trace.groups?.note]).toEqual([expect.stringContaining('Did not arrive'), undefined]);
});

test('a login that is allowed has no note', () => {
  expect(openId({ rules: [is('physics')] }, { unit: 'physics' }).trace).not.toHaveProperty('note');
});

describe('the claims for which the event has fields of its own', () => {
  const { iss, sub, aud, exp, iat, nonce } = openIdEvent().idToken;
  const repeated = { iss, sub, aud, exp, iat, nonce };

  test.each<[Rule, string]>([
    [{ claim: 'sub', is: [sub] }, 'authorized'],
    [{ claim: 'sub', is: ['another'] }, 'rule_refused'],
    [{ claim: 'sub', is_not: [sub] }, 'rule_refused'],
    [{ claim: 'iss', is: [iss] }, 'authorized'],
    [{ claim: 'aud', is: aud }, 'authorized'],
    [{ claim: 'exp', present: true }, 'authorized'],
    [{ claim: 'iat', is: [iat] }, 'authorized'],
    [{ claim: 'nonce', is: ['x'] }, 'rule_refused'],
  ])('%j: %s, whether they are repeated or not', (rule, reason) => {
    expect([{}, repeated, { sub: 'x', nonce: 'x' }].map((claims) => reasonOf(rule, claims))).toEqual([
      reason,
      reason,
      reason,
    ]);
  });

  test.each([{}, repeated])('are fields too, with %j', (claims) => {
    const external_id = { from: ['sub'], issuer: false };
    const mapping: Mapping = { external_id, affiliation: ['aud'], groups: { from: ['aud'] } };
    const { response, trace } = openId(mapping, claims);
    expect(response).toMatchObject({ external_id: sub, affiliation: aud[0] });
    expect(trace.groups?.received).toBe(aud.length);
  });
});

test('what is denied as a number is no text', () => {
  expect(reasonOf(isNot(7), { unit: 'undefined' })).toBe('authorized');
});

test.each(['annmallorybob', 'ann\\u006dallorybob'])(
  'a denied value glued to others is not overlooked: %s',
  (value) => {
    const { decision } = saml({ rules: [{ attribute: 'unit', is_not: ['eve', 'mallory'] }] }, [
      sent('unit', value),
    ]);
    expect(decision.reason).toBe('claim_unknown');
  },
);

test('the notes on a form that may hide a value, and on one of several that may be joined', () => {
  const noteOf = (rule: Rule, claims: Claims) => openId({ rules: [rule] }, claims).trace.note;
  expect(noteOf(isNot('x'), { unit: [{ a: 1 }] })).toContain('or list the allowed values by is.');
  const joined = noteOf(is('staff', 'labs'), { unit: ['x, staff', 'Labs'] });
  expect(joined).toMatch(/^A text contains a wanted value .* Nearly arrived: /);
});
