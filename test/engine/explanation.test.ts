/** How a login came about, in a sentence and in parts: rules about claims and sign-ins, and the names of user groups. */
import { expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { explanationOf } from '../../tools/explain/explanation.ts';
import { groupNamesIn, nameAfter } from '../../tools/explain/groupNames.ts';
import { answeredOf } from '../../tools/local/answered.ts';
import { nothingAsked } from '../../tools/local/process/exchanges.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { openId } from '../profile/decided.ts';
import { openIdEvent } from '../support/wire.ts';

// Read at the first login of this file.
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';

const fn = { name: 'openidLoggedIn', root: '', version: '', env: {}, isLive: false };

function answered(mapping: Mapping, claims: Record<string, unknown>) {
  const { response, decision, trace } = openId(mapping, claims);
  const records = [{ event: 'login', reason: decision.reason, handler: 'handlers/own', trace }];
  const answer = {
    result: { ...response },
    failure: null,
    records,
    output: '',
    ms: 1,
    asked: nothingAsked(),
  };
  return answeredOf(answer, fn, new Stage());
}

function explained(mapping: Mapping, claims: Record<string, unknown>) {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, claims);
  return explanationOf(answered(mapping, claims), event, fn.name);
}

test.each<[Mapping, Record<string, unknown>, string]>([
  [
    { rules: [{ claim: 'department', is: ['physics'] }] },
    { department: ['maths'] },
    'Forbidden, because rules[0].claim refuses: maths',
  ],
  [{ rules: [{ claim: 'level', is: [2] }] }, { level: 1 }, 'Forbidden, because rules[0].claim refuses: 1'],
  [
    { rules: [{ claim: 'department', present: true }] },
    {},
    'Forbidden, because rules[0].claim refuses: Did not arrive: department. Correct',
  ],
  [
    { rules: [{ assurance: { acr: ['gold'] } }] },
    { acr: 'silver' },
    'Forbidden, because rules[0].assurance refuses: silver',
  ],
  [
    { rules: [{ assurance: { acr: ['gold'] } }] },
    {},
    'Error, because rules[0].assurance cannot judge: Did not arrive: acr.',
  ],
  [
    { groups: { from: ['groups'], unknown: 'none' }, rules: [{ no_group: ['locked'] }] },
    {},
    'Error, because rules[0].no_group cannot judge: the provider does not say which groups: Did not arrive: groups.',
  ],
])('%j with %j', (mapping, claims, sentence) => {
  expect(explained(mapping, claims).sentence.slice(0, sentence.length)).toBe(sentence);
});

test('the rule that decided has the note, and no other', () => {
  const rules: Mapping['rules'] = [
    { claim: 'a', present: true },
    { claim: 'b', present: true },
  ];
  expect(explained({ rules }, {}).rules.map(({ note }) => note)).toEqual([
    expect.stringMatching(/: a\./),
    '',
  ]);
});

const [STAFF, EDITORS] = ['5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', '8E1B6F42-97d3-4a08-b5ce-73f0d2a49c11'];
const NAMED: Mapping = {
  groups: {
    from: ['groups'],
    table: [
      { group: 'staff', uuid: STAFF },
      { group: 'editors', uuid: EDITORS, name: 'Editors of the journal' },
      { group: 'guests', uuid: STAFF, name: 'Guests' },
    ],
  },
};

test('a user group has its name beside its row, in the explanation and in the sentence', () => {
  const { groups, sentence } = explained(NAMED, { groups: ['editors', 'staff'] });
  expect(groups?.values.map(({ rows }) => rows)).toEqual([
    ['groups.table[1] (Editors of the journal)'],
    ['groups.table[0]'],
  ]);
  expect(sentence).toContain('editors → groups.table[1] (Editors of the journal); staff → groups.table[0]');
});

test('a user group has its name beside its UUID, in any case', () => {
  const names = groupNamesIn([answered(NAMED, { groups: ['editors', 'staff'] }), answered(NAMED, {})]);
  expect(
    [EDITORS, EDITORS.toLowerCase(), STAFF, 'toString', 7].map((item) => nameAfter(item, names)),
  ).toEqual([' (Editors of the journal)', ' (Editors of the journal)', ...['', '', '']]);
});

test.each([
  ...[null, 7, { groups: null }, { groups: { table: { names: 'x' } } }],
  { groups: { table: { names: [null, 7, { uuid: 1, name: 2 }] } } },
])('a record that a handler printed names nothing: %j', (trace) => {
  expect(groupNamesIn([{ records: [{ trace }] }])).toEqual({});
});
