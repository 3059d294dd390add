/** The rule on scopes: which domains are listed, what a scoped affiliation says, and from where it counts. */
import { expect, test } from '@jest/globals';
import { scopedAffiliationReader } from '../../lib/profile/rules/scopes.ts';
import { NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { attribute } from '../support/wire.ts';
import { openId, type Reason, saml } from './decided.ts';

const U = 'uni.example';

/** A login with these affiliations, by a rule on scopes. */
function scoped(affiliations: unknown, rule: object = {}) {
  const { decision, trace } = openId({ rules: [{ scopes: [U], from: ['a'], ...rule }] }, { a: affiliations });
  return { reason: decision.reason, note: trace.note };
}

const longDomain = (length: number) => '.uni.example'.padStart(length, 'x');

test.each<[listed: string, domain: string, boolean]>([
  ['uni.example', 'uni.example', true],
  ['uni.example', 'other.example', false],
  ['uni.example', 'cs.uni.example', false],
  ['*.uni.example', 'cs.uni.example', true],
  ['*.uni.example', '*.uni.example', false],
  ['*.uni.example', 'uni.example', false],
  ['*.uni.example', 'evil.example,.uni.example', false],
  ['*.uni.example', longDomain(255), true],
  ['*.uni.example', longDomain(256), false],
  ['xn--mnchen-3ya.example', 'münchen.example', true],
  ['kuni.example', '\u212auni.example', false],
  ['uni.example', 'u\u00adni.example', false],
])('the scope %s lists %s: %p', (listed, domain, isListed) => {
  expect(scoped(`member@${domain}`, { scopes: [listed] }).reason).toBe(
    isListed ? 'authorized' : 'rule_refused',
  );
});

test.each<[unknown, affiliation: string | undefined, Reason]>([
  ['guest@uni.example', 'member', 'rule_refused'],
  ['member@uni.example', 'Member', 'authorized'],
  ['@uni.example', undefined, 'rule_refused'],
  ['\u200b@uni.example', undefined, 'rule_refused'],
  ['eve_evil.example#EXT#@uni.example', undefined, 'rule_refused'],
  ['', undefined, 'rule_refused'],
  // Several, glued to one text.
  ['member@uni.examplestaff@uni.example', 'member', 'authorized'],
  ['Library-Walk-In@uni.exampleMEMBER@UNI.example', 'library-walk-in', 'authorized'],
  ['member@uni.examplestaff@other.example', undefined, 'rule_refused'],
  ['member@uni.examplestaff@uni.example@x', undefined, 'rule_refused'],
  // As many, and as long ones, as are read.
  [[...Array(100).fill('member@other.example'), 'member@uni.example'], undefined, 'rule_refused'],
  [`${'member@other.example;'.repeat(99)}member@uni.example`, undefined, 'authorized'],
  [`${'member@other.example;'.repeat(100)}member@uni.example`, undefined, 'rule_refused'],
  ['@uni.example'.padStart(8_192, 'x'), undefined, 'authorized'],
  ['@uni.example'.padStart(8_193, 'x'), undefined, 'rule_refused'],
])('row %#', (value, affiliation, reason) => {
  expect(scoped(value, affiliation ? { affiliations: [affiliation] } : {}).reason).toBe(reason);
});

test('glued values are split by a scope that is listed in capitals', () => {
  expect(scoped('member@uni.examplestaff@uni.example', { scopes: ['UNI.example'] }).reason).toBe(
    'authorized',
  );
});

test('the reader splits no text by a scope with a star, and none of more than 8,192 characters', () => {
  const starred = scopedAffiliationReader(['*.uni.example']);
  expect(starred('member@*.uni.examplestaff@*.uni.example')).toEqual([]);
  expect(starred('@uni.example'.padStart(8_193, 'x'))).toEqual([]);
});

const COMMAS = "One text with commas: set separator of the rule to ','.";
const BLANKS = "One text with blanks: set separator of the rule to ' '.";
const OF_SEVERAL = expect.stringContaining('A text with commas is one of several');

test.each<[unknown, separator: string | undefined, Reason, note: unknown]>([
  [`x@${U},member@${U}`, ',', 'authorized', undefined],
  [[`x@${U},member@${U}`], ',', 'rule_refused', OF_SEVERAL],
  [`x@${U},member@${U}`, undefined, 'rule_refused', COMMAS],
  [`x@${U} member@${U}`, ',', 'rule_refused', BLANKS],
  [`x@${U},staff@${U}`, undefined, 'rule_refused', undefined],
  [`members@${U}`, undefined, 'rule_refused', expect.stringContaining('member (another character)')],
  ['Member@UNI.other', undefined, 'rule_refused', undefined],
  [`${';'.repeat(8_178)}member@${U};`, undefined, 'rule_refused', undefined],
])('%j, read by %j: %s', (affiliations, separator, reason, note) => {
  expect(scoped(affiliations, { affiliations: ['member'], separator })).toEqual({ reason, note });
});

test('a separator counts only in the only value of the sources', () => {
  const rules = [{ scopes: [U], from: ['a', 'b'], separator: '|' }];
  const a = 'member@other.example|member@uni.example';
  expect(openId({ rules }, { a }).decision.reason).toBe('authorized');
  expect(openId({ rules }, { a, b: [''] }).decision.reason).toBe('rule_refused');
});

const OID = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';

const OF_A = { from: ['a'], separator: ',' };
const MEMBER = [attribute(OID, 'member@uni.example')];
const JOINED = attribute('a', `x@x.example,member@${U}`);

test.each<[rule: object, ReturnType<typeof attribute>[], Reason]>([
  [OF_A, [attribute('a', 'x'), JOINED], 'rule_refused'],
  [{ from: [NAME_ID] }, MEMBER, 'rule_refused'],
])('in an assertion, by the rule %j, %j: %s', (rule, attributes, reason) => {
  expect(saml({ rules: [{ scopes: [U], ...rule }] }, attributes).decision.reason).toBe(reason);
});
