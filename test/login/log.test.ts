/** What is written, at which level, of a login, of errors and of what a handler left running. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Invocation, markAsked, runInInvocation } from '../../lib/invocation.ts';
import {
  createLog,
  describeWhole,
  describeWithoutMessage,
  logUnhandledErrors,
  messageOf,
} from '../../lib/login/log.ts';
import type { Login, Outcome } from '../../lib/login/login.ts';
import { recordLogin } from '../../lib/login/loginRecord.ts';
import type { Decision } from '../../lib/profile/decision.ts';
import { type Logging, readConfiguration } from '../../lib/readSettings.ts';
import { LoginError } from '../../lib/reasons.ts';
import { startedFunction } from '../support/oneLogin.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

let written: unknown[] = [];
/** The same for each level: what the console does with a record. */
let take = (record: unknown): void => void written.push(record);
beforeEach(() => {
  written = [];
  take = (record) => void written.push(record);
  for (const level of LEVELS) jest.spyOn(console, level).mockImplementation((record) => take(record));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const logOf = (level: Logging['level'], isJson = false) => createLog({ level, isJson });
/** The records, of lines of JSON. */
const records = () => written.map((line) => JSON.parse(String(line)));

describe('a record', () => {
  test.each<[Logging['level'], string[]]>([
    ['TRACE', ['DEBUG', 'INFO', 'WARN', 'ERROR']],
    ['DEBUG', ['DEBUG', 'INFO', 'WARN', 'ERROR']],
    ['INFO', ['INFO', 'WARN', 'ERROR']],
  ])('is written from the level %s on', (level, expected) => {
    const log = logOf(level);
    for (const name of LEVELS) log(name, () => ({ event: 'x', a: 1 }));
    expect(records()).toEqual(expected.map((name) => ({ level: name, event: 'x', a: 1 })));
  });

  test('is an object where the runtime writes JSON, by the console’s level', () => {
    const log = logOf('DEBUG', true);
    for (const name of LEVELS) log(name, () => ({ event: name }));
    expect(written).toEqual(LEVELS.map((event) => ({ event })));
    for (const level of LEVELS) expect(console[level]).toHaveBeenCalledTimes(1);
  });

  test('that cannot be made or written stops no login', () => {
    const fail = () => {
      throw Object.assign(new Error('write EAGAIN'), { code: 'EAGAIN' });
    };
    expect(() => logOf('INFO')('info', fail)).not.toThrow();
    take = fail;
    expect(() => logOf('INFO', true)('info', () => ({ event: 'first' }))).not.toThrow();
  });
});

describe('of a login', () => {
  const OUTCOME: Outcome = {
    ...{ type: 'AuthorizedUserResponse', reason: 'authorized', statusCode: 200, details: {} },
    decision: null,
  };
  const FACTS = { issuer: 'https://a.example', preferredLanguage: null, externalId: null, transientId: null };
  const explanation = { fields: {}, received: { names: ['email'], others: 0 } };
  const DECISION: Decision = {
    ...{ type: 'AuthorizedUserResponse', reason: 'authorized', words: null, missing: null },
    explain: () => explanation,
  };

  const loginOf = (outcome: Partial<Outcome> | null, fields: Partial<Login> = {}): Login => ({
    invocation: new Invocation({ awsRequestId: 'request-1' }, null),
    ...{ isColdStart: false, http: null, facts: null, outcome: outcome && { ...OUTCOME, ...outcome } },
    ...fields,
  });

  function write(logins: Login[], level: Logging['level'] = 'INFO', env: Record<string, string> = {}) {
    const { settings } = readConfiguration('OpenID', env);
    const { after, onError } = recordLogin(startedFunction({ log: logOf(level), settings }));
    expect(onError).toBe(after);
    for (const login of logins) void after?.({ context: { login } } as never);
    return records();
  }

  const RECORD = {
    ...{ event: 'login', requestId: 'request-1', function: 'openidLoggedIn', handler: 'handlers/staff' },
    ...{ answer: 'AuthorizedUserResponse', reason: 'authorized', status: 200 },
    ...{ durationMs: expect.any(Number), coldStart: false },
  };
  const INFO = { ...RECORD, level: 'INFO' };

  test('that has no outcome, as a self-test, nothing is written', () => {
    expect(write([loginOf(null)])).toEqual([]);
  });

  test.each<[number, string]>([
    [200, 'INFO'],
    [400, 'WARN'],
    [500, 'ERROR'],
  ])('the status %i is of the level %s', (statusCode, level) => {
    expect(write([loginOf({ statusCode })])).toEqual([{ ...RECORD, level, status: statusCode }]);
  });

  test('the duration is in milliseconds, to a hundredth', () => {
    const uptime = jest.spyOn(process, 'uptime').mockReturnValue(1);
    const login = loginOf({});
    uptime.mockReturnValue(2.234567);
    expect(write([login])[0].durationMs).toBe(1234.57);
  });

  test.each<[Partial<Outcome>, Partial<Login>, object]>([
    [{}, { facts: { ...FACTS, issuer: `a\n${'i'.repeat(300)}` } }, { issuer: `a${'i'.repeat(199)}` }],
    [{ decision: DECISION }, {}, {}],
    [{ decision: { ...DECISION, missing: ['email'] } }, {}, { missingCount: 1, missing: ['email'] }],
    [{ language: 'cs' }, {}, { language: 'cs' }],
  ])('with %j and %j has %j', (outcome, fields, expected) => {
    expect(write([loginOf(outcome, fields)])).toEqual([{ ...INFO, ...expected }]);
  });

  test('has the version of the code, where the deployment sets one', () => {
    const [record] = write([loginOf({})], 'INFO', { CODE_VERSION: 'd1g357' });
    expect(record).toEqual({ ...INFO, version: 'd1g357' });
  });

  test('says that the issuer is listed', () => {
    const env = { OPENID_ISSUERS: JSON.stringify({ [FACTS.issuer]: { audiences: ['a'] } }) };
    expect(write([loginOf({}, { facts: FACTS })], 'INFO', env)[0].issuerListed).toBe(true);
  });

  const REFUSED = { type: 'ForbiddenResponse', reason: 'rule_refused' } as const;

  test('the explanation is in the record of a refusal, and at level DEBUG alone of a profile', () => {
    const refused = { ...INFO, answer: REFUSED.type, reason: REFUSED.reason, explanation };
    const explained = { level: 'DEBUG', event: 'login_explanation', requestId: 'request-1', explanation };
    const logins = [
      loginOf({ ...REFUSED, decision: { ...DECISION, ...REFUSED } }),
      loginOf({ decision: DECISION }),
    ];
    expect(write(logins)).toEqual([refused, INFO]);
    written = [];
    expect(write(logins, 'DEBUG')).toEqual([refused, INFO, explained]);
  });

  test('of which the handler made something else, the explanation says what was decided', () => {
    const [record] = write([loginOf({ ...REFUSED, decision: DECISION })]);
    expect(record.explanation).toEqual({ ...explanation, decided: 'authorized' });
  });

  test('what a handler threw is its class and its frames, its message at level DEBUG alone', () => {
    const failure = { reason: 'handler_threw', statusCode: 500, cause: new RangeError('SECRET') } as const;
    const expected = { reason: 'handler_threw', error: { class: 'RangeError', frames: expect.any(Array) } };
    expect(write([loginOf(failure)])).toEqual([expect.objectContaining(expected)]);
    expect(String(written)).not.toContain('SECRET');
    written = [];
    expect(write([loginOf(failure)], 'DEBUG')).toEqual([
      expect.objectContaining(expected),
      { level: 'DEBUG', event: 'login_error_message', requestId: 'request-1', message: 'SECRET' },
    ]);
  });

  test('of which fields do not leave is a warning, once a process', () => {
    const login = loginOf({ details: { droppedFields: ['role'] } });
    const levels = write([loginOf({}), login, login, loginOf({})]).map(({ level, droppedFields }) => [
      level,
      droppedFields,
    ]);
    expect(levels).toEqual([
      ['INFO', undefined],
      ['WARN', ['role']],
      ['INFO', ['role']],
      ['INFO', undefined],
    ]);
  });
});

test('what a handler leaves running and that fails is logged, with its login, by one listener a process', () => {
  const listeners = new Map<string, (thrown: unknown) => void>();
  const on = jest.spyOn(process, 'on').mockImplementation((event, listener) => {
    listeners.set(String(event), listener as never);
    return process;
  });
  logUnhandledErrors(logOf('DEBUG'));
  logUnhandledErrors(logOf('DEBUG'));
  expect(on).toHaveBeenCalledTimes(2);
  const login = new Invocation({ awsRequestId: 'request-1' }, null);
  runInInvocation(login, () => listeners.get('unhandledRejection')?.(new TypeError('SECRET')));
  listeners.get('uncaughtException')?.(null);
  const unhandled = { level: 'ERROR', event: 'unhandled_error' };
  const message = { level: 'DEBUG', event: 'unhandled_error_message' };
  const error = { class: 'TypeError', frames: expect.any(Array) };
  expect(records()).toEqual([
    { ...unhandled, requestId: 'request-1', kind: 'unhandled rejection', error },
    { ...message, requestId: 'request-1', message: 'SECRET' },
    { ...unhandled, kind: 'uncaught exception', error: { class: 'object' } },
    { ...message, message: null },
  ]);
});

const SECRET = 'ada@example.org';

describe('an error of a login', () => {
  test.each<[string, unknown, string]>([
    ['an error whose message was changed', Object.assign(new Error(SECRET), { message: 'x' }), 'Error'],
    ['an error whose name is data', Object.assign(new Error('x'), { name: SECRET }), 'Error'],
    ['an error with a code that is data', Object.assign(new Error('x'), { code: SECRET }), 'Error'],
    ['a string', SECRET, 'string'],
    ['an object', { message: SECRET, constructor: { name: SECRET } }, 'object'],
  ])('%s is described without its message', (_, thrown, className) => {
    const description = describeWithoutMessage(thrown);
    expect(description.class).toBe(className);
    expect(JSON.stringify(description)).not.toContain(SECRET);
  });

  const atLines = (count: number) => Array.from({ length: count }, (_, line) => `    at /f:${line}:0`);

  test.each<[string, string[]]>([
    ['    at f (/x.mjs:1:2)', ['at /x.mjs:1:2']],
    ['    at /x.mjs:10:20', ['at /x.mjs:10:20']],
    ['    at f (C:\\x.mjs:1:2)', ['at C:\\x.mjs:1:2']],
    ['    at f (/x.mjs:1:2) more', []],
    ['      at f (/x.mjs:1:2)', []],
    [`    at ${SECRET} (/x.mjs:1:2)`, ['at /x.mjs:1:2']],
    [`    at f (/${SECRET}:1:2)`, []],
    [`    at /${'f'.repeat(400)}:1:2`, [`at /${'f'.repeat(296)}`]],
    [atLines(12).join('\n'), atLines(10).map((line) => line.trim())],
  ])('has of the frames %j', (frames, expected) => {
    for (const message of ['x', '', 'two\nlines']) {
      const error = Object.assign(new Error(message), { stack: `Error: ${message}\n${frames}` });
      expect(describeWithoutMessage(error).frames ?? []).toEqual(expected);
    }
  });

  const OF_ADA = '    at /users/ada:1:1';

  test.each<[what: string, message: string, stack: string, frames: string[]]>([
    ['whose message looks so', `x\n${OF_ADA}`, `Error: x\n${OF_ADA}\n    at /f:1:2`, ['at /f:1:2']],
    ['whose message stands in a frame', ':1:1', `Error: x\n${OF_ADA}\n    at /f:1:2`, []],
    ['whose message is not there, in a single line', 'four', `xyz${OF_ADA}`, []],
  ])('%s has the frames behind its message alone', (_, message, stack, frames) => {
    const error = Object.assign(new Error('x'), { message, stack });
    expect(describeWithoutMessage(error).frames).toEqual(frames.length > 0 ? frames : undefined);
  });

  test('has its code where the code is ours', () => {
    expect(describeWithoutMessage(new LoginError('body_missing')).code).toBe('body_missing');
  });

  test('has a bounded message', () => {
    expect(messageOf(new Error('x'.repeat(10_000)))).toBe('x'.repeat(4_000));
  });
});

describe('an error of loading', () => {
  test('is described whole, with its causes, to a depth and a length', () => {
    const error = new Error('outer', { cause: new TypeError('inner') });
    for (const part of ['Error: outer', 'TypeError: inner', 'log.test'])
      expect(describeWhole(error)).toContain(part);
    expect(describeWhole({ a: { b: { c: { d: { e: { f: 1 } } } } } })).toMatch(/e: \[Object\]/);
    expect(describeWhole('x'.repeat(10_000))).toHaveLength(4_000);
  });

  test('is described without what may be a secret, once one was asked for', () => {
    markAsked();
    const stack = `TypeError: ${SECRET}\n    at f (/x.mjs:1:2)\n    at async g (/y.mjs:3:4)`;
    const thrown = Object.assign(new TypeError(SECRET, { cause: SECRET }), { stack, SECRET });
    expect(describeWhole(thrown)).toBe('TypeError\n    at /x.mjs:1:2\n    at /y.mjs:3:4');
    expect(describeWhole(SECRET)).toBe('string');
    const failed = new LoginError('secret_not_found', { secretId: 'db' }, { cause: SECRET });
    expect(describeWhole(failed)).toMatch(/^secret_not_found {"secretId":"db"}\n {4}at /);
  });
});
