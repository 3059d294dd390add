/** What a function that ran has answered: its result, its records, and what they say of a failure. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { explain } from '../../tools/cli/explain.ts';
import { mappingCoverages } from '../../tools/explain/coverage.ts';
import { explanationOf } from '../../tools/explain/explanation.ts';
import { readsOf } from '../../tools/explain/reads.ts';
import { coldStartIn } from '../../tools/local/coldStartReport.ts';
import { resultOf } from '../../tools/local/invocation.ts';
import { recordsOf } from '../../tools/local/process/logRecords.ts';
import { noRequests } from '../../tools/local/recordings.ts';
import { thrownIn } from '../../tools/local/thrown.ts';
import { unavailableIn } from '../../tools/local/unavailable.ts';
import { PROJECT } from '../../tools/shared/project.ts';
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

const NO_TEXT = { toString: 1 };
const response = { type: 'ForbiddenResponse', message: 'no' };

test.each([
  ['an explanation', { event: 'login', reason: 'forbidden', explanation: { fields: { email: null } } }],
  ['a cold start', { event: 'cold_start', callerCheck: NO_TEXT }],
])('%s of another form explains nothing, and ends nothing', (_, printed) => {
  const answered = resultOf({ ...rest, records: [printed], result: response }, fn, stage);
  expect(explanationOf({ answered, event: {}, functionName: fn.name })).toMatchObject({ received: null });
});

const UUID = '6b7e7d2a-6f1b-4c53-9f0b-2f1a6f0f5a11';
const mapping = { groups: { table: [{ group: 'staff', uuid: UUID }] } };
const logged = [
  { event: 'decision', mapping },
  { event: 'login', reason: 'forbidden', handler: 'handlers/own' },
];
const ofSample = { name: '', file: '', event: {}, expected: null, recordings: null, functionName: fn.name };

test.each<[string, object]>([
  ['a reason', { reason: NO_TEXT }],
  ['an issuer', { reason: 'event_invalid', issuer: NO_TEXT }],
  ['frames', { reason: 'handler_threw', error: { class: 'Failure', frames: 1 } }],
  [
    'a frame',
    { reason: 'handler_threw', error: { frames: ['at file://host/x.ts:1:1', `at ${PROJECT}:1:1`] } },
  ],
  ['rules', { explanation: { fields: {}, received: { names: [] }, rules: 1 } }],
  ['names', { explanation: { fields: {}, received: { names: 1 } } }],
  ['rows', { explanation: { fields: {}, received: { names: [] }, groups: { table: { path: 'x' } } } }],
  ['reads', { event: 'handler_reads', reads: [{ path: 1 }] }],
])('%s of another form in what a handler printed ends nothing', async (_, printed) => {
  const text = JSON.stringify({ event: 'login', handler: 'handlers/own', ...printed });
  const records = [...logged, ...recordsOf(text)];
  const again = { functionName: fn.name, event: {}, frozenTime: null, requests: [] };
  const answered = { ...resultOf({ ...rest, records, result: response }, fn, stage), again };
  const login = { answered, event: {}, functionName: fn.name };
  expect(explain(login, { stage }, { showsValues: true })).not.toBe('');
  expect(mappingCoverages([{ sample: ofSample, answered }]).length).toBeLessThan(2);
  expect((await readsOf(login, { invoke: async () => answered }))?.reads ?? []).toEqual([]);
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
  expect(coldStartIn(output, null)).toEqual({ event: 'cold_start', handler: 'default' });
});

const record = { event: 'login', requestId: 'request-1', answer: 'AuthorizedUserResponse' };
const onLambda = { timestamp: '2026-11-21T10:00:00.000Z', level: 'INFO', requestId: 'request-1' };
test.each([
  ['its own line', { level: 'INFO', ...record }, { level: 'INFO', ...record }],
  ['the message of a line of Lambda', { ...onLambda, message: record }, { level: 'INFO', ...record }],
  ['a text that Lambda wrote', { ...onLambda, message: 'hello' }, { ...onLambda, message: 'hello' }],
  ['a record with a message', { level: 'DEBUG', message: 'hello' }, { level: 'DEBUG', message: 'hello' }],
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
