/** Which files are mutated: all that are measured, those of a path, or those that a change touched. */
import { execFile } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { promisify } from 'node:util';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { AREAS, type Area, areaOf } from './areas.ts';

const execute = promisify(execFile);

const SCORES = 'test/mutation/scores.json';

/** Where tests of a folder stand, with the folder itself. */
const MIRRORS: readonly (readonly [tests: string, sources: string])[] = [
  ['test/keep/', 'tools/keep/'],
  ['test/', 'lib/'],
];

type Choice = (file: string) => boolean;

export async function measuredFiles(): Promise<string[]> {
  const patterns = AREAS.flatMap(({ files }) => files);
  return (await Array.fromAsync(glob(patterns, { cwd: PROJECT }))).sort();
}

/** @returns whether all files of an area are among these: only then is its score the area's own */
export async function wholeAreas(files: readonly string[]): Promise<(area: Area) => boolean> {
  const left = new Set((await measuredFiles()).filter((file) => !files.includes(file)).map(areaOf));
  return (area) => !left.has(area);
}

/** This file, or the files below this folder. */
export function isAt(path: string): Choice {
  const place = path.replace(/^\.\//, '').replace(/\/$/, '');
  return (file) => file === place || file.startsWith(`${place}/`);
}

/**
 * Areas with a file that was changed since the scores were last written down, or that a test is about which was changed:
 * `test/saml/dateTime.test.ts` is about `lib/saml/dateTime.ts`, and where there is no such file, a test is about its whole
 * folder. An area is chosen whole, since its score is that of all its files.
 *
 * @throws {UnusableInput} where the history does not reach back to the scores
 */
export async function isChanged(): Promise<Choice> {
  const base = await commitOfScores();
  const [changed, added] = await Promise.all([
    git('diff', '--name-only', base),
    git('ls-files', '--others', '--exclude-standard'),
  ]);
  const measured = await measuredFiles();
  const places = [...changed, ...added].flatMap((file) => [file, ...testedBy(file, measured)]).map(isAt);
  const areas = new Set(measured.filter((file) => places.some((isPlace) => isPlace(file))).map(areaOf));
  return (file) => areas.has(areaOf(file));
}

function testedBy(test: string, measured: readonly string[]): string[] {
  const [tests = '', sources = ''] = MIRRORS.find(([folder]) => test.startsWith(folder)) ?? [];
  if (!test.endsWith('.test.ts')) return [];
  const source = test.replace(tests, sources).replace('.test.ts', '.ts');
  return [measured.includes(source) ? source : source.slice(0, source.lastIndexOf('/'))];
}

async function commitOfScores(): Promise<string> {
  const [isShallow] = await git('rev-parse', '--is-shallow-repository').catch(() => []);
  const [commit] = isShallow === 'false' ? await git('log', '-1', '--format=%H', '--', SCORES) : [];
  if (commit !== undefined) return commit;
  throw new UnusableInput(
    `--changed compares with the last commit that changed ${SCORES}: get the project by git, with its whole history`,
  );
}

async function git(...args: string[]): Promise<string[]> {
  const { stdout } = await execute('git', args, { cwd: PROJECT });
  return stdout.split('\n').filter((line) => line !== '');
}
