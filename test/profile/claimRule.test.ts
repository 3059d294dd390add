/** The rule about a claim or an attribute: values compare whole and with their types, and what is not there refuses. */
import { expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { attribute } from '../support/wire.ts';
import { openId, saml } from './decided.ts';

type Rule = NonNullable<Mapping['rules']>[number];
type Claims = Record<string, unknown>;

const is = (...values: (string | number | boolean)[]): Rule => ({ claim: 'department', is: values });
const present: Rule = { claim: 'department', present: true };

test.each<[Rule, Claims]>([
  [is('physics'), { department: 'physics' }],
  [is('maths', 'physics'), { department: ['chemistry', 'physics'] }],
  [is(7), { department: 7 }],
  [is(false), { department: [false] }],
  [{ claim: 'a.b', is: ['x'] }, { a: { b: 'x' } }],
  [
    { claim: 'a.b', is: ['x'] },
    { a: { b: 'y' }, 'a.b': 'x' },
  ],
  [present, { department: 'physics' }],
  [present, { department: false }],
  [present, { department: 0 }],
  [present, { department: ['', 'x'] }],
  [present, { department: { of: ['x'] } }],
])('%j allows %j', (rule, claims) => {
  expect(openId({ rules: [rule] }, claims).decision.reason).toBe('authorized');
});

test.each<[Rule, Claims]>([
  [is('physics'), {}],
  [is('physics'), { Department: 'physics' }],
  [is('physics'), { department: null }],
  [is('physics'), { department: 'Physics' }],
  [is('physics'), { department: ' physics' }],
  [is('physics'), { department: 'astrophysics' }],
  [is('physics'), { department: { physics: true } }],
  [is('physics'), { department: [['physics']] }],
  [is('7', 'true'), { department: [7, true] }],
  [is(7, true), { department: ['7', 'true', 1] }],
  [is('x'), { department: ['x'].join().repeat(2) }],
  [
    { claim: 'a.b', is: ['x'] },
    { a: { b: 'x' }, 'a.b': 'y' },
  ],
  [{ claim: 'toString', present: true }, {}],
  [present, {}],
  [present, { department: ' ' }],
  [present, { department: [] }],
  [present, { department: ['', null, [' '], {}] }],
  [present, { department: { of: '' } }],
])('%j refuses %j', (rule, claims) => {
  const { decision, response } = openId({ rules: [rule] }, claims);
  expect([decision.reason, response.type]).toEqual(['rule_refused', 'ForbiddenResponse']);
});

const OID = 'urn:oid:2.16.840.1.113730.3.1.2';
const number: Rule = { attribute: 'departmentNumber', is: ['7'] };

test.each<[string, Rule, ReturnType<typeof attribute>[], string]>([
  ['its name', number, [attribute('departmentNumber', '7')], 'authorized'],
  ['its name in another case', number, [attribute('DEPARTMENTNUMBER', '7')], 'authorized'],
  ['its OID', number, [attribute(OID, '7', 'departmentNumber')], 'authorized'],
  [
    'another name than the OID',
    { attribute: OID, is: ['7'] },
    [attribute('departmentNumber', '7')],
    'rule_refused',
  ],
  ['one of several values', number, [attribute(OID, '8'), attribute(OID, '7')], 'authorized'],
  ['its FriendlyName alone', number, [attribute('urn:x', '7', 'departmentNumber')], 'rule_refused'],
  ['values joined into one text', number, [attribute(OID, '78')], 'rule_refused'],
  ['a blank value', { attribute: 'team', present: true }, [attribute('team', ' ')], 'rule_refused'],
  ['any value', { attribute: 'team', present: true }, [attribute('team', 'x')], 'authorized'],
])('an attribute by %s', (_, rule, attributes, reason) => {
  expect(saml({ rules: [rule] }, attributes).decision.reason).toBe(reason);
});

test.each<[Rule, Claims, unknown]>([
  [
    is('physics'),
    { dept: 'physics' },
    'Did not arrive: department. Correct the name, or have the provider send it.',
  ],
  [
    is('physics'),
    { departement: 'physics' },
    'Did not arrive: department (similar name that arrived: departement). Correct the name, or have the provider send it.',
  ],
  [is('physics'), { department: 'chemistry' }, undefined],
  [
    is('physics', 7),
    { department: [7.5, 'physicsmaths'] },
    expect.stringMatching(/Values compare whole.*one item of a list, for each\.$/),
  ],
  [is(7), { department: '7' }, undefined],
])('%j with %j: the trace tells why', (rule, claims, note) => {
  const { trace } = openId({ rules: [{ email_domains: ['example.org'] }, rule] }, claims);
  expect([trace.rule, trace.note, trace.groups]).toEqual(['rules[1].claim', note, undefined]);
});

test('a mapping with groups tells it beside the rule', () => {
  const { trace } = openId({ groups: { from: ['groups'] }, rules: [is('physics')] }, { groups: ['a'] });
  expect([trace.note, trace.groups?.note]).toEqual([expect.stringContaining('Did not arrive'), undefined]);
});

test('a login that is allowed has no note', () => {
  expect(openId({ rules: [is('physics')] }, { department: 'physics' }).trace).not.toHaveProperty('note');
});
