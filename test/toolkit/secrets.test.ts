/** For how long secrets serve, and what becomes of them while Secrets Manager fails: told by clocks that the test turns. */
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { hasAsked } from '../../lib/invocation.ts';
import { SecretFailed } from '../../lib/reasons.ts';
import { getBinarySecret, getJsonSecret, getSecret, rotatedSecret } from '../../lib/toolkit/secrets.ts';
import { inLogin } from '../support/logins.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';

const VALUE = 'SECRET-VALUE-91c4';
/** The SDK corrects a clock that is minutes from the server's. */
const NOW = Date.now();
const DENIED = { __type: 'AccessDeniedException' };
const DOWN = { __type: 'InternalServiceError' };
const MISSING = { __type: 'ResourceNotFoundException' };

let manager: LocalServer;
/** What the versions are, or how they fail. */
let current: object;
let previous: object;
/** Whether requests wait for their answer; and those that do. */
let isSilent: boolean;
const held: ((answer: object) => void)[] = [];
let isHeld = Promise.withResolvers<void>();

beforeAll(async () => {
  manager = await httpServer((_, response, body) => {
    const versions: Record<string, object> = { AWSCURRENT: current, AWSPREVIOUS: previous };
    if (isSilent) {
      held.push((answer) => send(response, answer));
      isHeld.resolve();
    } else send(response, versions[JSON.parse(body).VersionStage] ?? MISSING);
  });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: manager.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
});
afterAll(() => manager.close());

function send(response: ServerResponse, answer: object): void {
  sendJson(response, answer, answer === DOWN ? 500 : '__type' in answer ? 400 : 200);
}

let started = 100_000;
let id = 'secret';
beforeEach(() => {
  // Each test has a secret of its own, long after the one before.
  id += '-';
  started += 10_000;
  at(0);
  jest.spyOn(Math, 'random').mockReturnValue(0);
  current = { SecretString: VALUE };
  previous = MISSING;
  isSilent = false;
  isHeld = Promise.withResolvers();
  manager.requests.length = 0;
});
afterEach(() => {
  for (const answer of held.splice(0)) answer(MISSING);
});
/** Turns the clock to so many seconds after the test's start. */
function at(seconds: number): void {
  jest.spyOn(process, 'uptime').mockReturnValue(started + seconds);
}

/** The first request that waits for its answer. */
async function heldRequest(): Promise<(answer: object) => void> {
  await isHeld.promise;
  return held.shift() as (answer: object) => void;
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

describe('a secret', () => {
  test('is text', async () => {
    expect(await getSecret(id)).toBe(VALUE);
    const problems = ['expected a binary secret, found text'];
    expect(await outcome(getBinarySecret(id))).toEqual({ code: 'secret_unusable', secretId: id, problems });
  });

  test('is bytes, in a copy that is the caller’s', async () => {
    current = { SecretBinary: 'AQL/' };
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
    current = { SecretString };
    const told = { code: 'secret_unusable', secretId: id, problems: expected };
    const schema = v.object({ ok: v.boolean() });
    expect(await outcome(getJsonSecret(id, schema))).toEqual(Array.isArray(expected) ? told : expected);
  });

  test('has a previous version, which is cached apart', async () => {
    previous = { SecretString: 'the one before' };
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
    current = DENIED;
    expect(await codeOf(getSecret(id))).toBe('secret_access_denied');
    current = { SecretString: VALUE };
    expect(await getSecret(id)).toBe(VALUE);
    current = { SecretString: 'new' };
    expect(await getSecret(id, { refresh: true })).toBe('new');
  });
});

describe('a cached secret', () => {
  beforeEach(async () => {
    await getSecret(id);
  });

  test.each([
    ['is throttled', { __type: 'ThrottlingException' }],
    ['fails', DOWN],
  ])(
    'serves for 15 more minutes while Secrets Manager %s, which is left alone for 10 seconds',
    async (_, fails) => {
      current = fails;
      let requests = 1;
      for (const [seconds, isAsked] of [
        [300, true],
        [309.5, false],
        [310.5, true],
        [319, false],
        [1_199, true],
      ] as const) {
        at(seconds);
        expect(await getSecret(id)).toBe(VALUE);
        requests += isAsked ? 2 : 0;
        expect(manager.requests).toHaveLength(requests);
      }
      at(1_200);
      expect(await codeOf(getSecret(id))).toMatch(/^secret_(throttled|service_failed)$/);
      current = { SecretString: 'new' };
      expect(await getSecret(id)).toBe('new');
    },
  );

  test.each([
    [DENIED, 'secret_access_denied'],
    [MISSING, 'secret_not_found'],
  ])('is void after %j, whatever comes after', async (failure, code) => {
    current = failure;
    at(300);
    expect(await codeOf(getSecret(id))).toBe(code);
    current = DOWN;
    expect(await codeOf(getSecret(id))).toBe('secret_service_failed');
  });

  test('is void after a refresh that is denied', async () => {
    current = DENIED;
    expect(await codeOf(getSecret(id, { refresh: true }))).toBe('secret_access_denied');
    expect(await codeOf(getSecret(id))).toBe('secret_access_denied');
  });

  test('serves after half of the login’s time while Secrets Manager is silent', async () => {
    isSilent = true;
    at(300);
    const start = performance.now();
    expect(await inLogin(() => getSecret(id), { ms: 200 })).toBe(VALUE);
    expect(performance.now() - start).toBeGreaterThan(90);
    expect(manager.requests).toHaveLength(1 + 1);
  });

  test('serves after 1.5 seconds where the login has more time', async () => {
    isSilent = true;
    at(300);
    const start = performance.now();
    expect(await inLogin(() => getSecret(id), { ms: 20_000 })).toBe(VALUE);
    expect(performance.now() - start).toBeLessThan(9_000);
  });

  test('that is new stays, whatever becomes of an older request', async () => {
    isSilent = true;
    at(300);
    const frozen = codeOf(inLogin(() => getSecret(id), { ms: 50, expire: () => new Error('frozen') }));
    const answerLate = await heldRequest();
    await frozen;
    isSilent = false;
    current = { SecretString: 'new' };
    // The back-off after the silence is over.
    at(320);
    expect(await getSecret(id)).toBe('new');
    answerLate(DENIED);
    await arrived();
    expect(await getSecret(id)).toBe('new');
    current = DOWN;
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
    ['made a day ago less a second', madeAgo('new', DAY_MS - 1_000), madeAgo('old', 0), ['new', 'old']],
    ['made a day ago', madeAgo('new', DAY_MS), madeAgo('old', 0), ['new']],
    ['of no known age', { SecretString: 'new' }, madeAgo('old', 0), ['new']],
    ['never rotated', madeAgo('new', 0), MISSING, ['new']],
    ['whose previous version is not to be read', madeAgo('new', 0), DENIED, ['new']],
    ['whose previous version fails', madeAgo('new', 0), DOWN, 'secret_service_failed'],
    ['of no use', madeAgo('unusable', 0), madeAgo('old', 0), 'secret_unusable'],
    ['denied', DENIED, madeAgo('old', 0), 'secret_access_denied'],
  ])('one %s', async (_, now, before, expected) => {
    [current, previous] = [now, before];
    expect(await rotated().catch(({ code }) => code)).toEqual(expected);
  });

  test('the previous version is accepted for no longer than a day, cached or not', async () => {
    [current, previous] = [madeAgo('new', DAY_MS - 10_000), madeAgo('old', DAY_MS)];
    for (const [seconds, expected] of [
      [0, ['new', 'old']],
      [9, ['new', 'old']],
      [10, ['new']],
    ] as const) {
      at(seconds);
      date.mockReturnValue(NOW + seconds * 1_000);
      expect(await rotated()).toEqual(expected);
    }
    expect(manager.requests).toHaveLength(2);
  });

  test('it is cached apart from a single version, and refreshed', async () => {
    await getSecret(id);
    await rotated();
    expect(manager.requests).toHaveLength(2);
    await rotated(true);
    expect(manager.requests).toHaveLength(3);
  });

  test('a failure is thrown again for ten seconds, without a request', async () => {
    current = DENIED;
    for (const [seconds, requests] of [
      [0, 1],
      [9.5, 1],
      [10.5, 2],
    ] as const) {
      at(seconds);
      expect(await codeOf(rotated())).toBe('secret_access_denied');
      expect(manager.requests).toHaveLength(requests);
    }
    current = { SecretString: VALUE };
    at(21);
    expect(await rotated()).toEqual([VALUE]);
    // What failed before says nothing of what fails now.
    at(22);
    expect(await rotated(true)).toEqual([VALUE]);
  });

  test.each<[string, () => Error, string, string | null]>([
    [
      'one of secrets, at once',
      () => new SecretFailed('secret_timed_out', id),
      'secret_timed_out',
      'secret_timed_out',
    ],
    ['another one, never', () => new Error('too late'), 'too late', null],
  ])('a deadline that passes is thrown again where it is %s', async (_, expire, first, second) => {
    isSilent = true;
    expect(await codeOf(inLogin(() => rotated(), { ms: 50, expire }))).toBe(first);
    isSilent = false;
    expect(await codeOf(inLogin(() => rotated()))).toBe(second);
  });

  test('a failure counts though no login waits for it any more', async () => {
    isSilent = true;
    const late = codeOf(inLogin(() => rotated(), { ms: 50 }));
    const answerLate = await heldRequest();
    expect(await late).toBe('too late');
    isSilent = false;
    answerLate(DENIED);
    await arrived();
    expect(await codeOf(rotated())).toBe('secret_access_denied');
    expect(manager.requests).toHaveLength(1);
  });
});
