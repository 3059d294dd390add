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
import { recordsOf } from '../../tools/local/process/logRecords.ts';

export type FunctionName = 'openidLoggedIn' | 'samlLoggedIn';

type BundleOptions = Omit<FunctionOptions, 'name' | 'isLocal'>;

export type RunningFunction = ReturnType<typeof running>;

/** A function in its process, with all that this has written so far. */
export function running(fn: FunctionProcess) {
  let written = '';
  const output = () => {
    written += fn.take();
    return written;
  };
  return {
    output,
    records: () => recordsOf(output()),
    /** @throws {FunctionFailed} */
    async invoke(event: unknown, requestId = REQUEST_ID): Promise<unknown> {
      const outcome = await fn.run({ event, requestId, frozenTime: null, requests: 'live' });
      written += outcome.output;
      if (outcome.failure) throw outcome.failure;
      return outcome.result;
    },
    stop: () => fn.stop(),
  };
}

/** Starts a function for as long as `use` runs. */
export async function withFunction<TResult>(
  name: FunctionName,
  options: BundleOptions,
  use: (fn: RunningFunction) => Promise<TResult>,
): Promise<TResult> {
  const fn = running(startFunction({ name, ...options }));
  try {
    return await use(fn);
  } finally {
    await fn.stop();
  }
}

/** One login through a function that is running. */
export async function answerOf(fn: RunningFunction, event: unknown, id: string = randomUUID()) {
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
  let fn: RunningFunction;
  beforeAll(() => {
    fn = running(startFunction({ name, ...options }));
  });
  afterAll(() => fn.stop());
  return (event: unknown) => answerOf(fn, event);
}

/** One login through a new process. */
export function login(name: FunctionName, event: unknown, options: BundleOptions = {}) {
  return withFunction(name, options, (fn) => answerOf(fn, event, REQUEST_ID));
}
