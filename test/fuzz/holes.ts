/**
 * `npm run fuzz:holes`: shows that the fuzz finds what it is for. Each patch in `holes/` opens a hole that was there
 * once. A copy of the project gets the patch, and the fuzz must fail there, with three fresh seeds; and without a patch
 * it must not.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT } from '../../tools/build.ts';
import { type Command, runCommand, UnusableInput } from '../../tools/cli/commandLine.ts';
import { table } from '../../tools/cli/table.ts';

const HOLES = fileURLToPath(new URL('holes', import.meta.url));
const SEEDS = 3;
/** Cases of one search, which ends as soon as a round of it has found the hole: 50,000 in all. */
const ROUNDS = [2_000, 8_000, 40_000];
const MAX_SEED = 2 ** 31;
/** What a copy does without. */
const LEFT_OUT = ['node_modules', '.git', '.build', '.serverless', 'dist'];

interface Hole {
  name: string;
  patch: string;
  /** What of the fuzz is about it. */
  only: string;
}

interface Search {
  hole: string;
  seed: number;
  cases: number;
  /** The first property that failed; null where none did. */
  foundBy: string | null;
  /** What went wrong; null where nothing did. */
  problem: string | null;
}

const COMMAND = {
  name: 'npm run fuzz:holes',
  purpose: 'opens each defect of test/fuzz/holes/ in a copy of the project, and expects the fuzz to find it',
  options: {
    only: { type: 'string', value: '<name>', about: 'the defects that have this in their names' },
  },
  example: '--only email',
  found: 'the fuzz did not find a defect, or found one where there is none',
} as const satisfies Command;

await runCommand(COMMAND, async ({ values }) => {
  const holes = (await readHoles()).filter(({ name }) => name.includes(values.only ?? ''));
  if (holes.length === 0) {
    throw new UnusableInput(`--only: no file of test/fuzz/holes/ has ${values.only} in its name`);
  }
  const searches: Search[] = [];
  if (values.only === undefined) searches.push(...(await inCopy(searchNothing)));
  for (const hole of holes) {
    searches.push(...(await inCopy((copy) => searchHole(hole, copy))));
    console.log(`${hole.name}: ${searches.at(-1)?.foundBy ?? 'NOT FOUND'}`);
  }
  console.log(`\n${table(['hole', 'seed', 'cases', 'found by', ''], searches.map(row))}`);
  const failed = searches.filter(({ problem }) => problem !== null).length;
  console.log(`\n${searches.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
});

/** A patch begins with what it opens, in words, and a line `Only: <part of a property's name>`. */
async function readHoles(): Promise<Hole[]> {
  const files = (await readdir(HOLES)).filter((file) => file.endsWith('.patch')).sort();
  return Promise.all(
    files.map(async (file) => {
      const patch = join(HOLES, file);
      const [, only] = /^Only: (.+)$/m.exec(await readFile(patch, 'utf8')) ?? [];
      if (only === undefined) throw new Error(`${file}: expected a line "Only: <part of a property's name>"`);
      return { name: file.replace('.patch', ''), patch, only };
    }),
  );
}

async function inCopy<TResult>(use: (copy: string) => Promise<TResult>): Promise<TResult> {
  const copy = await mkdtemp(join(tmpdir(), 'login-hooks-hole-'));
  try {
    await cp(PROJECT, copy, {
      recursive: true,
      filter: (file) => !LEFT_OUT.includes(relative(PROJECT, file)),
    });
    await symlink(join(PROJECT, 'node_modules'), join(copy, 'node_modules'), 'junction');
    return await use(copy);
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function searchNothing(copy: string): Promise<Search[]> {
  const seed = newSeed();
  const { cases, foundBy } = await fuzz(copy, seed, ROUNDS.at(-1) ?? 0, '');
  const problem = foundBy === null ? null : 'FAILED without any patch';
  return [{ hole: 'none', seed, cases, foundBy, problem }];
}

async function searchHole({ name, patch, only }: Hole, copy: string): Promise<Search[]> {
  const { status, stderr } = spawnSync('git', ['apply', patch], { cwd: copy, encoding: 'utf8' });
  if (status !== 0) {
    return [
      { hole: name, seed: 0, cases: 0, foundBy: null, problem: `FAILED: does not apply: ${stderr.trim()}` },
    ];
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

function outputOf(args: string[], cwd: string): Promise<string> {
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      args,
      { cwd, env: { PATH: process.env.PATH }, maxBuffer: 2 ** 26 },
      (_, stdout) => resolve(stdout),
    ),
  );
}

function newSeed(): number {
  return Math.floor(Math.random() * MAX_SEED);
}

function row({ hole, seed, cases, foundBy, problem }: Search): string[] {
  return [hole, String(seed), String(cases), foundBy ?? '-', problem ?? ''];
}
