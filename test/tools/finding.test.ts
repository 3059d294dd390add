import { expect, test } from '@jest/globals';
import { type Finding, findingText, inOrder } from '../../tools/shared/finding.ts';

const NOTE: Finding = { code: 'key_rolls', level: 'note', message: 'A second key is there.', change: null };
const WARNING: Finding = { ...NOTE, code: 'ends_soon', level: 'warning', change: 'Renew it.' };
const ERROR: Finding = { ...WARNING, code: 'ended', level: 'error', subject: 'https://sso.example.edu' };

test('errors stand first, then warnings, then notes, and findings of a level keep their order', () => {
  const other = { ...NOTE, code: 'another' };
  expect(inOrder([NOTE, WARNING, other, ERROR])).toEqual([ERROR, WARNING, NOTE, other]);
});

test.each([
  [NOTE, 'note     key_rolls\n  A second key is there.'],
  [ERROR, 'error    ended  https://sso.example.edu\n  A second key is there.\n  → Renew it.'],
])('a finding is shown with its level, code, subject, sentence and change', (finding, text) => {
  expect(findingText(finding)).toBe(text);
});
