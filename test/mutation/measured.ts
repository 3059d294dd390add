/** What mutation testing measures, by which tests, and the record of what it found there. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';

/** What decides about a login on Lambda, and what keeps personal data out of files. */
const SOURCES = ['lib/**/*.ts', 'tools/keep/*.ts'];
/** Words and names alone, which a test would have to repeat; and what a handler imports, which tests do in built functions. */
const NOT_MEASURED = ['lib/messages/??.ts', 'lib/{kinds,sdk}.ts'];

const TESTS = 'test/{,keep/,login/,messages/,openid/,profile/,saml/,toolkit/,webhook/}*.test.ts';
/** These run built functions or commands in another process, where no mutant is. */
const OF_PROCESSES = [
  'test/{handlers,layout}.test.ts',
  'test/keep/keptSamples.test.ts',
  'test/{openid/idTokenCheck,saml/assertionCheck,toolkit/login,webhook/caller}.test.ts',
];

const RECORD = join(import.meta.dirname, 'record.json');

export interface Folder {
  name: string;
  /** Those that are measured. */
  files: readonly string[];
  /** Changes with each of these files, and with each test of the folder. */
  digest: string;
}

/** How many of the mutants a test detects. */
export interface Score {
  /** Without those that a comment in the code excuses. */
  mutants: number;
  detected: number;
  excused: number;
}

/** By the name of a folder, what was found when its digest was this. */
export type ScoreRecord = Record<string, Score & Pick<Folder, 'digest'>>;

export async function measuredFolders(): Promise<Folder[]> {
  const tests = await testFiles();
  const folders = Map.groupBy(await filesOf(SOURCES, NOT_MEASURED), (file) => dirname(file));
  return [...folders].map(([name, files]) => {
    const digest = createHash('sha256');
    for (const file of [...files, ...tests.filter((test) => dirname(test) === testsOf(name))])
      digest.update(`${file}\n`).update(readFileSync(join(PROJECT, file)));
    return { name, files, digest: digest.digest('base64url') };
  });
}

/** The folder of the tests: `test/profile` for all below `lib/profile`, `test` for `lib` itself, `test/keep` for `tools/keep`. */
function testsOf(folder: string): string {
  return join('test', folder.split('/')[1] ?? '');
}

export function testFiles(): Promise<string[]> {
  return filesOf([TESTS], OF_PROCESSES);
}

async function filesOf(patterns: readonly string[], exclude: readonly string[]): Promise<string[]> {
  return (await Array.fromAsync(glob(patterns, { cwd: PROJECT, exclude }))).sort();
}

export function readRecord(): ScoreRecord {
  return JSON.parse(readFileSync(RECORD, 'utf8'));
}

export function writeRecord(record: ScoreRecord): void {
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
}
