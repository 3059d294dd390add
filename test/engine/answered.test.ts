import { expect, test } from '@jest/globals';
import { answeredOf } from '../../tools/local/answered.ts';
import { nothingAsked } from '../../tools/local/process/local.ts';

const fn = { name: 'openidLoggedIn', root: '', version: '', env: {}, isLive: false };
const rest = { failure: null, records: [], output: '', ms: 1, asked: nothingAsked() };

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'authorized'],
  ['a list', []],
  ['an envelope without JSON', { statusCode: 200, body: 'x' }],
  ['an envelope with a text', { statusCode: 200, body: '"x"' }],
])('%s in place of a response is a failure', (_, result) => {
  const answered = answeredOf({ ...rest, result }, fn);
  expect(answered).toMatchObject({ status: 500, response: null, reason: 'error' });
  expect(answered.failed).toMatch(/something else than a response/);
});

test('a response is read, in its envelope or without', () => {
  const response = { type: 'ForbiddenResponse' };
  expect(answeredOf({ ...rest, result: response }, fn)).toMatchObject({ status: 200, response });
  const result = { statusCode: 422, body: JSON.stringify(response) };
  expect(answeredOf({ ...rest, result }, fn)).toMatchObject({ status: 422, response });
});
