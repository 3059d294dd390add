/**
 * `npm run fuzz`: calls the built functions with whatever fast-check can think of, and has an oracle that shares no
 * code with them say what they may answer.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBundle } from '../../tools/bundle/prepareBundle.ts';
import { startCommand, UnusableInput, wholeNumber } from '../../tools/shared/commandLine.ts';
import { table } from '../../tools/shared/table.ts';
import type { Command } from '../../tools/shared/usage.ts';
import { type Situation, situations } from './situations.ts';
import { type Tried, tryIn } from './workerProcess.ts';

const RUNS = 320_000;
const MAX_SEED = 2 ** 31;
const MAX_NUMBER = 10 ** 10;
const HEADER = ['property', 'situation', 'cases', 'ms', 'slowest case ms', 'logged in'];

const COMMAND = {
  name: 'fuzz',
  purpose: 'sends hostile inputs through the built functions, and judges what they answer',
  options: {
    seed: { type: 'string', value: '<n>', about: 'repeats a run; default: a new one each time' },
    runs: { type: 'string', value: '<n>', default: String(RUNS), about: 'how many inputs' },
    only: {
      type: 'string',
      value: '<name>',
      about: 'spends all inputs on the properties that have this in "<situation>: <property>"',
    },
    path: { type: 'string', value: '<path>', about: 'goes straight to the input that a failure names' },
  },
  example: '--runs 20000 --only mapping',
  found: 'an answer broke a property',
} as const satisfies Command;

await startCommand(COMMAND, async ({ values }) => {
  const seed =
    values.seed === undefined
      ? Math.floor(Math.random() * MAX_SEED)
      : wholeNumber('--seed', values.seed, 0, MAX_NUMBER);
  const runs = wholeNumber('--runs', values.runs, 1, MAX_NUMBER);
  console.log(`seed ${seed}\n`);
  await prepareBundle();
  const order = { seed, ...only(values.only), ...(values.path !== undefined && { path: values.path }) };
  const tried = await tryAll(runs, order);
  const cases = tried.reduce((sum, result) => sum + result.cases, 0);
  if (cases === 0) throw new UnusableInput(`--only: nothing has ${values.only} in "<situation>: <property>"`);
  console.log(table(HEADER, tried.map(row)));
  for (const result of tried) if (result.failure) console.log(describe(result, result.failure, seed, runs));
  const failed = tried.filter(({ failure }) => failure).length;
  console.log(`\n${cases - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
});

async function tryAll(runs: number, order: { seed: number; only?: string; path?: string }): Promise<Tried[]> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
  const { situations: all, outside } = await situations(folder, order.seed);
  try {
    const meant = meantBy(order.only ?? '', all);
    const shares = meant.reduce((sum, { share }) => sum + share, 0);
    return await inTurn(meant, (situation) =>
      tryIn(situation, { ...order, cases: Math.ceil((runs * situation.share) / shares) }),
    );
  } finally {
    await outside.close();
    await rm(folder, { recursive: true });
  }
}

/** As many at once as there are processors. */
async function inTurn<TItem, TResult>(
  items: readonly TItem[],
  use: (item: TItem) => Promise<TResult[]>,
): Promise<TResult[]> {
  const results: TResult[][] = [];
  const left = items.entries();
  const takeNext = async () => {
    for (const [index, item] of left) results[index] = await use(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, takeNext));
  return results.flat();
}

/** Those whose properties may have this in `<situation>: <property>`. */
function meantBy(only: string, all: Situation[]): Situation[] {
  const named = all.filter(({ name }) => only.startsWith(name) || name.includes(only));
  return named.length > 0 ? named : all;
}

function row({ name, situation, cases, ms, slowestMs, authorized, failure }: Tried): string[] {
  return [
    name,
    situation,
    String(cases),
    ms.toFixed(0),
    slowestMs.toFixed(1),
    String(authorized),
    ...(failure ? ['FAILED'] : []),
  ];
}

function describe(
  { name, situation }: Tried,
  { counterexample, error, path }: NonNullable<Tried['failure']>,
  seed: number,
  runs: number,
): string {
  const repeat = `npm run fuzz -- --seed ${seed} --runs ${runs} --only '${situation}: ${name}' --path '${path}'`;
  return `\nFAILED: ${name} (${situation})\n  ${error}\n  with ${counterexample}\n  to repeat: ${repeat}`;
}

function only(text: string | undefined) {
  return text === undefined ? {} : { only: text };
}
