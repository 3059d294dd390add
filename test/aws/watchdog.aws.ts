/** A handler that never yields, under the client that runs functions on Lambda Managed Instances. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from '../../tools/bundle/build.ts';
import {
  answerCrowd,
  CROWD_BUNDLE,
  type CrowdAnswer,
  type CrowdLogin,
  crowdEnv,
  crowdLogin,
  POOL,
  playOutside,
} from '../support/crowd.ts';
import type { Kind } from '../support/handlers/crowd.ts';
import { type ConcurrentFunction, startConcurrentFunction } from '../support/lambda/concurrentFunction.ts';
import { processorSeconds } from '../support/lambda/processorTime.ts';
import type { LocalServer } from '../support/servers.ts';
import { runtimeInterfaceClient } from './machine/runtimeInterfaceClient.ts';

const NAME = 'openidLoggedIn';
const TIMEOUT_MS = 3_000;
const BLOCKING: Kind[] = [
  'blocks in a loop',
  'blocks in a regular expression',
  'blocks after a look-up',
  'blocks in a timer',
  'blocks in native code',
];
/** One thread more than are blocked one after the other. */
const CONCURRENCY = { maxConcurrency: 64, workers: BLOCKING.length + 1 };
/** A thread has so many logins at most that it has taken and that its handler is not busy with. */
const ON_THEIR_WAY = 5;
const ANSWERED = expect.objectContaining({ type: 'AuthorizedUserResponse', first_name: 'waits' });

let outside: LocalServer;
let fn: ConcurrentFunction;
beforeAll(async () => {
  await build(CROWD_BUNDLE);
  outside = await playOutside(5);
  fn = await started();
});
afterAll(async () => {
  await fn?.stop();
  await outside?.close();
});

async function started(): Promise<ConcurrentFunction> {
  const clientFile = runtimeInterfaceClient() ?? '';
  const env = { ...crowdEnv(outside), ...POOL, HANDLER_TIMEOUT_MS: '800' };
  const { outdir: root } = CROWD_BUNDLE;
  const running = await startConcurrentFunction({
    name: NAME,
    root,
    env,
    clientFile,
    concurrency: CONCURRENCY,
  });
  await running.ready();
  return running;
}

let count = 0;
/** A login of a kind, and what becomes of it. */
function begin(kind: Kind): { login: CrowdLogin; answer: Promise<CrowdAnswer> } {
  const login = { ...crowdLogin(count++, kind), timeoutMs: TIMEOUT_MS };
  return { login, answer: answerCrowd(fn, NAME, login) };
}

const crowd = (size: number) => Array.from({ length: size }, () => begin('waits'));
const answersOf = (begun: ReturnType<typeof begin>[]) => Promise.all(begun.map(({ answer }) => answer));

interface Blocked {
  requestIds: string[];
  blockedMs: number;
}

const blocked = () => fn.records().filter(({ event }) => event === 'worker_blocked');

/** @throws {Error} where the thread that has the login is not found blocked in time */
async function recordOf({ requestId }: CrowdLogin): Promise<Blocked> {
  for (const begun = Date.now(); Date.now() - begun < 2 * TIMEOUT_MS; await setTimeout(50)) {
    const record = blocked().find(({ requestIds }) => (requestIds as string[]).includes(requestId));
    if (record) return record as unknown as Blocked;
  }
  throw new Error(`no thread is said to be blocked: ${fn.output().slice(-2_000)}`);
}

test('a handler that is busy for a while is left alone', async () => {
  const { login, answer } = begin('is busy for a while');
  const company = crowd(60);
  expect(await answer).toMatchObject({ message: expect.stringContaining(login.requestId) });
  await answersOf(company);
  await setTimeout(1_000);
  expect(blocked()).toEqual([]);
});

test.each(BLOCKING)('a handler that %s is named, and the other threads answer', async (kind) => {
  const company = crowd(60);
  const { login, answer } = begin(kind);
  company.push(...crowd(60));
  const record = await recordOf(login);
  expect(record).toMatchObject({ level: 'FATAL', function: NAME, handler: 'handlers/crowd' });
  expect(record.blockedMs).toBeGreaterThan(1_000);
  company.push(...crowd(100));

  // Lost are logins of the blocked thread alone: those that the record names, and those on their way to its handler or back.
  expect(await answer).toBe('time-out');
  const answers = await answersOf(company);
  const lost = company
    .filter((_, index) => answers[index] === 'time-out')
    .map(({ login }) => login.requestId);
  expect(lost.filter((id) => !record.requestIds.includes(id)).length).toBeLessThanOrEqual(ON_THEIR_WAY);
  expect(answers.filter((other) => other !== 'time-out')).toEqual(
    Array(answers.length - lost.length).fill(ANSWERED),
  );
  expect(await answersOf(crowd(100))).toEqual(Array(100).fill(ANSWERED));
});

test('threads that are stopped take no time of a processor', async () => {
  const before = processorSeconds(fn.pid);
  await setTimeout(1_000);
  expect(processorSeconds(fn.pid) - before).toBeLessThan(0.5);
});

test('where the last thread is blocked the process ends, and a fresh one answers', async () => {
  const { login, answer } = begin('blocks in a loop');
  await recordOf(login);
  await fn.ended;
  expect(await answer).toBe('crash');
  expect(fn.records().at(-1)).toMatchObject({
    level: 'FATAL',
    event: 'environment_ended',
    requestIds: [login.requestId],
  });
  await fn.stop();
  fn = await started();
  expect(await answersOf(crowd(100))).toEqual(Array(100).fill(ANSWERED));
});
