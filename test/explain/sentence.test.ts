/** One sentence on a login, and what each reason says of one. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { REASONS, type ReasonCode } from '../../lib/reasons.ts';
import { groupNamesIn, nameAfter } from '../../tools/explain/differences.ts';
import { type AnsweredLogin, explanationOf } from '../../tools/explain/explanation.ts';
import { reasonRow } from '../../tools/explain/reasons.ts';
import { plainSentenceOf, sentenceOf } from '../../tools/explain/sentence.ts';
import { openIdLogin, refusedLogin } from './logins.ts';

const sentenceFor = (login: AnsweredLogin) => sentenceOf(explanationOf(login));

const groups = { from: ['groups'] };
const ANY: Mapping = { groups, rules: [{ any_group: ['/staff'] }] };
const NONE: Mapping = { groups, rules: [{ no_group: ['/locked'] }] };
const PHYSICS: Mapping = { rules: [{ claim: 'department', is: ['physics'] }] };
const CAMPUS: Mapping = { rules: [{ email_domains: ['example.com'] }] };
const GOLD: Mapping = { rules: [{ assurance: { acr: ['gold'] } }] };

test.each<[Mapping, Record<string, unknown>, string]>([
  [{}, {}, 'Authorized as Ada Lovelace, ada@example.org'],
  [{}, { given_name: undefined }, 'Error: no source has first_name'],
  [{}, { email: 'ada at home' }, 'Error: what arrived is no e-mail address'],
  [
    {},
    { email: 'a@b.example;c@d.example', given_name: null, name: null },
    'Error: no source has first_name, and several addresses arrived as one text',
  ],
  [NONE, { groups: ['/a', '/locked'] }, 'Forbidden: in group /locked, which rules[0] denies'],
  [NONE, {}, 'Error: the provider does not say which groups the person is in, which rules[0] needs'],
  [ANY, { groups: [...'abcde'] }, 'Forbidden: in none of the groups that rules[0] allows (a, b, c, 2 more)'],
  [ANY, { groups: [] }, 'Forbidden: in none of the groups that rules[0] allows'],
  [CAMPUS, {}, 'Forbidden: rules[0] does not allow email ada@example.org'],
  [PHYSICS, { department: ['maths'] }, 'Forbidden: rules[0] does not allow department maths'],
  [PHYSICS, {}, 'Forbidden: nothing that rules[0] wants arrived'],
  [GOLD, {}, 'Error: the provider does not say how or when the person signed in, which rules[0] needs'],
])('%j with %j', (mapping, claims, sentence) => {
  expect(sentenceFor(openIdLogin(mapping, claims))).toBe(sentence);
});

test('the fact is told where a name or a value is long', () => {
  const group = '0123456789'.repeat(5);
  const mapping: Mapping = {
    issuers: { 'https://idp.example.org': { groups, rules: [{ no_group: [group] }] } },
  };
  expect(sentenceFor(openIdLogin(mapping, { groups: [group] }))).toMatch(
    /^Forbidden: in group 0123456789.*…, which issuers\[…\]\.rules\[0\] denies$/,
  );
});

test.each([
  ['issuer_not_listed', 'Error: the mapping does not list the issuer https://idp.example.org'],
  ['error', 'Error: the handler decides so'],
  ['handler_timed_out', 'Failed: the handler took too long'],
])('a login that ended with %s', (reason, sentence) => {
  expect(sentenceFor(refusedLogin('OpenID', reason))).toBe(sentence);
});

test('whatever arrives, it is a line of 90 characters at most', () => {
  const text = fc.string({ maxLength: 300, unit: 'binary' });
  const claims = fc.record({ department: text, given_name: text, groups: fc.array(text), acr: text });
  const mapping = fc.constantFrom<Mapping>({}, ANY, NONE, PHYSICS, GOLD);
  fc.assert(
    fc.property(mapping, claims, (given, arrived) => {
      const login = openIdLogin(given, arrived);
      for (const one of [sentenceFor(login), plainSentenceOf(login.answered)])
        expect(one).toMatch(/^[^\p{Cc}]{1,90}$/u);
    }),
    { numRuns: 50 },
  );
});

const CODES = Object.keys(REASONS) as ReasonCode[];

test.each(CODES)('%s has a sentence that fits, and a change where there is one to make', (code) => {
  const [sentence, change] = reasonRow(code);
  expect(`Failed: ${sentence}`.length).toBeLessThanOrEqual(90);
  expect(change).toMatch(code === 'authorized' ? /^$/ : /^[A-Z].*\.$/);
});

test('no two reasons say the same, but for what a handler decides, look-ups and secrets', () => {
  const others = CODES.filter((code) => !/^(?:error$|lookup_|secret_)/.test(code));
  expect(new Set(others.map((code) => reasonRow(code)[0])).size).toBe(others.length);
});

const [STAFF, EDITORS] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8E1B6F42-97d3-4a08-b5ce-73f0d2a49c11'];
const JOURNAL = { group: 'editors', uuid: EDITORS, name: 'Editors of the journal' };
const NAMED: Mapping = { groups: { ...groups, table: [{ group: 'staff', uuid: STAFF }, JOURNAL] } };

test('a user group has its name beside its row, and beside its UUID in any case', () => {
  const login = openIdLogin(NAMED, { groups: ['editors', 'staff'] });
  const rows = explanationOf(login).groups?.values.flatMap((one) => one.rows);
  expect(rows).toEqual(['groups.table[1] (Editors of the journal)', 'groups.table[0]']);
  expect(sentenceFor(login)).toBe('Authorized as Ada Lovelace, ada@example.org, 2 groups (editors, staff)');
  const names = groupNamesIn([login.answered]);
  const shown = [EDITORS, EDITORS.toLowerCase(), STAFF, 'toString', 7].map((item) => nameAfter(item, names));
  expect(shown).toEqual([' (Editors of the journal)', ' (Editors of the journal)', '', '', '']);
});

test.each([
  ...[null, 7, { groups: null }, { groups: { table: { names: 'x' } } }],
  { groups: { table: { names: [null, 7, { uuid: 1, name: 2 }] } } },
])('a record that a handler printed names nothing: %j', (explanation) => {
  expect(groupNamesIn([{ records: [{ explanation }] }])).toEqual({});
});
