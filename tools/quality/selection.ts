/** Which files are mutated: all that are measured, those of a path, or those that a change touched. */
import { execFile } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { promisify } from 'node:util';
import { PROJECT } from '../build.ts';
import { UnusableInput } from '../cli/commandLine.ts';
import { SUITES, type Suite } from './areas.ts';

const execute = promisify(execFile);

/** The branch that changes are merged into; the first that is there counts. */
const MAIN = ['origin/main', 'main'];

/** Where tests of a folder stand, with the folder itself. */
const MIRRORS: readonly (readonly [tests: string, sources: string])[] = [
  ['test/keep/', 'tools/keep/'],
  ['test/', 'lib/'],
];

export interface Selected {
  suite: Suite;
  /** Paths from the project's folder. */
  files: string[];
}

type Choice = (file: string) => boolean;

/** @returns the suites that have files of the choice */
export async function selected(isChosen: Choice): Promise<Selected[]> {
  const all = await Promise.all(
    SUITES.map(async (suite) => ({ suite, files: (await measuredFiles(suite)).filter(isChosen) })),
  );
  return all.filter(({ files }) => files.length > 0);
}

export async function measuredFiles({ areas }: Suite): Promise<string[]> {
  const patterns = areas.flatMap(({ files }) => files);
  return (await Array.fromAsync(glob(patterns, { cwd: PROJECT }))).sort();
}

/** This file, or the files below this folder. */
export function isAt(path: string): Choice {
  const place = path.replace(/^\.\//, '').replace(/\/$/, '');
  return (file) => file === place || file.startsWith(`${place}/`);
}

/**
 * What this branch or the working copy changed, and what changed tests are about: `test/saml/dateTime.test.ts` is about
 * `lib/saml/dateTime.ts`, and where there is no such file, a test is about its whole folder.
 *
 * @throws {UnusableInput} where there is no main branch
 */
export async function isChanged(): Promise<Choice> {
  const base = await mergeBase();
  const [changed, added] = await Promise.all([
    git('diff', '--name-only', base),
    git('ls-files', '--others', '--exclude-standard'),
  ]);
  const files = [...changed, ...added];
  const all = (await selected(() => true)).flatMap((one) => one.files);
  const places = [...files, ...files.flatMap((file) => testedBy(file, all))].map(isAt);
  return (file) => places.some((isPlace) => isPlace(file));
}

function testedBy(test: string, measured: readonly string[]): string[] {
  const [tests = '', sources = ''] = MIRRORS.find(([folder]) => test.startsWith(folder)) ?? [];
  if (!test.endsWith('.test.ts')) return [];
  const source = test.replace(tests, sources).replace('.test.ts', '.ts');
  return [measured.includes(source) ? source : source.slice(0, source.lastIndexOf('/'))];
}

async function mergeBase(): Promise<string> {
  for (const branch of MAIN) {
    const [base] = await git('merge-base', 'HEAD', branch).catch(() => []);
    if (base !== undefined) return base;
  }
  throw new UnusableInput(
    `--changed compares with the branch ${MAIN.join(' or ')}, and there is none: fetch it, with its history`,
  );
}

async function git(...args: string[]): Promise<string[]> {
  const { stdout } = await execute('git', args, { cwd: PROJECT });
  return stdout.split('\n').filter((line) => line !== '');
}
