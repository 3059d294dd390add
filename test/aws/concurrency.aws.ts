/** Many logins at the same time in one process, under the client that runs functions on Lambda Managed Instances. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from '../../tools/bundle/build.ts';
import type { FunctionName } from '../support/bundle.ts';
import {
  answerCrowd,
  CROWD_BUNDLE,
  type CrowdAnswer,
  type CrowdLogin,
  crowdLogin,
  POOL,
  playOutside,
  TWO_WORKERS,
  withCrowd,
} from '../support/crowd.ts';
import type { Kind } from '../support/handlers/crowd.ts';
import type { ConcurrentFunction } from '../support/lambda/concurrentFunction.ts';
import type { LocalServer } from '../support/servers.ts';

const LOGINS = 2_000;
const OUTSIDE_MS = 20;
const FUNCTIONS: FunctionName[] = ['openidLoggedIn', 'samlLoggedIn'];
/** What the function keeps back of an invocation's time. */
const MARGIN_MS = 500;

const refused = (reason: string) => ({ reason, affiliation: null });
const authorized = (affiliation: unknown) => ({ reason: 'authorized', affiliation });

/** What each kind of login is answered. */
const EXPECTED: Partial<Record<Kind, (login: CrowdLogin) => { reason: string; affiliation: unknown }>> = {
  waits: () => authorized(''),
  'looks up': ({ email }) => authorized(email),
  'shares a look-up': () => authorized('shared@example.org'),
  'shares a secret': ({ secret }) => authorized(`value of ${secret}`),
  throws: () => refused('handler_threw'),
  hangs: () => refused('handler_timed_out'),
  'waits for its deadline': () => refused('handler_timed_out'),
  'says what is left': () => authorized(expect.stringMatching(/^\d+$/)),
  'leaves a promise behind': () => authorized(''),
  'leaves a timer behind': () => authorized(''),
};
const KINDS = Object.keys(EXPECTED) as Kind[];
const LEAVING: Kind[] = ['leaves a promise behind', 'leaves a timer behind'];

let outside: LocalServer;
beforeAll(async () => {
  await build(CROWD_BUNDLE);
  outside = await playOutside(OUTSIDE_MS);
});
afterAll(() => outside.close());

describe.each(FUNCTIONS)('%s answers thousands of logins, 64 at a time', (name) => {
  const logins = Array.from({ length: LOGINS }, (_, number) =>
    crowdLogin(number, KINDS[number % KINDS.length] as Kind),
  );
  let answers: CrowdAnswer[];
  let fn: ConcurrentFunction;
  beforeAll(async () => {
    outside.requests.length = 0;
    const crowd = await withCrowd(name, outside, {}, async (running) => {
      const all = await Promise.all(logins.map((login) => answerCrowd(running, name, login)));
      // What the last logins left behind fails now.
      await new Promise((resolve) => setTimeout(resolve, 100));
      return all;
    });
    ({ result: answers, fn } = crowd);
  }, 60_000);

  const of = (kind: Kind) =>
    logins.flatMap((login, index) => (login.kind === kind ? [{ login, answer: answers[index] }] : []));
  const recordsOf = (event: string) =>
    fn.lines().filter(({ message }) => (message as Record<string, unknown>).event === event);

  test.each(KINDS)('a login that %s', (kind) => {
    const cases = of(kind);
    expect(cases.length).toBeGreaterThan(100);
    for (const { login, answer } of cases) {
      const { email, requestId } = login;
      const { reason, affiliation } = EXPECTED[kind]?.(login) ?? {};
      const own = { first_name: kind, last_name: email, email, affiliation };
      const reference = { type: 'ErrorResponse', message: expect.stringContaining(requestId) };
      expect(answer).toEqual(reason === 'authorized' ? expect.objectContaining(own) : reference);
    }
  });

  test('each login has one record, with the id, the reason and the duration of its own', () => {
    const records = new Map(recordsOf('login').map((line) => [line.requestId, line.message]));
    expect(recordsOf('login')).toHaveLength(LOGINS);
    for (const { requestId, timeoutMs, ...login } of logins) {
      const { reason } = EXPECTED[login.kind]?.({ requestId, timeoutMs, ...login }) ?? {};
      const record = records.get(requestId) as Record<string, unknown>;
      expect(record).toMatchObject({ requestId, reason, handler: 'handlers/crowd' });
      const deadlineMs = timeoutMs - MARGIN_MS;
      if (reason === 'handler_timed_out') {
        expect(record.durationMs).toBeGreaterThan(deadlineMs - MARGIN_MS);
        expect(record.durationMs).toBeLessThan(deadlineMs + MARGIN_MS);
      }
    }
  });

  test('what is left of a login is of its own deadline', () => {
    for (const { login, answer } of of('says what is left')) {
      const { affiliation } = answer as { affiliation: string };
      expect(Number(affiliation)).toBeLessThanOrEqual(login.timeoutMs - MARGIN_MS);
      expect(Number(affiliation)).toBeGreaterThan(login.timeoutMs - 2 * MARGIN_MS);
    }
  });

  test('every line of the log has the request id of its record', () => {
    const lines = fn.lines().filter(({ message }) => Object.hasOwn(message as object, 'requestId'));
    expect(lines.length).toBeGreaterThanOrEqual(LOGINS);
    for (const { requestId, message } of lines) expect(message).toMatchObject({ requestId });
  });

  test('what a login leaves behind harms no login, and is logged with its id and without its message', () => {
    const ids = LEAVING.flatMap((kind) => of(kind).map(({ login }) => login.requestId));
    const strays = recordsOf('unhandled_error').map(({ requestId }) => requestId);
    expect(strays.toSorted()).toEqual(ids.toSorted());
    expect(fn.output()).not.toContain('person-');
  });

  test('logins of a thread share requests', () => {
    const secrets = outside.requests.filter(({ path }) => path === '/');
    const shared = outside.requests.filter(({ path }) => path.includes('shared'));
    expect(secrets.length).toBeLessThanOrEqual(5 * TWO_WORKERS.workers);
    expect(shared.length).toBeLessThanOrEqual(TWO_WORKERS.workers);
  });

  test('each thread has a cold start of its own, and no answer comes twice', () => {
    expect(recordsOf('cold_start').map(({ requestId }) => requestId)).toEqual(['-', '-']);
    const first = recordsOf('login').filter(({ message }) => (message as { coldStart: boolean }).coldStart);
    expect(first).toHaveLength(TWO_WORKERS.workers);
    expect(fn.unexpected()).toEqual([]);
  });
});

test('a log that nobody reads stops no login; when it is read again, it says how many records were lost', async () => {
  const some = (from: number) =>
    Array.from({ length: 1_000 }, (_, number) => crowdLogin(from + number, 'waits'));
  const { fn } = await withCrowd('openidLoggedIn', outside, {}, async (running) => {
    const answerAll = (logins: CrowdLogin[]) =>
      Promise.all(logins.map((login) => answerCrowd(running, 'openidLoggedIn', login)));
    running.log.pause();
    for (const answer of await answerAll(some(0))) expect(answer).toMatchObject({ first_name: 'waits' });
    running.log.resume();
    for (const answer of await answerAll(some(1_000))) expect(answer).toMatchObject({ first_name: 'waits' });
  });
  const losses = fn.records().filter(({ event }) => event === 'log_records_lost');
  expect(losses.length).toBeGreaterThan(0);
});

test('many worker threads that wait for logins leave the pool of threads to look-ups', async () => {
  const options = { env: POOL, concurrency: { maxConcurrency: 64, workers: 8 } };
  const { result } = await withCrowd('openidLoggedIn', outside, options, (running) =>
    answerCrowd(running, 'openidLoggedIn', crowdLogin(1, 'looks up')),
  );
  expect(result).toMatchObject({ affiliation: 'person-1@example.org' });
});
