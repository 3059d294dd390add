/** Runs one test file in this process, with new instances of all modules of the project. */
import { relative, resolve } from 'node:path';
import fc from 'fast-check';
import { addEventHandler, getState, resetState, run } from 'jest-circus';
import { importAfresh } from './freshModules.ts';
import { jest } from './jestGlobals.ts';

type Circus = ReturnType<typeof getState>;
type Block = Circus['rootDescribeBlock'];
type TestEntry = Extract<Block['children'][number], { type: 'test' }>;

/** A test of these suites takes milliseconds: one that is not over by then waits for what a mutant took away. */
const TEST_TIMEOUT_MS = 5_000;
/** Where jest-circus looks for the time-out of all tests. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const SEPARATOR = ' › ';

export interface TestOutcome {
  /** The file, the names of its blocks and of the test; numbered where several have the same. */
  id: string;
  durationMs: number;
  /** The first failure; null where the test passed. */
  failure: string | null;
}

export interface FileOutcome {
  /** Of the tests that ran. */
  tests: TestOutcome[];
  /** Of all tests of the file. */
  ids: readonly string[];
  /** What failed outside a test; null where nothing did. */
  failure: string | null;
}

export interface RunOptions {
  /** The tests to run; null: all. */
  only: ReadonlySet<string> | null;
  /** Whether the first failure ends the run. */
  bail: boolean;
  /** Called with each test that begins, and with null when it is over. */
  onTest(id: string | null): void;
}

let loads = 0;
let options: RunOptions | null = null;
let ids = new Map<TestEntry, string>();
const strays: unknown[] = [];

// A score is the same each time.
fc.configureGlobal({ seed: 1 });
Object.assign(globalThis, { [TIMEOUT]: TEST_TIMEOUT_MS });
addEventHandler((event) => {
  if (event.name === 'test_start') options?.onTest(ids.get(event.test) ?? null);
  if (event.name !== 'test_done') return;
  options?.onTest(null);
  if (options?.bail && event.test.errors.length > 0) for (const test of ids.keys()) test.mode = 'skip';
});
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => strays.push(error));
}

export async function runTestFile(file: string, runOptions: RunOptions): Promise<FileOutcome> {
  const env = { ...process.env };
  resetState();
  strays.length = 0;
  options = runOptions;
  try {
    await importAfresh(resolve(file), String(++loads));
    ids = identified(file);
    const { only } = runOptions;
    if (only) for (const [test, id] of ids) if (!only.has(id)) test.mode = 'skip';
    const { unhandledErrors } = await run();
    return { tests: outcomes(), ids: [...ids.values()], failure: firstOf([...unhandledErrors, ...strays]) };
  } catch (error) {
    return { tests: [], ids: [], failure: firstOf([error]) };
  } finally {
    jest.restoreAllMocks();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, env);
  }
}

function outcomes(): TestOutcome[] {
  return [...ids]
    .filter(([{ status }]) => status === 'done')
    .map(([test, id]) => ({
      id,
      durationMs: test.duration ?? 0,
      failure: firstOf(test.errors.map((error) => [error].flat()[0])),
    }));
}

/** The file that a test is in, by the test's id. */
export function fileOf(id: string): string {
  return id.slice(0, id.indexOf(SEPARATOR));
}

/** The tests of the file that is loaded, by names that no other test has. */
function identified(file: string): Map<TestEntry, string> {
  const seen = new Map<string, number>();
  const entries = namedTests(getState().rootDescribeBlock).map(([test, names]) => {
    const name = [relative(process.cwd(), file), ...names].join(SEPARATOR);
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return [test, count === 1 ? name : `${name} (${count})`] as const;
  });
  return new Map(entries);
}

function namedTests(block: Block, names: readonly string[] = []): [TestEntry, string[]][] {
  return block.children.flatMap((child) =>
    child.type === 'test' ? [[child, [...names, child.name]]] : namedTests(child, [...names, child.name]),
  );
}

/** The text of the first error, also where what was thrown is undefined; null where there is none. */
function firstOf(errors: readonly unknown[]): string | null {
  if (errors.length === 0) return null;
  const [error] = errors;
  return error instanceof Error ? error.message : String(error);
}
