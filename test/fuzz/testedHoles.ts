/** Whether a test fails for each defect: the file that the patch names, in a copy of the project that has the defect. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { closeHole, type Hole, inCopy, openHole, outputOf } from './patches.ts';

const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

export interface Tested {
  hole: string;
  /** The file of its tests, relative to the project. */
  test: string;
  /** The names of the tests that fail. */
  failed: string[];
  /** What went wrong; null where nothing did. */
  problem: string | null;
}

/** First all files without a patch, where none may fail; then the file of each defect. */
export async function testHoles(holes: readonly Hole[], tell: (tested: Tested) => void): Promise<Tested[]> {
  const files = [...new Set(holes.map(({ test }) => test))];
  const without = await inCopy((copy) => testNothing(files, copy));
  tell(without);
  const results: Tested[] = [];
  const left = holes.entries();
  const testInCopy = () =>
    inCopy(async (copy) => {
      for (const [index, hole] of left) {
        const tested = await testHole(hole, copy);
        results[index] = tested;
        tell(tested);
      }
    });
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), holes.length) }, testInCopy));
  return [without, ...results];
}

async function testNothing(files: string[], copy: string): Promise<Tested> {
  const { failed, problem } = await runTests(files, copy);
  const first = problem ?? (failed.length > 0 ? 'FAILED without any patch' : null);
  return { hole: 'none', test: 'all of these', failed, problem: first };
}

async function testHole(hole: Hole, copy: string): Promise<Tested> {
  const { name, test } = hole;
  const unapplied = openHole(hole, copy);
  if (unapplied !== null) return { hole: name, test, failed: [], problem: `FAILED: ${unapplied}` };
  const { failed, problem } = await runTests([test], copy);
  closeHole(hole, copy);
  const first = problem ?? (failed.length === 0 ? 'FAILED: no test noticed' : null);
  return { hole: name, test, failed, problem: first };
}

/** What of Jest's report counts. */
interface Report {
  numRuntimeErrorTestSuites: number;
  testResults: { assertionResults: { status: string; fullName: string }[] }[];
}

/** A file whose tests cannot start notices nothing. */
async function runTests(files: string[], copy: string): Promise<Pick<Tested, 'failed' | 'problem'>> {
  // A cache of the copy's own, which goes with it.
  const cache = join(copy, '.build', 'jest');
  const output = await outputOf(
    [...JEST, '--json', `--cacheDirectory=${cache}`, '--runTestsByPath', ...files],
    copy,
  );
  const report = reportIn(output);
  const results = report?.testResults ?? [];
  if (report?.numRuntimeErrorTestSuites !== 0 || results.length !== files.length) {
    return { failed: [], problem: 'FAILED: the tests did not run' };
  }
  const failed = results
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed');
  return { failed: failed.map(({ fullName }) => fullName), problem: null };
}

function reportIn(output: string): Report | null {
  try {
    return JSON.parse(output);
  } catch {
    return null;
  }
}
