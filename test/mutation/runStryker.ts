/** Runs Stryker over some files. */
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { testFiles } from './measured.ts';

const FOLDER = join(PROJECT, '.build', 'mutation');

/** What none of the tests reads. */
const NOT_COPIED = ['.build', '.serverless', '.studio', 'dist', 'docs'];

/** Beside what the tests take without a mutant. */
const TIMEOUT_MS = 10_000;
/** Each mutant loads modules of its own, which stay in the memory of the process. */
const MUTANTS_PER_PROCESS = 150;

/**
 * Tests each mutant of the files. What an earlier run found counts where neither the mutant's file nor a test of it changed.
 *
 * @returns the mutants, their files by paths from the project's folder
 */
export async function runStryker(files: string[], isFresh: boolean): Promise<MutantResult[]> {
  const options: PartialStrykerOptions = {
    mutate: files,
    testFiles: await testFiles(),
    testRunner: 'in-process',
    plugins: [join(import.meta.dirname, 'testRunner.ts')],
    testRunnerNodeArgs: ['--disable-warning=ExperimentalWarning'],
    coverageAnalysis: 'perTest',
    // TypeScript 7 has no API for Stryker, which would rewrite the file.
    tsconfigFile: 'not-used.json',
    tempDirName: join(FOLDER, 'copies'),
    ignorePatterns: NOT_COPIED,
    incremental: true,
    incrementalFile: join(FOLDER, 'results.json'),
    force: isFresh,
    concurrency: availableParallelism(),
    maxTestRunnerReuse: MUTANTS_PER_PROCESS,
    timeoutMS: TIMEOUT_MS,
    reporters: ['clear-text', process.stderr.isTTY ? 'progress' : 'progress-append-only'],
    clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
    allowConsoleColors: false,
    // As a constant, the enumeration is there for the compiler alone.
    logLevel: 'warn' as LogLevel,
  };
  const mutants = await new Stryker(options).runMutationTest().catch((error: Error) => {
    if (!error.message.includes('initial test run')) throw error;
    throw new UnusableInput('A test fails without any change, as the lines above say: mend it first.');
  });
  // Those of other files, which an earlier run measured, are among them.
  return mutants
    .map((mutant) => ({ ...mutant, fileName: relative(PROJECT, mutant.fileName) }))
    .filter(({ fileName }) => files.includes(fileName));
}
