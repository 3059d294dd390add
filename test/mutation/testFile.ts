/** Runs one test file in this process, with new instances of all modules of the project. */
import { resolve } from 'node:path';
import { type TestResult, TestStatus } from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { addEventHandler, type Event, resetState, run } from 'jest-circus';
import { importAfresh } from './freshModules.ts';
import { jest } from './jestGlobals.ts';

type TestEntry = Extract<Event, { name: 'test_done' }>['test'];

/** A test of these suites takes milliseconds: one that is not over by then waits for what a mutant took away. */
const TEST_TIMEOUT_MS = 5_000;
/** Where jest-circus looks for the time-out of all tests. */
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');

const SEPARATOR = ' › ';

export interface FileOutcome {
  /** Of the tests that ran. */
  tests: TestResult[];
  /** What failed outside a test; null where nothing did. */
  failure: string | null;
}

export interface RunOptions {
  /** The tests to run, by their ids, until one fails; null: all, to the end. */
  only: ReadonlySet<string> | null;
  /** Called with the id of each test that begins, and with undefined when it is over. */
  onTest(id?: string): void;
}

let loads = 0;
let running: (RunOptions & { file: string }) | null = null;
let done: TestEntry[] = [];
let strays: unknown[] = [];

// What is detected is the same each time.
fc.configureGlobal({ seed: 1 });
Object.assign(globalThis, { [TIMEOUT]: TEST_TIMEOUT_MS });
addEventHandler((event) => {
  if (!running) return;
  const { file, only, onTest } = running;
  if (event.name === 'test_start') {
    const id = idOf(file, event.test);
    const isChosen = only === null || (only.has(id) && done.every(({ errors }) => errors.length === 0));
    if (isChosen) onTest(id);
    else event.test.mode = 'skip';
  }
  if (event.name === 'test_done') {
    onTest();
    done.push(event.test);
  }
});
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, (error) => strays.push(error));
}

export async function runTestFile(file: string, options: RunOptions): Promise<FileOutcome> {
  const env = { ...process.env };
  resetState();
  [done, strays] = [[], []];
  running = { file, ...options };
  try {
    await importAfresh(resolve(file), String(++loads));
    const { unhandledErrors } = await run();
    const tests = done.map((test) => resultOf(file, test));
    return { tests, failure: firstOf([...unhandledErrors, ...strays]) };
  } catch (error) {
    return { tests: [], failure: firstOf([error]) };
  } finally {
    jest.restoreAllMocks();
    jest.useRealTimers();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, env);
  }
}

function resultOf(file: string, test: TestEntry): TestResult {
  const id = idOf(file, test);
  const result = { id, name: id, fileName: resolve(file), timeSpentMs: test.duration ?? 0 };
  const failureMessage = firstOf(test.errors.map((error) => [error].flat()[0]));
  return failureMessage === null
    ? { ...result, status: TestStatus.Success }
    : { ...result, status: TestStatus.Failed, failureMessage };
}

/** The file, and the names of the test's blocks and of the test. Tests of one name are one to Stryker: it runs both. */
function idOf(file: string, test: TestEntry): string {
  const names = [test.name];
  for (let block = test.parent; block.parent; block = block.parent) names.unshift(block.name);
  return [file, ...names].join(SEPARATOR);
}

/** The file that a test is in, by the test's id. */
export function fileOf(id: string): string {
  return id.slice(0, id.indexOf(SEPARATOR));
}

/** The text of the first error, also where what was thrown is undefined; null where there is none. */
function firstOf(errors: readonly unknown[]): string | null {
  if (errors.length === 0) return null;
  const [error] = errors;
  return error instanceof Error ? error.message : String(error);
}
