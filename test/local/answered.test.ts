/** What a function that ran has answered: its result, its records, and what they say of a failure. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { explanationOf } from '../../tools/explain/explanation.ts';
import { coldStartIn } from '../../tools/local/coldStartReport.ts';
import { resultOf } from '../../tools/local/invocation.ts';
import { printedLines, recordsOf } from '../../tools/local/process/logRecords.ts';
import { noRequests } from '../../tools/local/recordings.ts';
import { thrownIn } from '../../tools/local/thrown.ts';
import { unavailableIn } from '../../tools/local/unavailable.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const folder = temporaryFolder();
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

const response = { type: 'ForbiddenResponse', message: 'no' };

test.each([
  ['an explanation', { event: 'login', reason: 'forbidden', explanation: { fields: { email: null } } }],
  ['a cold start', { event: 'cold_start', callerCheck: { toString: 1 } }],
])('%s of another form explains nothing, and ends nothing', (_, printed) => {
  const answered = resultOf({ ...rest, records: [printed], result: response }, fn, stage);
  expect(explanationOf({ answered, event: {}, functionName: fn.name })).toMatchObject({ received: null });
});

test.each([
  ['JSON', { event: 'login', reason: 'authorized', explanation: 'because' }],
  ['a level', { level: 30, event: 'login', reason: { toString: 1 } }],
])('what a handler prints with %s is no record, and is printed', (_, printed) => {
  const line = JSON.stringify(printed);
  expect([recordsOf(line), printedLines(line)]).toEqual([[], [line]]);
});

const NO_TEXT = { toString: 1 };
const received = { names: [] };
test.each<[string, object]>([
  ['a reason', { reason: NO_TEXT }],
  ['frames', { error: { class: 'Failure', frames: 1 } }],
  ['a field', { explanation: { fields: { email: null }, received } }],
  ['sources', { explanation: { fields: {}, received, groups: { sources: [1] } } }],
  ['reads', { event: 'handler_reads', reads: [{ path: 1 }] }],
])('%s of another form: a line that begins as a record is none', (_, printed) => {
  const login = { level: 'INFO', event: 'login', handler: 'handlers/own', ...printed };
  expect(recordsOf(JSON.stringify(login))).toEqual([]);
});

test('a line with a time, as other loggers write it, is printed', () => {
  const lines = ['{"time":"10:00","event":"mine"}', '{"timestamp":"10:00","event":"mine"}'];
  expect(printedLines(lines.join('\n'))).toEqual(lines);
});

test('of several records the last one is the function’s own', () => {
  const records = [
    { event: 'login', reason: 'authorized' },
    { event: 'login', reason: 'forbidden' },
  ];
  expect(resultOf({ ...rest, records, result: response }, fn, stage).reason).toBe('forbidden');
  const output = ['handlers/own', 'default']
    .map((handler) => JSON.stringify({ level: 'INFO', event: 'cold_start', handler }))
    .join('\n');
  expect(coldStartIn(output, null)).toMatchObject({ event: 'cold_start', handler: 'default' });
});

const record = { event: 'login', requestId: 'request-1', answer: 'AuthorizedUserResponse' };
const onLambda = { timestamp: '2026-11-21T10:00:00.000Z', level: 'INFO', requestId: 'request-1' };
test.each([
  ['its own line', { level: 'INFO', ...record }, { level: 'INFO', ...record }],
  ['the message of a line of Lambda', { ...onLambda, message: record }, { level: 'INFO', ...record }],
  ['a text that Lambda wrote', { ...onLambda, message: 'hello' }, { ...onLambda, message: 'hello' }],
  [
    'a record with a message',
    { level: 'DEBUG', event: 'login_error_message', message: 'hello' },
    { level: 'DEBUG', event: 'login_error_message', message: 'hello' },
  ],
])('a record is read where it is %s', (_, line, expected) => {
  expect(recordsOf(`hello\n{ not JSON\n\n[1]\n${JSON.stringify(line)}\n`)).toEqual([expected]);
});

test('a mapping that cannot be used stands where it is called', async () => {
  const file = join(folder, 'handler.ts');
  await writeFile(file, ['import', '', 'export default', 'call({', '})'].join('\n'));
  const text = 'MappingInvalid: frist_name: expected only email, first_name';
  const thrown = thrownIn([{ event: 'cold_start', error: `${text}\n    at file://${file}:3:16` }]);
  expect(thrown).toMatchObject({ text, place: { path: file, line: 3, column: 16 } });
  expect(thrown?.place?.source.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
});

test('the text of what a handler threw moves no cursor, and is one line', () => {
  const records = [
    { event: 'login', reason: 'handler_threw', error: { class: 'RangeError' } },
    { event: 'login_error_message', message: 'no group\u001b[2J\nof ada' },
  ];
  expect(thrownIn(records)?.text).toBe('RangeError: no group[2J of ada');
});

const ISSUER = 'https://sso.example.edu';
const KEYS =
  'expected a discovery document and a key set: check the network, the issuer, and its jwks_uri in OPENID_ISSUERS';

const FAILED = 'lookup_connection_failed';
const UNTRUSTED = { host: 'localhost:9', problems: ['the certificate is not trusted'] };
const NOT_FOUND = { cause: 'lookup_status', lookUpStatus: 404, host: 'sso.example.edu' };
const CURE = 'it cannot be reached: check the host, the port, the network and the proxy';
test.each([
  ['keys_unavailable', { cause: FAILED, ...UNTRUSTED }, 'localhost:9: the certificate is not trusted'],
  ['keys_unavailable', NOT_FOUND, `sso.example.edu: it responded with status 404: ${KEYS}`],
  ['keys_unavailable', { cause: 'deadline' }, `${ISSUER}: deadline: ${KEYS}`],
  [FAILED, { host: '127.0.0.1:9' }, `127.0.0.1:9: ${CURE}`],
])('of %s, it is told why, and what to check: %j', (reason, details, told) => {
  const login = { event: 'login', reason, issuer: ISSUER, ...details };
  expect(unavailableIn([login], undefined)).toBe(`${reason}: ${told}`);
});

test('of a login that asked for nothing, no other system is told', () => {
  expect(unavailableIn([{ event: 'login', reason: 'token_expired' }], undefined)).toBeNull();
});
