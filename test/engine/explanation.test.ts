/** How a login came about, in a sentence and in parts: rules about claims and sign-ins, and the names of user groups. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { REASONS } from '../../lib/reasons.ts';
import { explanationOf } from '../../tools/explain/explanation.ts';
import { groupNamesIn, nameAfter } from '../../tools/explain/groupNames.ts';
import { plainSentenceOf } from '../../tools/explain/sentence.ts';
import { resultOf } from '../../tools/local/invocation.ts';
import { noRequests } from '../../tools/local/recordings.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { openId, saml } from '../profile/decided.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

// Read at the first login of this file.
process.env.AWS_LAMBDA_LOG_LEVEL = 'DEBUG';

const fn = { name: 'openidLoggedIn', root: '', version: '', env: {}, isLive: false };

function answered(mapping: Mapping, claims: Record<string, unknown>) {
  return answeredBy(openId(mapping, claims));
}

function answeredBy({ response, decision, trace }: ReturnType<typeof openId>) {
  const records = [{ event: 'login', reason: decision.reason, handler: 'handlers/own', explanation: trace }];
  const answer = {
    result: { ...response },
    failure: null,
    records,
    output: '',
    ms: 1,
    requests: noRequests(),
  };
  return resultOf(answer, fn, new Stage());
}

function explained(mapping: Mapping, claims: Record<string, unknown>) {
  const event = openIdEvent();
  Object.assign(event.idToken.otherClaims, claims);
  return explanationOf(answered(mapping, claims), event, fn.name);
}

test.each<[Mapping, Record<string, unknown>, string]>([
  [{}, {}, 'Authorized as Ada Lovelace, ada@example.org'],
  [{}, { given_name: undefined }, 'Error: no source has first_name'],
  [
    { groups: { from: ['groups'] }, rules: [{ no_group: ['/locked'] }] },
    { groups: ['/staff', '/locked'] },
    'Forbidden: in group /locked, which rules[0] denies',
  ],
  [
    { groups: { from: ['groups'] }, rules: [{ any_group: ['/staff'] }] },
    { groups: ['a', 'b', 'c', 'd', 'e'] },
    'Forbidden: in none of the groups that rules[0] allows (in a, b, c, 2 more)',
  ],
  [
    { groups: { from: ['groups'] }, rules: [{ any_group: ['/staff'] }] },
    { groups: [] },
    'Forbidden: in none of the groups that rules[0] allows',
  ],
  [
    { rules: [{ email_domains: ['example.com'] }] },
    {},
    'Forbidden: ada@example.org is of no domain that rules[0] lists',
  ],
  [{ rules: [{ scopes: ['example.com'] }] }, {}, 'Forbidden: no affiliation arrived, and rules[0] needs one'],
  [
    { rules: [{ scopes: ['example.com'] }] },
    { eduperson_scoped_affiliation: ['', 'staff@example.org'] },
    'Forbidden: staff@example.org is not an affiliation that rules[0] allows',
  ],
  [
    { rules: [{ emails: ['eve@example.org'] }] },
    {},
    'Forbidden: ada@example.org is no address that rules[0] lists',
  ],
  [
    { groups: { from: ['teams', 'groups'] }, rules: [{ any_group: ['staff'] }] },
    { groups: ['a'] },
    'Forbidden: in none of the groups that rules[0] allows (in a). Did not arrive: teams.',
  ],
  [
    { rules: [{ claim: 'sub', is: ['x'] }] },
    {},
    'Forbidden: sub is subject-1, which rules[0] does not allow',
  ],
  [
    { rules: [{ claim: 'locked', is_not: [true] }] },
    {},
    'Error: the provider does not send a value that can be compared, which rules[0] needs. Did not arrive: locked.',
  ],
  [
    { rules: [{ claim: 'department', is: ['physics'] }] },
    { department: ['maths'] },
    'Forbidden: department is maths, which rules[0] does not allow',
  ],
  [
    { rules: [{ claim: 'level', is: [2] }] },
    { level: 1 },
    'Forbidden: level is 1, which rules[0] does not allow',
  ],
  [
    { rules: [{ claim: 'department', present: true }] },
    {},
    'Forbidden: rules[0] refuses. Did not arrive: department.',
  ],
  [
    { rules: [{ assurance: { acr: ['gold'] } }] },
    { acr: 'silver' },
    'Forbidden: acr is silver, which rules[0] does not allow',
  ],
  [
    { rules: [{ assurance: { acr: ['gold'] } }] },
    {},
    'Error: the provider does not say how or when the person signed in, which rules[0] needs. Did not arrive: acr.',
  ],
  [
    { groups: { from: ['groups'], unknown: 'none' }, rules: [{ no_group: ['locked'] }] },
    {},
    'Error: the provider does not say which groups the person is in, which rules[0] needs. Did not arrive: groups.',
  ],
])('%j with %j', (mapping, claims, sentence) => {
  expect(explained(mapping, claims).sentence).toBe(sentence);
});

test('a rule about an attribute calls it by its name', () => {
  const level = attribute('urn:oid:1.2.3', 'maths', 'level');
  const event = samlEvent();
  event.assertion.assertionAttributeStatement.push(level);
  const answered = answeredBy(saml({ rules: [{ attribute: 'urn:oid:1.2.3', is: ['physics'] }] }, [level]));
  expect(explanationOf(answered, event, 'samlLoggedIn').sentence).toBe(
    'Forbidden: level is maths, which rules[0] does not allow',
  );
});

describe('each reason has words', () => {
  const [, ...reasons] = Object.keys(REASONS);

  function refused(reason: string) {
    const records = [{ event: 'login', reason, handler: 'handlers/own', issuer: 'https://idp.example.org' }];
    const result = { type: 'ErrorResponse', message: '' };
    const answer = { result, failure: null, records, output: '', ms: 1, requests: noRequests() };
    return resultOf(answer, fn, new Stage());
  }

  test.each(reasons)('%s', (reason) => {
    expect(plainSentenceOf(refused(reason))).toMatch(/^(Error|Failed): \S+ \S.*$/);
  });

  test('and no two the same, but for what a handler decides', () => {
    const sentences = reasons.map((reason) => plainSentenceOf(refused(reason)));
    expect(new Set(sentences).size).toBe(reasons.length - 1);
  });

  test.each([
    ['token_audience_refused', 'Error: the token is for another client (aud)'],
    ['issuer_not_listed', 'Error: the mapping does not list the issuer https://idp.example.org'],
    ['error', 'Error: the handler decides so'],
    ['handler_timed_out', 'Failed: the handler took too long'],
  ])('which the sentence has: %s', (reason, sentence) => {
    expect(explanationOf(refused(reason), {}, fn.name).sentence).toBe(sentence);
  });
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
  expect(sentence).toBe(
    'Authorized as Ada Lovelace, ada@example.org, 2 groups (Editors of the journal, staff)',
  );
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
])('a record that a handler printed names nothing: %j', (explanation) => {
  expect(groupNamesIn([{ records: [{ explanation }] }])).toEqual({});
});
