import { expect, test } from '@jest/globals';

import { explanationOf } from '../../tools/explain/explanation.ts';
import { coldStartIn } from '../../tools/local/coldStartReport.ts';
import { resultOf } from '../../tools/local/invocation.ts';
import { noRequests } from '../../tools/local/recordings.ts';
import { Stage } from '../../tools/shared/stage.ts';

const fn = { name: 'openidLoggedIn', root: '', version: '', env: {} };
const stage = new Stage();
const rest = { failure: null, records: [], output: '', ms: 1, requests: noRequests() };

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'authorized'],
  ['a list', []],
  ['an envelope with a text', { statusCode: 200, body: '"x"' }],
])('%s in place of a response is a failure', (_, result) => {
  const answered = resultOf({ ...rest, result }, fn, stage);
  expect(answered).toMatchObject({ status: 500, response: null, reason: 'error' });
  expect(answered.failed).toMatch(/something other than a response/);
});

test('a response is read, in its envelope or without', () => {
  const response = { type: 'ForbiddenResponse' };
  expect(resultOf({ ...rest, result: response }, fn, stage)).toMatchObject({ status: 200, response });
  const result = { statusCode: 422, body: JSON.stringify(response) };
  expect(resultOf({ ...rest, result }, fn, stage)).toMatchObject({ status: 422, response });
});

const NO_TEXT = { toString: 1 };
const response = { type: 'ForbiddenResponse', message: 'no' };

test.each([
  ['an explanation', { event: 'login', reason: 'forbidden', explanation: { fields: { email: null } } }],
  ['a cold start', { event: 'cold_start', callerCheck: NO_TEXT }],
])('%s of another form explains nothing, and ends nothing', (_, printed) => {
  const answered = resultOf({ ...rest, records: [printed], result: response }, fn, stage);
  expect(explanationOf({ answered, event: {}, functionName: fn.name })).toMatchObject({ received: null });
});

test('of several records the last one is the function’s own', () => {
  const records = [
    { event: 'login', reason: 'authorized' },
    { event: 'login', reason: 'forbidden' },
  ];
  expect(resultOf({ ...rest, records, result: response }, fn, stage).reason).toBe('forbidden');
  const output = [{ reason: NO_TEXT }, { handler: 'default' }]
    .map((record) => JSON.stringify({ event: 'cold_start', ...record }))
    .join('\n');
  expect(coldStartIn(output)).toEqual({ event: 'cold_start', handler: 'default' });
});
