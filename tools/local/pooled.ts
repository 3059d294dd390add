/** What a pool holds: functions, their processes, and the events that wait for one. */

import type { ColdStart } from './coldStartRecord.ts';
import { type Asked, nothingAsked, type Outside } from './process/exchanges.ts';
import type { FunctionProcess } from './process/functionProcess.ts';
import { type LogRecord, recordsOf } from './process/logRecords.ts';
import { FunctionFailed } from './process/runtime.ts';

/** What runs: two that are equal share their processes. */
export interface PooledFunction {
  /** `openidLoggedIn` or `samlLoggedIn`. */
  name: string;
  /** The bundle's root. */
  root: string;
  /** Changes whenever the code of the function or of its handler does. */
  version: string;
  env: NodeJS.ProcessEnv;
  /** Whether requests to other systems are sent as on Lambda, and their cached responses serve later events. */
  isLive: boolean;
}

export interface Ask {
  event: unknown;
  requestId: string;
  /** Where the process's clock stands, in milliseconds since 1970; null for the real time. */
  moment: number | null;
  outside: Outside;
}

/** What became of an event. A crash and a time-out are results too. */
export interface Answer {
  /** What the function returned; undefined where it failed. */
  result: unknown;
  failure: FunctionFailed | null;
  /** Those of the process's start, and those of the event. */
  records: LogRecord[];
  /** What the process wrote since the event before, and while it started. */
  output: string;
  /** From sending the event to the response, in milliseconds. */
  ms: number;
  asked: Asked;
}

export interface Job extends Ask {
  resolve: (answer: Answer) => void;
}

export interface Lane {
  process: FunctionProcess;
  isBusy: boolean;
  lastUsed: number;
  /** What the process wrote before its first event. */
  startOutput: string;
  isNew: boolean;
}

export interface Group {
  fn: PooledFunction;
  lanes: Lane[];
  starting: number;
  queue: Job[];
  /** Whether a process is to be ready at all times. */
  isKeptWarm: boolean;
  /** While the first process of those is started. */
  warming: Promise<void> | null;
  /** What the process that was started last said; null before there is one. */
  coldStart: ColdStart | null;
  isRetired: boolean;
}

export function newGroup(fn: PooledFunction): Group {
  return {
    ...{ fn, lanes: [], starting: 0, queue: [] },
    ...{ isKeptWarm: false, warming: null, coldStart: null, isRetired: false },
  };
}

/** What a process wrote for an event: later writing of events before it is not among the records. */
export function written(
  { process, startOutput, isNew }: Lane,
  requestId: string,
): Pick<Answer, 'records' | 'output'> {
  const output = process.output();
  process.forget();
  const ofOthers = (record: LogRecord) => record.requestId !== undefined && record.requestId !== requestId;
  const records = [...recordsOf(startOutput), ...recordsOf(output).filter((record) => !ofOthers(record))];
  return { records, output: isNew ? startOutput + output : output };
}

export function failAll(group: Group, failure: FunctionFailed): void {
  const output = 'output' in failure ? String(failure.output) : '';
  for (const { resolve } of group.queue.splice(0)) {
    resolve({ result: undefined, failure, records: recordsOf(output), output, ms: 0, asked: nothingAsked() });
  }
}

export function withOutput(failure: FunctionFailed, output: string): FunctionFailed {
  return Object.assign(failure, { output });
}

export function closedFailure(): FunctionFailed {
  return new FunctionFailed('crash', 'the engine was closed');
}
