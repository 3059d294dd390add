/** For how long secrets serve, and what becomes of them while Secrets Manager fails: told by clocks that the test turns. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { hasAsked } from '../../lib/invocation.ts';
import { SecretFailed } from '../../lib/reasons.ts';
import { getBinarySecret, getJsonSecret, getSecret, rotatedSecret } from '../../lib/toolkit/secrets.ts';
import { inLogin } from '../support/logins.ts';
import { failure, playSecretsManager } from '../support/secretsManager.ts';

const VALUE = 'SECRET-VALUE-91c4';
/** The SDK corrects a clock that is minutes from the server's. */
const NOW = Date.now();
const NEW = { SecretString: 'new' };
const DENIED = failure('AccessDeniedException');
const DOWN = failure('InternalServiceError', 500);
const MISSING = failure('ResourceNotFoundException');

const manager = await playSecretsManager();
afterAll(() => manager.close());
Object.assign(process.env, manager.env);

/** An answer that comes when its test says, or is over. */
let late: PromiseWithResolvers<typeof MISSING>;
let started = 100_000;
let id = 'secret';
beforeEach(() => {
  // Each test has a secret of its own, long after the one before.
  id += '-';
  started += 10_000;
  at(0);
  jest.spyOn(Math, 'random').mockReturnValue(0);
  manager.AWSCURRENT = { SecretString: VALUE };
  manager.AWSPREVIOUS = MISSING;
  manager.requests.length = 0;
  late = Promise.withResolvers();
});
afterEach(() => late.resolve(MISSING));
/** Turns the clock to so many seconds after the test's start. */
function at(seconds: number): void {
  jest.spyOn(process, 'uptime').mockReturnValue(started + seconds);
}

/** Until so many requests have arrived, or there is no hope of it. */
async function requested(count: number): Promise<void> {
  for (let turns = 0; turns < 10_000 && manager.requests.length < count; turns++)
    await new Promise(setImmediate);
}

/** Until what was answered late has reached the client. */
async function arrived(): Promise<void> {
  for (let turns = 0; turns < 200; turns++) await new Promise(setImmediate);
}

const outcome = (asked: Promise<unknown>) => asked.catch(({ code, details }) => ({ code, ...details }));
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error) => (error instanceof SecretFailed ? error.code : error.message),
  );

test('errors may hold a secret once it is asked for', async () => {
  expect(hasAsked()).toBe(false);
  await getSecret(id);
  expect(hasAsked()).toBe(true);
});

test('tools are told of each secret that is asked for, also of one that is cached', async () => {
  const asked: unknown[] = [];
  const note = (message: unknown) => asked.push(message);
  subscribe('login-hooks:secret', note);
  await getSecret(id);
  await getSecret(id);
  unsubscribe('login-hooks:secret', note);
  expect(asked).toEqual([id, id]);
});

describe('a secret', () => {
  test('is text', async () => {
    expect(await getSecret(id)).toBe(VALUE);
    const problems = ['expected a binary secret, found text'];
    expect(await outcome(getBinarySecret(id))).toEqual({ code: 'secret_unusable', secretId: id, problems });
  });

  test('is bytes, in a copy that is the caller’s', async () => {
    manager.AWSCURRENT = { SecretBinary: 'AQL/' };
    (await getBinarySecret(id)).fill(0);
    expect([...(await getBinarySecret(id))]).toEqual([1, 2, 255]);
    expect(manager.requests).toHaveLength(1);
    const problems = ['expected text, found a binary secret'];
    expect(await outcome(getSecret(id))).toEqual({ code: 'secret_unusable', secretId: id, problems });
  });

  test.each([
    ['{"ok":true,"more":1}', { ok: true }],
    [VALUE, ['expected JSON']],
    [`{"ok":"${VALUE}"}`, ['expected a valid boolean']],
  ])('is JSON: %s', async (SecretString, expected) => {
    manager.AWSCURRENT = { SecretString };
    const told = { code: 'secret_unusable', secretId: id, problems: expected };
    const schema = v.object({ ok: v.boolean() });
    expect(await outcome(getJsonSecret(id, schema))).toEqual(Array.isArray(expected) ? told : expected);
  });

  test('has a previous version, which is cached apart', async () => {
    manager.AWSPREVIOUS = { SecretString: 'the one before' };
    for (let login = 0; login < 2; login++) {
      expect(await getSecret(id, { version: 'previous' })).toBe('the one before');
      expect(await getSecret(id)).toBe(VALUE);
      expect(await getSecret(id, { version: 'current' })).toBe(VALUE);
    }
    expect(manager.requests).toHaveLength(2);
  });

  test('is asked for again after five minutes, or by a refresh, at most once in 30 seconds', async () => {
    const REFRESH = { refresh: true };
    for (const [seconds, options, requests] of [
      [0, {}, 1],
      [299, {}, 1],
      [300, {}, 2],
      [301, REFRESH, 3],
      [302, REFRESH, 3],
      [330, REFRESH, 3],
      [332, REFRESH, 4],
    ] as const) {
      at(seconds);
      expect(await getSecret(id, options)).toBe(VALUE);
      expect(manager.requests).toHaveLength(requests);
    }
  });

  test('that fails is asked for again by the next login', async () => {
    manager.AWSCURRENT = DENIED;
    expect(await codeOf(getSecret(id))).toBe('secret_access_denied');
    manager.AWSCURRENT = { SecretString: VALUE };
    expect(await getSecret(id)).toBe(VALUE);
    manager.AWSCURRENT = NEW;
    expect(await getSecret(id, { refresh: true })).toBe('new');
  });
});

describe('a cached secret', () => {
  beforeEach(async () => {
    await getSecret(id);
  });

  test.each([
    ['secret_throttled', failure('ThrottlingException')],
    ['secret_service_failed', DOWN],
  ])('serves for 15 more minutes of %s, and nobody asks for 10 seconds', async (code, fails) => {
    manager.AWSCURRENT = fails;
    const requests = [3, 3, 5, 5, 7];
    for (const [index, seconds] of [300, 309.5, 310.5, 319, 1_199].entries()) {
      at(seconds);
      expect(await getSecret(id)).toBe(VALUE);
      expect(manager.requests.length).toBe(requests[index]);
    }
    at(1_200);
    expect(await codeOf(getSecret(id))).toBe(code);
    manager.AWSCURRENT = NEW;
    expect(await getSecret(id)).toBe('new');
  });

  test.each([
    [DENIED, 'secret_access_denied'],
    [MISSING, 'secret_not_found'],
  ])('is void after %j, whatever comes after', async (failure, code) => {
    manager.AWSCURRENT = failure;
    at(300);
    expect(await codeOf(getSecret(id))).toBe(code);
    manager.AWSCURRENT = DOWN;
    expect(await codeOf(getSecret(id))).toBe('secret_service_failed');
  });

  test('is void after a refresh that is denied', async () => {
    manager.AWSCURRENT = DENIED;
    expect(await codeOf(getSecret(id, { refresh: true }))).toBe('secret_access_denied');
    expect(await codeOf(getSecret(id))).toBe('secret_access_denied');
  });

  test('serves after half of the login’s time while Secrets Manager is silent', async () => {
    manager.AWSCURRENT = late.promise;
    at(300);
    const start = performance.now();
    expect(await inLogin(() => getSecret(id), { ms: 200 })).toBe(VALUE);
    expect(performance.now() - start).toBeGreaterThan(90);
    expect(await inLogin(() => getSecret(id), { ms: 200 })).toBe(VALUE);
    expect(manager.requests).toHaveLength(1 + 1);
  });

  test('serves after 1.5 seconds where the login has more time', async () => {
    manager.AWSCURRENT = late.promise;
    at(300);
    const start = performance.now();
    expect(await inLogin(() => getSecret(id), { ms: 20_000 })).toBe(VALUE);
    expect(performance.now() - start).toBeLessThan(9_000);
  });

  test('is void after a denial that comes when it has served', async () => {
    manager.AWSCURRENT = late.promise;
    at(300);
    expect(await inLogin(() => getSecret(id), { ms: 50 })).toBe(VALUE);
    await requested(2);
    late.resolve(DENIED);
    await arrived();
    manager.AWSCURRENT = DOWN;
    at(320);
    expect(await codeOf(getSecret(id))).toBe('secret_service_failed');
  });

  test('that is new stays, whatever becomes of an older request', async () => {
    manager.AWSCURRENT = late.promise;
    at(300);
    await codeOf(inLogin(() => getSecret(id), { ms: 50, expire: () => new Error('frozen') }));
    await requested(2);
    manager.AWSCURRENT = NEW;
    // The back-off after the silence is over.
    at(320);
    expect(await getSecret(id)).toBe('new');
    late.resolve(DENIED);
    await arrived();
    expect(await getSecret(id)).toBe('new');
    manager.AWSCURRENT = DOWN;
    at(620);
    expect(await getSecret(id)).toBe('new');
    expect(manager.requests).toHaveLength(1 + 1 + 1 + 2);
  });
});

describe('a secret and its rotation:', () => {
  const DAY_MS = 24 * 60 * 60_000;
  const date = jest.spyOn(Date, 'now');
  beforeEach(() => {
    date.mockReturnValue(NOW);
  });
  afterAll(() => date.mockRestore());
  const check = (value: string | Uint8Array) => {
    if (value === 'unusable') throw new SecretFailed('secret_unusable', id);
  };
  const rotated = (refresh = false, of = id) => rotatedSecret(of, { graceMs: DAY_MS, check, refresh });
  const madeAgo = (SecretString: string, ms: number) => ({ SecretString, CreatedDate: (NOW - ms) / 1_000 });

  test.each<[string, object, object, unknown]>([
    ['made today', madeAgo('new', 0), madeAgo('old', DAY_MS), ['new', 'old']],
    ['made a day ago', madeAgo('new', DAY_MS), madeAgo('old', 0), ['new']],
    ['of no known age', { SecretString: 'new' }, madeAgo('old', 0), ['new']],
    ['never rotated', madeAgo('new', 0), MISSING, ['new']],
    ['whose previous version is not to be read', madeAgo('new', 0), DENIED, ['new']],
    ['whose previous version fails', madeAgo('new', 0), DOWN, 'secret_service_failed'],
    ['of no use', madeAgo('unusable', 0), madeAgo('old', 0), 'secret_unusable'],
  ])('one %s', async (_, now, before, expected) => {
    [manager.AWSCURRENT, manager.AWSPREVIOUS] = [now, before];
    expect(await rotated().catch(({ code }) => code)).toEqual(expected);
  });

  test('it is cached apart from a single version, and refreshed', async () => {
    await getSecret(id);
    await rotated();
    expect(manager.requests).toHaveLength(2);
    await rotated(true);
    expect(manager.requests).toHaveLength(3);
  });

  test('a failure is thrown again for ten seconds, without a request', async () => {
    manager.AWSCURRENT = DENIED;
    for (const seconds of [0, 9.5, 10.5]) {
      at(seconds);
      expect(await codeOf(rotated())).toBe('secret_access_denied');
      expect(manager.requests).toHaveLength(seconds < 10 ? 1 : 2);
    }
    manager.AWSCURRENT = { SecretString: VALUE };
    at(21);
    expect(await rotated()).toEqual([VALUE]);
    // What failed before says nothing of what fails now.
    at(22);
    expect(await rotated(true)).toEqual([VALUE]);
  });

  test.each<[string, () => Error, boolean]>([
    ['secret_timed_out', () => new SecretFailed('secret_timed_out', id), true],
    ['too late', () => new Error('too late'), false],
  ])(
    'a deadline that passes with %s is thrown again where it is of secrets',
    async (code, expire, isAgain) => {
      manager.AWSCURRENT = late.promise;
      expect(await codeOf(inLogin(() => rotated(), { ms: 50, expire }))).toBe(code);
      manager.AWSCURRENT = { SecretString: VALUE };
      expect(await codeOf(inLogin(() => rotated()))).toBe(isAgain ? code : null);
    },
  );
});
