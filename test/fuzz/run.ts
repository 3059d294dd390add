/** `npm run fuzz`: calls the built functions with whatever fast-check can think of, and holds what they answer to invariants. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../tools/bundle/build.ts';
import { startCommand, UnusableInput, wholeNumber } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { table } from '../../tools/shared/table.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { withHandler } from '../support/withHandler.ts';
import type { Checked } from './invariant.ts';
import { HANDLER, SITUATIONS, type SituationName } from './situation.ts';
import type { Message, Order } from './worker.ts';

const RUNS = 5_000;
const MAX_SEED = 2 ** 31;
const MAX_NUMBER = 10 ** 10;
const MAX_WORKERS = 64;
const MAX_HEAP_MB = 512;
/** A login that keeps its process busy for good ends here. */
const MAX_SILENCE_MS = 600_000;
const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const HEADER = ['invariant', 'seed', 'inputs', 'ms', 'got in'];

const COMMAND = {
  name: 'fuzz',
  purpose: 'sends hostile inputs through the built functions, and holds their answers to invariants',
  options: {
    seed: { type: 'string', value: '<n>', about: 'repeats a run; default: a new one each time' },
    runs: {
      type: 'string',
      value: '<n>',
      default: String(RUNS),
      about: 'how many inputs each invariant is tried with',
    },
    only: { type: 'string', value: '<name>', about: 'tries the invariants that have this in their names' },
    path: { type: 'string', value: '<path>', about: 'goes straight to the input that a failure names' },
    workers: {
      type: 'string',
      value: '<count>',
      about: 'processes at the same time, each with a seed of its own; default: one a processor',
    },
  },
  example: '--runs 20000 --only groups',
  found: 'an answer broke an invariant',
} as const satisfies Command;

await startCommand(COMMAND, async ({ values }) => {
  const seed = wholeNumber('--seed', values.seed ?? String(randomSeed()), 0, MAX_NUMBER);
  const runs = wholeNumber('--runs', values.runs, 1, MAX_NUMBER);
  const workers = wholeNumber('--workers', values.workers ?? String(availableParallelism()), 1, MAX_WORKERS);
  const { only = '', path } = values;
  console.log(`seed ${seed}\n`);
  const root = join(PROJECT, '.build', 'fuzz');
  await build({ outdir: root, entries: withHandler(HANDLER) });
  const names = Object.keys(SITUATIONS) as SituationName[];
  const orders = Array.from({ length: workers }, (_, index) => seed + index).flatMap((seed) =>
    names.map((situation): Order => {
      const order = { situation, root, seed, runs: Math.ceil(runs / workers), only };
      return path === undefined ? order : { ...order, path };
    }),
  );
  const tried = await inTurn(orders, workers);
  if (tried.length === 0) throw new UnusableInput(`--only: no invariant has ${only} in its name`);
  console.log(table(HEADER, tried.map(row)));
  for (const one of tried) if (one.failure) console.log(described(one, one.failure));
  const failed = tried.filter(({ failure }) => failure).length;
  const inputs = tried.reduce((sum, { runs }) => sum + runs, 0);
  console.log(`\n${inputs} inputs: ${tried.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
});

interface Tried extends Checked {
  seed: number;
}

function randomSeed(): number {
  return Math.floor(Math.random() * MAX_SEED);
}

/** So many at once. */
async function inTurn(orders: Order[], workers: number): Promise<Tried[]> {
  const results: Tried[][] = [];
  const left = orders.entries();
  const takeNext = async () => {
    for (const [index, order] of left) results[index] = await tryIn(order);
  };
  await Promise.all(Array.from({ length: workers }, takeNext));
  return results.flat();
}

/** Whatever happens to the process, its invariants have a result. */
async function tryIn(order: Order): Promise<Tried[]> {
  const { seed } = order;
  const child = fork(WORKER, {
    env: { PATH: process.env.PATH ?? '', AWS_LAMBDA_LOG_LEVEL: 'DEBUG' },
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
  });
  const results: Tried[] = [];
  let trying = 'start';
  let silence: NodeJS.Timeout | undefined;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => child.kill('SIGKILL'), MAX_SILENCE_MS);
  };
  child.on('message', (message: Message) => {
    listen();
    if ('trying' in message) trying = message.trying;
    else results.push({ ...message.checked, seed });
  });
  listen();
  child.send(order);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(silence);
  if (code === 0) return results;
  const error = `the process ended (${signal ?? code})`;
  const failure = { counterexample: 'unknown', error, path: '' };
  return [...results, { name: trying, runs: 0, ms: 0, authorized: 0, seed, failure }];
}

function row({ name, seed, runs, ms, authorized, failure }: Tried): string[] {
  const cells = [name, String(seed), String(runs), ms.toFixed(0), String(authorized)];
  return failure ? [...cells, 'FAILED'] : cells;
}

function described({ name, seed }: Tried, failure: NonNullable<Checked['failure']>): string {
  const { error, counterexample, path } = failure;
  const again = `npm run fuzz -- --workers 1 --seed ${seed} --only '${name}' --path '${path}'`;
  return `\nFAILED: ${name}\n  ${error}\n  with ${counterexample}\n  to repeat: ${again}`;
}
