import { describe, expect, test } from '@jest/globals';
import type { Difference } from '../../../tools/explain/differences.ts';
import { parted } from '../../../tools/studio/page/compare/order.ts';
import { openedFirst, sectionsOf } from '../../../tools/studio/page/logins/order.ts';
import { loginRow } from './rows.ts';

const CHANGE: Difference = { field: 'email', before: 'a', after: 'b' };

const LOGINS = [
  loginRow({ name: 'sample 10' }),
  loginRow({ name: 'sample 9', type: 'ForbiddenResponse', reason: 'rule_refused' }),
  loginRow({ name: 'pasted', origin: 'pasted', at: 3, functionName: 'samlLoggedIn' }),
  loginRow({
    ...{ name: 'came first', origin: 'received', at: 1 },
    ...{ person: 'Ada Lovelace', issuer: 'https://idp.example' },
  }),
  loginRow({ name: 'came last', origin: 'received', at: 2 }),
  loginRow({ name: 'another', verdict: 'differs' }),
  loginRow({ name: 'changed', changes: [CHANGE] }),
  loginRow({ name: 'gets in', verdict: 'differs', isWronglyIn: true, changes: [CHANGE] }),
  loginRow({ name: 'broken', verdict: 'failed', changes: [CHANGE], type: null }),
  loginRow({ name: 'a shipped', isShipped: true, verdict: 'other', changes: [CHANGE] }),
  loginRow({ name: 'a shipped and broken', isShipped: true, verdict: 'failed' }),
  loginRow({ name: 'a shipped that asks', isShipped: true, verdict: 'failed', reason: 'not_recorded' }),
];

function shown(filter: string): Record<string, string[]> {
  return Object.fromEntries(
    sectionsOf(LOGINS, filter).map(({ title, rows }) => [title, rows.map(({ name }) => name)]),
  );
}

describe('the list of logins', () => {
  test('what asks for attention is first, and each login is there once', () => {
    expect(Object.entries(shown(''))).toEqual([
      ['Should not get in', ['gets in']],
      ['Failed', ['broken', 'a shipped and broken']],
      ['Changed', ['changed']],
      ['Not as expected', ['another']],
      ['Received', ['came last', 'came first']],
      ['Pasted', ['pasted']],
      ['Samples', ['sample 9', 'sample 10']],
      ['Samples of login-hooks', ['a shipped', 'a shipped that asks']],
    ]);
  });

  test('samples that login-hooks ships are folded where nothing is wrong with them', () => {
    const folded = sectionsOf(LOGINS, '').filter(({ isFolded }) => isFolded);
    expect(folded.map(({ title }) => title)).toEqual(['Samples of login-hooks']);
  });

  test.each([
    ['FORBIDDEN', { Samples: ['sample 9'] }],
    ['rule_ref', { Samples: ['sample 9'] }],
    ['sample  10', { Samples: ['sample 10'] }],
    ['saml', { Pasted: ['pasted'] }],
    ['lovelace idp.example', { Received: ['came first'] }],
    ['nothing has this', {}],
  ])('filtered by %j', (filter, sections) => {
    expect(shown(filter)).toEqual(sections);
  });
});

describe('the login that is open already', () => {
  test.each([
    ['the last one that was received', LOGINS, 'came last'],
    ['else the one that should not get in', LOGINS.filter(({ origin }) => origin === 'sample'), 'gets in'],
    ['else the first of the list', LOGINS.slice(0, 2), 'sample 9'],
    ['none where there is none', [], undefined],
  ])('%s', (_, logins, name) => {
    expect(openedFirst(logins)?.name).toBe(name);
  });
});

test('a comparison has the logins that are answered differently, and apart from them those that are answered alike', () => {
  const response = { type: null, reason: '' };
  const row = (name: string, differences: Difference[]) => ({
    ...{ id: name, name, differences },
    before: response,
    after: response,
  });
  const { differing, alike } = parted([
    row('b', []),
    row('c 10', [CHANGE]),
    row('a', []),
    row('c 9', [CHANGE]),
  ]);
  const namesOf = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);
  expect([namesOf(differing), namesOf(alike)]).toEqual([
    ['c 9', 'c 10'],
    ['a', 'b'],
  ]);
});
