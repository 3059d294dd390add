/** What is written of a login, at which level, and of what a handler left running. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Invocation, runInInvocation } from '../../lib/invocation.ts';
import { createLog, logLogin, logUnhandledErrors } from '../../lib/login/log.ts';
import { Login, type Outcome } from '../../lib/login/login.ts';
import type { Logging } from '../../lib/settings.ts';

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
    ['WARN', ['WARN', 'ERROR']],
    ['ERROR', ['ERROR']],
    ['FATAL', []],
  ])('is written from the level %s on', (level, expected) => {
    const log = logOf(level);
    log.debug(() => ({ event: 'x', a: 1 }));
    for (const name of ['info', 'warn', 'error'] as const) log[name]({ event: 'x', a: 1 });
    expect(records()).toEqual(expected.map((name) => ({ level: name, event: 'x', a: 1 })));
  });

  test('at level DEBUG is made only where it is written', () => {
    logOf('INFO').debug(() => {
      throw new Error('made');
    });
    expect(written).toEqual([]);
  });

  test('is an object where the runtime writes JSON, by the console’s level', () => {
    const log = logOf('DEBUG', true);
    log.debug(() => ({ event: 'd' }));
    for (const name of ['info', 'warn', 'error'] as const) log[name]({ event: name });
    expect(written).toEqual([{ event: 'd' }, { event: 'info' }, { event: 'warn' }, { event: 'error' }]);
    for (const level of LEVELS) expect(console[level]).toHaveBeenCalledTimes(1);
  });

  test('that cannot be written stops no login', () => {
    take = () => {
      throw Object.assign(new Error('write EAGAIN'), { code: 'EAGAIN' });
    };
    expect(() => logOf('INFO', true).info({ event: 'first' })).not.toThrow();
  });
});

describe('of a login', () => {
  const AUTHORIZED: Outcome = {
    type: 'AuthorizedUserResponse',
    reason: 'authorized',
    statusCode: 200,
    details: {},
    trace: null,
  };
  const trace = () => ({ fields: {}, received: { names: ['email'], others: 0 } });

  function loginOf(outcome: Partial<Outcome> | null, fields: Partial<Login> = {}): Login {
    const login = new Login(new Invocation({ awsRequestId: 'request-1' }, null), false);
    return Object.assign(login, { outcome: outcome && { ...AUTHORIZED, ...outcome } }, fields);
  }

  function write(logins: Login[], level: Logging['level'] = 'INFO', issuers: string[] = []) {
    const { after, onError } = logLogin({
      name: 'openidLoggedIn',
      handlerSource: 'handlers/staff',
      log: logOf(level),
      issuers: new Map(issuers.map((issuer) => [issuer, {}])),
    });
    expect(onError).toBe(after);
    for (const login of logins) void after?.({ context: { login } } as never);
    return records();
  }

  const RECORD = {
    event: 'login',
    requestId: 'request-1',
    function: 'openidLoggedIn',
    answer: 'AuthorizedUserResponse',
    reason: 'authorized',
    status: 200,
    durationMs: expect.any(Number),
    coldStart: false,
    handler: 'handlers/staff',
  };

  test('that has no outcome, as a self-test, nothing is written', () => {
    expect(write([loginOf(null)])).toEqual([]);
  });

  test.each<[number, string]>([
    [200, 'INFO'],
    [399, 'INFO'],
    [400, 'WARN'],
    [499, 'WARN'],
    [500, 'ERROR'],
    [504, 'ERROR'],
  ])('the status %i is of the level %s', (statusCode, level) => {
    expect(write([loginOf({ statusCode })])).toEqual([{ ...RECORD, level, status: statusCode }]);
  });

  test('the duration is in milliseconds, to a hundredth', () => {
    const startedAt = process.uptime() * 1_000 - 1_234;
    const [record] = write([loginOf({}, { startedAt })]);
    expect(Math.floor(record.durationMs / 100)).toBe(12);
    expect(String(record.durationMs)).toMatch(/^\d+(\.\d{1,2})?$/);
  });

  test.each<[object, object]>([
    [{ issuer: 'https://idp.example.org' }, { issuer: 'https://idp.example.org' }],
    [{ issuer: 'i'.repeat(300) }, { issuer: 'i'.repeat(200) }],
    [{ issuer: '' }, { issuer: '' }],
    [{ missing: null }, {}],
    [{ missing: [] }, { missingCount: 0 }],
    [{ missing: ['email', 'affiliation'] }, { missingCount: 2, missing: ['email', 'affiliation'] }],
    [{ isColdStart: true }, { coldStart: true }],
  ])('with %j has %j', (fields, expected) => {
    expect(write([loginOf({}, fields)])).toEqual([{ ...RECORD, level: 'INFO', ...expected }]);
  });

  test.each<[string | null, string[], true | undefined]>([
    ['https://a.example', ['https://a.example'], true],
    ['https://a.example', ['https://b.example'], undefined],
    ['https://a.example', [], undefined],
    [null, ['https://a.example'], undefined],
  ])('of the issuer %p, where %j are listed, issuerListed is %p', (issuer, listed, expected) => {
    expect(write([loginOf({}, { issuer })], 'INFO', listed)[0].issuerListed).toBe(expected);
  });

  test('details are part of the record', () => {
    const details = { problems: ['expiresIn: expected an integer'] };
    expect(write([loginOf({ details })])).toEqual([{ ...RECORD, level: 'INFO', ...details }]);
  });

  test('a trace is in the record of a refusal, and at level DEBUG alone of a profile', () => {
    const refusal = { type: 'ForbiddenResponse', reason: 'rule_refused', trace } as const;
    const refused = {
      ...RECORD,
      level: 'INFO',
      answer: refusal.type,
      reason: refusal.reason,
      trace: trace(),
    };
    const admitted = { ...RECORD, level: 'INFO' };
    const traced = { level: 'DEBUG', event: 'login_trace', requestId: 'request-1', trace: trace() };
    const logins = [loginOf(refusal), loginOf({ trace })];
    expect(write(logins)).toEqual([refused, admitted]);
    written = [];
    expect(write(logins, 'DEBUG')).toEqual([refused, admitted, traced]);
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

  test('fields that do not leave are a warning once a process', () => {
    const dropped = (name: string) => loginOf({ details: { droppedFields: [name] } });
    expect(write([loginOf({}), dropped('role'), dropped('group')])).toEqual([
      { ...RECORD, level: 'INFO' },
      {
        level: 'WARN',
        event: 'answer_fields_dropped',
        function: 'openidLoggedIn',
        handler: 'handlers/staff',
        droppedFields: ['role'],
      },
      { ...RECORD, level: 'INFO', droppedFields: ['role'] },
      { ...RECORD, level: 'INFO', droppedFields: ['group'] },
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
  const other = new Invocation({ awsRequestId: 'request-2' }, null);
  runInInvocation(login, () => listeners.get('unhandledRejection')?.(new TypeError('SECRET')));
  runInInvocation(other, () => listeners.get('uncaughtException')?.('SECRET'));
  listeners.get('uncaughtException')?.(null);
  const error = { class: 'TypeError', frames: expect.any(Array) };
  const message = { level: 'DEBUG', event: 'unhandled_error_message', message: 'SECRET' };
  expect(records()).toEqual([
    { level: 'ERROR', event: 'unhandled_error', requestId: 'request-1', kind: 'unhandled rejection', error },
    { ...message, requestId: 'request-1' },
    {
      level: 'ERROR',
      event: 'unhandled_error',
      requestId: 'request-2',
      kind: 'uncaught exception',
      error: { class: 'string' },
    },
    { ...message, requestId: 'request-2' },
    { level: 'ERROR', event: 'unhandled_error', kind: 'uncaught exception', error: { class: 'object' } },
    { ...message, message: null },
  ]);
});
