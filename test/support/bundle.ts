/** The built bundle, each function in a process of its own, with what it logs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { unwrap } from '../../tools/local/events.ts';
import {
  type FunctionOptions,
  type FunctionProcess,
  REQUEST_ID,
  startFunction,
} from '../../tools/local/process/functionProcess.ts';

export type FunctionName = 'openidLoggedIn' | 'samlLoggedIn';

type BundleOptions = Omit<FunctionOptions, 'name' | 'isLocal'>;

/** Starts a function for as long as `use` runs. */
export async function withFunction<TResult>(
  name: FunctionName,
  options: BundleOptions,
  use: (fn: FunctionProcess) => Promise<TResult>,
): Promise<TResult> {
  const fn = await startFunction({ name, ...options });
  try {
    return await use(fn);
  } finally {
    await fn.stop();
  }
}

/** One login through a function that is running. */
export async function answerOf(fn: FunctionProcess, event: unknown, id: string = randomUUID()) {
  const response = unwrap(await fn.invoke(event, id));
  const records = fn.records();
  return {
    /** Null for a direct event. */
    status: response.status,
    answer: response.answer as Record<string, unknown>,
    /** The login's record in the log. */
    record: records.find(({ event, requestId }) => event === 'login' && requestId === id),
    /** All that the process wrote so far. */
    records,
    output: fn.output(),
  };
}

/** Starts a function for all tests of a file or of a `describe`. Each login is told from the others by its id. */
export function sharedFunction(name: FunctionName, options: BundleOptions = {}) {
  let fn: FunctionProcess;
  beforeAll(async () => {
    fn = await startFunction({ name, ...options });
  });
  afterAll(() => fn.stop());
  return (event: unknown) => answerOf(fn, event);
}

/** One login through a new process. */
export function login(name: FunctionName, event: unknown, options: BundleOptions = {}) {
  return withFunction(name, options, (fn) => answerOf(fn, event, REQUEST_ID));
}
