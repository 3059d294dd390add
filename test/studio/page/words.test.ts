import { expect, test } from '@jest/globals';
import { counted } from '../../../tools/shared/readable.ts';
import { changeSentence, servedSentence, titleOf, typeWord } from '../../../tools/studio/page/words.ts';
import { loginRow } from './rows.ts';

const CHANGED = loginRow({ changes: [{ field: 'email', before: 'a', after: 'b' }] });
const FAILING = loginRow({ verdict: 'failed' });

test.each([
  [['handlers/a.ts'], [loginRow({})], 'handlers/a.ts changed: no response changed'],
  [['handlers/a.ts'], [CHANGED, loginRow({})], 'handlers/a.ts changed: 1 response changed'],
  [['handlers/a.ts'], [FAILING, loginRow({})], 'handlers/a.ts changed: no response changed, 1 login fails'],
  [['a', 'b', 'c', 'd'], [CHANGED, CHANGED], '4 files changed: 2 responses changed'],
])('a change of %j', (files, logins, sentence) => {
  expect(changeSentence(files, logins)).toBe(sentence);
});

const AT = new Date(2026, 0, 2, 10, 3, 5);
const TIME = AT.toLocaleTimeString();
test.each([
  ['unchanged', '', 'Follows your files'],
  ['saving', 'a changed: no response changed', 'saving …'],
  ['served', '', `served ${TIME}`],
  ['served', 'a changed: no response changed', `served ${TIME}: a changed: no response changed`],
  ['refused', 'a changed: no response changed', `not served ${TIME}`],
] as const)('%s, after %j, reads %j', (state, news, sentence) => {
  expect(servedSentence({ state, at: AT.getTime() }, news)).toBe(sentence);
});

test.each([
  ['AuthorizedUserResponse', 'Authorized', 'good'],
  ['ForbiddenResponse', 'Forbidden', 'stopped'],
  ['ErrorResponse', 'Error', 'bad'],
  ['SomethingElse', 'SomethingElse', 'none'],
  [null, 'No response', 'none'],
])('a response of the type %j is told by a word and a shape', (type, word, tone) => {
  expect(typeWord(type)).toEqual({ word, tone });
});

test('things are counted', () => {
  expect([counted(1, 'login'), counted(2, 'login'), counted(0, 'entry', 'entries')]).toEqual([
    '1 login',
    '2 logins',
    '0 entries',
  ]);
});

test.each([
  [loginRow({ name: 'entra', person: 'Ada Lovelace' }), 'entra'],
  [loginRow({ name: '19:10:38', origin: 'received', person: 'Ada Lovelace' }), 'Ada Lovelace'],
  [loginRow({ name: '19:10:38', origin: 'signed in' }), 'Unknown person'],
])('a login is called as its sample, or else as its person', (row, title) => {
  expect(titleOf(row)).toBe(title);
});
