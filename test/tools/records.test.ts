import { expect, test } from '@jest/globals';
import { recordsOf } from '../../tools/local/process/logRecords.ts';

const record = { event: 'login', requestId: 'request-1', answer: 'AuthorizedUserResponse' };
const onLambda = { timestamp: '2026-11-21T10:00:00.000Z', level: 'INFO', requestId: 'request-1' };

test.each([
  ['its own line', { level: 'INFO', ...record }, { level: 'INFO', ...record }],
  ['the message of a line of Lambda', { ...onLambda, message: record }, { level: 'INFO', ...record }],
  ['a text that Lambda wrote', { ...onLambda, message: 'hello' }, { ...onLambda, message: 'hello' }],
  ['a record with a message', { level: 'DEBUG', message: 'hello' }, { level: 'DEBUG', message: 'hello' }],
])('a record is read where it is %s', (_, line, expected) => {
  expect(recordsOf(`${JSON.stringify(line)}\n`)).toEqual([expected]);
});

test('what is no record is left out', () => {
  expect(recordsOf('hello\n{ not JSON\n\n[1]\n')).toEqual([]);
});
