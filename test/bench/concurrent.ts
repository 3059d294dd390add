/** Many logins at the same time in one process, under the client that runs functions on Lambda Managed Instances. */
import { join } from 'node:path';
import { build, DIST } from '../../tools/bundle/build.ts';
import { sampleEvent } from '../../tools/local/events.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { runtimeInterfaceClient } from '../aws/machine/runtimeInterfaceClient.ts';
import { type ConcurrentFunction, startConcurrentFunction } from '../support/lambda/concurrentFunction.ts';
import { processorSeconds } from '../support/lambda/processorTime.ts';
import { withComparison } from './comparison.ts';
import { slowServer } from './slowServer.ts';
import { median } from './statistics.ts';

const LEVELS = [1, 8, 64, 256];
const WORKERS = 2;
const ROUNDS = 3;
const ROUND_MS = 1_500;
const LOOK_UP_MS = 50;
const ROOT = join(PROJECT, '.build', 'bench');

interface Case {
  name: string;
  root: string;
  event: unknown;
  env: Record<string, string>;
}

export const CONCURRENT_TITLE = `Many logins at the same time: logins a second a core, in ${WORKERS} worker threads, against an empty function; and logins a second`;
export const CONCURRENT_HEADER = [
  'in flight',
  'empty, a core',
  'login, a core',
  'ratio',
  `look-up of ${LOOK_UP_MS} ms, a core`,
  'ratio',
  'empty',
  'login',
  'look-up',
];

/**
 * Rows of how many are in flight; what one core could do a second of each, by the time that the process used, and its ratio to
 * the empty function; and what was done a second. A row that says what to do where the client is not installed.
 */
export async function concurrentLogins(): Promise<string[][]> {
  const clientFile = runtimeInterfaceClient();
  if (clientFile === null) return [["npm run test:aws installs Lambda's runtime client, which this needs"]];
  await build({ outdir: ROOT, extraHandler: join(PROJECT, 'test', 'bench', 'handlers', 'outside.ts') });
  const server = await slowServer(LOOK_UP_MS);
  try {
    return await withComparison(async (root) => {
      const event = await sampleEvent('openidLoggedIn', 'entra');
      const outside = { OPENID_HANDLER_MODULE: 'handlers/outside', BENCH_URL: server.url };
      const cases: Case[] = [
        { name: 'empty', root, event, env: {} },
        { name: 'openidLoggedIn', root: DIST, event, env: {} },
        { name: 'openidLoggedIn', root: ROOT, event, env: outside },
      ];
      const rows = [];
      for (const level of LEVELS) rows.push(await row(clientFile, cases, level));
      return rows;
    });
  } finally {
    await server.close();
  }
}

async function row(clientFile: string, cases: Case[], level: number): Promise<string[]> {
  const concurrency = { maxConcurrency: level, workers: WORKERS };
  const functions = await Promise.all(
    cases.map(async ({ event, ...code }) => {
      const fn = await startConcurrentFunction({ ...code, clientFile, concurrency });
      await fn.ready();
      return { fn, event, rates: [] as Rate[] };
    }),
  );
  // In turns, so that drift hits all alike. The first turn is for the compiler, and does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { fn, event, rates } of functions) {
      const rate = await rateOf(fn, event, level);
      if (round > 0) rates.push(rate);
    }
  }
  await Promise.all(functions.map(({ fn }) => fn.stop()));
  const [empty = 0, login = 0, lookUp = 0] = functions.map(({ rates }) =>
    median(rates.map(({ aCore }) => aCore)),
  );
  const done = functions.map(({ rates }) => median(rates.map(({ aSecond }) => aSecond)).toFixed(0));
  const ratio = (rate: number) => (empty / rate).toFixed(2);
  const shown = [empty.toFixed(0), login.toFixed(0), ratio(login), lookUp.toFixed(0), ratio(lookUp)];
  return [String(level), ...shown, ...done];
}

interface Rate {
  aSecond: number;
  /** By the time that the process used a processor. */
  aCore: number;
}

/** @throws {Error} where a login is not answered as it should: an error is quicker than a login */
async function rateOf(fn: ConcurrentFunction, event: unknown, level: number): Promise<Rate> {
  const start = performance.now();
  const used = processorSeconds(fn.pid);
  let count = 0;
  const goOn = async () => {
    while (performance.now() - start < ROUND_MS) {
      const { message = '' } = (await fn.invoke(event)) as { message?: string };
      if (message.includes('Reference')) throw new Error(fn.output().slice(-2_000));
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: level }, goOn));
  const seconds = (performance.now() - start) / 1_000;
  return { aSecond: count / seconds, aCore: count / (processorSeconds(fn.pid) - used) };
}
