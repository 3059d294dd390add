/** Whether the fuzz finds each defect, in a copy of the project that has it. */
import { type Hole, openHole, outputOf } from './patches.ts';

const SEEDS = 3;
/** Cases of one search, which ends as soon as a round of it has found the hole: 50,000 in all. */
const ROUNDS = [2_000, 8_000, 40_000];
const MAX_SEED = 2 ** 31;

export interface Search {
  hole: string;
  seed: number;
  cases: number;
  /** The first property that failed; null where none did. */
  foundBy: string | null;
  /** What went wrong; null where nothing did. */
  problem: string | null;
}

/** Without a patch, the fuzz finds nothing. */
export async function searchNothing(copy: string): Promise<Search[]> {
  const seed = newSeed();
  const { cases, foundBy, problem } = await fuzz(copy, seed, ROUNDS.at(-1) ?? 0, '');
  const first = problem ?? (foundBy === null ? null : 'FAILED without any patch');
  return [{ hole: 'none', seed, cases, foundBy, problem: first }];
}

/** With a patch, each of several searches with fresh seeds finds it. */
export async function searchHole(hole: Hole, copy: string): Promise<Search[]> {
  const { name, only } = hole;
  const unapplied = openHole(hole, copy);
  if (unapplied !== null) {
    return [{ hole: name, seed: 0, cases: 0, foundBy: null, problem: `FAILED: ${unapplied}` }];
  }
  return Promise.all(Array.from({ length: SEEDS }, () => searchOnce(name, copy, newSeed(), only)));
}

async function searchOnce(hole: string, copy: string, seed: number, only: string): Promise<Search> {
  let cases = 0;
  for (const runs of ROUNDS) {
    const found = await fuzz(copy, seed + cases, runs, only);
    cases += found.cases;
    if (found.foundBy !== null || found.problem !== null) return { hole, seed, ...found, cases };
  }
  return { hole, seed, cases, foundBy: null, problem: 'FAILED: not found' };
}

interface Found {
  cases: number;
  foundBy: string | null;
  problem: string | null;
}

/** A fuzz that cannot run finds nothing. */
async function fuzz(copy: string, seed: number, runs: number, only: string): Promise<Found> {
  const options = ['--seed', String(seed), '--runs', String(runs), ...(only === '' ? [] : ['--only', only])];
  const output = await outputOf(['test/fuzz/run.ts', ...options], copy);
  const [, passed, failed] = /\n(\d+) passed, (\d+) failed\n$/.exec(output) ?? [];
  const [, foundBy = null] = /\nFAILED: (.+)\n {2}Error: /.exec(output) ?? [];
  const cases = Number(passed ?? 0) + Number(failed ?? 0);
  const isOdd = failed === undefined || (failed !== '0') !== (foundBy !== null);
  return { cases, foundBy, problem: isOdd ? 'FAILED: the fuzz did not run' : null };
}

function newSeed(): number {
  return Math.floor(Math.random() * MAX_SEED);
}
