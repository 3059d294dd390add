/** The rule about a claim or an attribute: which values it wants, which it denies, and what it says where none arrived. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { openIdEvent, attribute as sent } from '../support/wire.ts';
import { type Claims, openId, type Reason, type Rule, saml } from './decided.ts';

type Value = string | number | boolean | { prefix: string } | { suffix: string };

const is = (...values: Value[]): Rule => ({ claim: 'unit', is: values });
const isNot = (...values: Value[]): Rule => ({ claim: 'unit', is_not: values });
const unlessAbsent = (...values: Value[]): Rule => ({ claim: 'unit', is_not: values, absent: 'allow' });
const present: Rule = { claim: 'unit', present: true };

const of = (rule: Rule, claims: Claims) => openId({ rules: [rule] }, claims);

/** Of each value of the claim the same comes. A failure shows of which it does not. */
function expectOfEach(rule: Rule, reason: Reason, units: readonly unknown[]): void {
  const found = units.map((unit) => [unit, of(rule, { unit }).decision.reason]);
  expect(found).toEqual(units.map((unit) => [unit, reason]));
}

test.each<[Rule, units: unknown[]]>([
  [is('maths', 'physics'), [' physics\n', ['chemistry', 'physics']]],
  [is({ prefix: 'eng-' }), ['eng-social', 'eng-']],
  [is({ suffix: '@uni.example' }), [['x', 'ada@uni.example']]],
  [is({ suffix: '#EXT#@uni.example' }), ['ada_gmail.com#EXT#@uni.example']],
  [is(7, { suffix: 'b' }, { prefix: 'a' }), ['ax']],
  [present, [false, 0, ['', 'x'], { of: ['x'] }, 'é']],
])('%j allows %j', (rule, units) => {
  expectOfEach(rule, 'authorized', units);
});

test.each<[Rule, units: unknown[]]>([
  [is('physics'), [undefined, null, 'Physics', 'astrophysics', { physics: true }, [['physics']]]],
  [is(7, true), [['7', 'true', 1]]],
  [is({ prefix: 'eng-' }), [['ENG-a', 'xeng-', 7]]],
  [is({ suffix: '-a' }), [['a-A', '-ax']]],
  [is({ suffix: '@uni.example' }), ['ada_gmail.com#EXT#@uni.example']],
  [{ claim: 'toString', present: true }, [undefined]],
  [present, [undefined, '\u200b\u3164\u00ad', ['', null, [' '], {}], { of: '' }]],
])('%j refuses %j', (rule, units) => {
  expectOfEach(rule, 'rule_refused', units);
});

test.each<[Claims, Reason]>([
  [{ a: { b: 'x' } }, 'authorized'],
  [{ a: { b: 'x' }, 'a.b': 'y' }, 'rule_refused'],
])('a claim of the whole name goes before a nested one: %j: %s', (claims, reason) => {
  expect(of({ claim: 'a.b', is: ['x'] }, claims).decision.reason).toBe(reason);
});

describe('a rule that denies values', () => {
  const LONG = 'y'.repeat(8_192);
  const ADDRESSES = 'y@y.example,'.repeat(100);
  const MARKS = '%CC%81%CC%A7'.repeat(16);

  test.each<[Rule, Reason, units: unknown[]]>([
    [isNot('TRUE', true), 'authorized', [[false, 'no', 0]]],
    [isNot('TRUE', '1'), 'authorized', [true, 1]],
    [isNot(7), 'authorized', ['undefined']],
    [isNot('student'), 'authorized', ['a student of arts']],
    [isNot({ prefix: 'ex-' }, { suffix: 'b' }), 'authorized', ['an ex-member', 'ab c']],
    [isNot('x'), 'authorized', ["'xa,y", "ax',y", ["y'x'"], ADDRESSES]],
    [isNot('x'), 'authorized', [[...Array(48).fill(LONG), 'y'.repeat(2_784)]]],
    [isNot('Doe, Jane', 'campusaxe', 'C++'), 'authorized', ['x;Doe, Janet', 'CAMPUS\\axe', 'C']],
    [unlessAbsent('x'), 'authorized', [undefined, '', [], true]],

    [isNot('TRUE', true), 'rule_refused', [['x', true], ' true ', 'ＴＲＵＥ']],
    [isNot('Sperre  A', { prefix: 'ex-' }), 'rule_refused', ['sperre a', ['x', 'Ex-member']]],
    [isNot({ suffix: '-closed' }), 'rule_refused', ['account-CLOSED']],
    [isNot('ada@MÜNCHEN.example'), 'rule_refused', ['Ada@xn--mnchen-3ya.example.']],

    [isNot('x'), 'claim_unknown', [undefined, null, ' ', [], { is: 'x' }, ['y', ['x']], ['y', null]]],
    [isNot('x'), 'claim_unknown', [`${LONG}y`, [7, ...Array(49).fill(LONG)], `${ADDRESSES}y@y.example,`]],
    [isNot('x'), 'claim_unknown', ['y, X', 'y，x', 'y\u2028x', "['y', 'x']", '["a",1,"\\u0078"]', 'y\\nx']],
    // Percent escapes, once, and a plus for a blank.
    [isNot('suspended'), 'claim_unknown', ['%5Bactive%2C+suspended%5D', '%73uspended']],
    [isNot('suspended'), 'claim_unknown', [['y', 'suspended%20'], '%2573uspended', '100%ff', MARKS]],
    [isNot('suspended'), 'authorized', ['f%C3%BCr+100%', 'not+suspended']],
    [isNot('Doe, Jane', { prefix: 'ex-' }), 'claim_unknown', ['x;doe, jane', 'y;ex-member']],
    [isNot({ suffix: 'a;b' }), 'claim_unknown', ["xa;b' ,y"]],
  ])('%j: %s: %j', expectOfEach);

  const nested = (claim: string, absent = {}): Rule => ({ claim, is_not: ['x'], ...absent });
  const allow = { absent: 'allow' };

  test.each<[Rule, Claims, Reason]>([
    [nested('a.b'), { 'a.b': 'y', a: { b: 'x' } }, 'rule_refused'],
    [nested('a.b'), { a: [{ b: 'y' }, { c: 'x' }] }, 'claim_unknown'],
    [nested('a.b', allow), { a: 'x' }, 'claim_unknown'],
    [unlessAbsent('x'), { Unit: 'x' }, 'claim_unknown'],
    [nested('a.b.c.d.e.f.g.h.i.j'), { 'a.b.c.d.e.f.g.h.i': { j: 'x' } }, 'rule_refused'],
    [nested('a.b.c.d.e.f.g.h.i.j.k'), { a: { 'b.c.d.e.f.g.h.i.j.k': 'x' } }, 'claim_unknown'],
    // Claims that are elsewhere.
    [isNot('x'), { unit: 'y', _claim_names: { unit: 'src1' } }, 'claim_unknown'],
    // Blank, and in other capitals or one level deeper.
    [unlessAbsent('x'), { unit: ' ', Unit: 'x' }, 'claim_unknown'],
    [unlessAbsent('x'), { unit: [], a: { unit: 'x' } }, 'claim_unknown'],
    [unlessAbsent('x'), { _claim_names: 'src1' }, 'claim_unknown'],
  ])('%j of the claims %j: %s', (rule, claims, reason) => {
    expect(of(rule, claims).decision.reason).toBe(reason);
  });
});

describe('an attribute', () => {
  const OID = 'urn:oid:2.16.840.1.113730.3.1.2';
  const NAME = 'departmentNumber';
  const mayBeAbsent: Rule = { attribute: NAME, is_not: ['7'], absent: 'allow' };
  const notSeven: Rule = { attribute: NAME, is_not: ['7'] };
  const notEve: Rule = { attribute: 'unit', is_not: ['eve', 'mallory'] };

  test.each<[string, Rule, ReturnType<typeof sent>[], Reason]>([
    ['its other name', { attribute: OID, is: ['7'] }, [sent(NAME, '7')], 'rule_refused'],
    ['another value than a denied one', notSeven, [sent(OID, '8')], 'authorized'],
    ['one under another name', notSeven, [sent(NAME, '8'), sent(OID, '7')], 'rule_refused'],
    ['one by FriendlyName', notSeven, [sent(OID, '8'), sent('x', '7', NAME)], 'rule_refused'],
    ['FriendlyName alone', notSeven, [sent('urn:x', '8', NAME)], 'claim_unknown'],
    ['a denied value joined with another', notSeven, [sent(OID, '87')], 'claim_unknown'],
    ['one glued to others', notEve, [sent('unit', 'annmallorybob')], 'claim_unknown'],
    ['one glued, and escaped', notEve, [sent('unit', 'ann\\u006dallorybob')], 'claim_unknown'],
    ['an escape of XML where a value is denied', notSeven, [sent(OID, '8&#55;')], 'claim_unknown'],
    ['a blank value that may be absent', mayBeAbsent, [sent('DEPARTMENTNUMBER', ' ')], 'authorized'],
  ])('by %s', (_, rule, attributes, reason) => {
    expect(saml({ rules: [rule] }, attributes).decision.reason).toBe(reason);
  });

  test('by FriendlyName alone has no value that is wanted, and the trace says so', () => {
    const { decision, trace } = saml({ rules: [{ attribute: NAME, is: ['7'] }] }, [sent('urn:x', '7', NAME)]);
    expect(decision.reason).toBe('rule_refused');
    expect(trace.note).toBe(
      'departmentNumber arrived as a FriendlyName only, which identifies no attribute: write urn:x in the mapping.',
    );
  });
});

describe('the trace tells why', () => {
  const CURE = 'Correct the name, or have the provider send it.';
  const ABSENT = "If the provider leaves it out for people who may log in, write absent: 'allow'.";
  const NO_VALUE = 'unit arrived without a value: have the provider send one.';
  const NEAR = expect.stringContaining('Nearly arrived: Eng- (other capitals).');
  const FORM = expect.stringMatching(
    /^unit arrived in a form that may hide a denied value.*allowed values by is\./,
  );
  const WHOLE = expect.stringMatching(/Values compare whole.*one item of a list, for each\.$/);
  const JOINED = expect.stringMatching(/^A text contains a wanted value .* Nearly arrived: /);

  test.each<[Rule, Claims, note: unknown]>([
    [is('physics'), { dept: 'physics' }, `Did not arrive: unit. ${CURE}`],
    [isNot('physics'), {}, `Did not arrive: unit. ${CURE} ${ABSENT}`],
    [unlessAbsent('x'), { Unit: 'y' }, `Did not arrive: unit (similar name that arrived: Unit). ${CURE}`],
    [is('physics'), { unit: [] }, NO_VALUE],
    [isNot('physics'), { unit: ' ' }, NO_VALUE],
    [isNot('physics'), { unit: [{ a: 1 }] }, FORM],
    [is('physics'), { unit: 'chemistry' }, undefined],
    [is('physics', 7), { unit: [7.5, 'physicsmaths'] }, WHOLE],
    [is('https://x.example'), { unit: 'https://x.example/low' }, undefined],
    [is('https://x.example'), { unit: 'https://x.example/lowhttps://x.example' }, WHOLE],
    [is('staff', 'labs'), { unit: ['x, staff', 'Labs'] }, JOINED],
    [is(7, { prefix: 'a' }), { unit: 'ba7' }, undefined],
    [is({ prefix: 'Eng-' }, { suffix: 'x' }), { unit: 'eng-a' }, NEAR],
  ])('%j with %j', (rule, claims, note) => {
    const { trace } = openId({ rules: [{ email_domains: ['example.org'] }, rule] }, claims);
    expect([trace.rule, trace.note, trace.groups]).toEqual(['rules[1].claim', note, undefined]);
  });

  test('beside groups, and not where somebody is let in', () => {
    const { trace } = openId({ groups: { from: ['groups'] }, rules: [is('physics')] }, { groups: ['a'] });
    expect([trace.note, trace.groups?.note]).toEqual([expect.stringContaining('Did not arrive'), undefined]);
    expect(of(is('physics'), { unit: 'physics' }).trace).not.toHaveProperty('note');
  });
});

describe('the claims for which the event has fields of its own', () => {
  const { iss, sub, aud, exp, iat, nonce } = openIdEvent().idToken;
  const repeated = { iss, sub, aud, exp, iat, nonce };

  test.each([{}, repeated, { sub: 'x', nonce: 'x' }])('are those of the event, with %j', (claims) => {
    expect(of({ claim: 'sub', is: [sub] }, claims).decision.reason).toBe('authorized');
  });

  test.each([{}, repeated])('are fields too, with %j', (claims) => {
    const external_id = { from: ['sub'], issuer: false };
    const mapping: Mapping = { external_id, affiliation: ['aud'], groups: { from: ['aud'] } };
    const { response, trace } = openId(mapping, claims);
    expect(response).toMatchObject({ external_id: sub, affiliation: aud[0] });
    expect(trace.groups?.received).toBe(aud.length);
  });
});
