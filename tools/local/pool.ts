/**
 * Warm processes of functions. A function with its code and environment has a queue and a process, which takes one event after
 * another; where events wait for long, a second process helps.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { handlerIn } from '../shared/stage.ts';
import { coldStartFailed, coldStartIn } from './coldStartReport.ts';
import {
  type FunctionFailed,
  type FunctionProcess,
  type InvokeOptions,
  startFunction,
} from './process/functionProcess.ts';
import { DECISION, type LogRecord, recordsOf } from './process/logRecords.ts';
import { noRequests, type RequestLog } from './recordings.ts';

/** Those that are kept warm are among them. Where more rest, the one that was used least recently ends: each starts in a tenth of a second. */
const MAX_RESTING = 2;
/** Where there are so many, no function gets a second one. */
const MANY_PROCESSES = 8;
/** How long an event waits before a second process is started for it. */
const WAIT_MS = 200;
const BUSY_MS = 3_000;

/** What runs: two that are equal share their processes. */
export interface PooledFunction {
  name: string;
  root: string;
  /** Changes whenever the code of the function or of its handler does. */
  version: string;
  env: NodeJS.ProcessEnv;
  /** Whether requests to other systems are sent as on Lambda, and their cached responses serve later events. */
  isLive: boolean;
}

export interface PooledEvent extends Required<Pick<InvokeOptions, 'frozenTime' | 'requests'>> {
  event: unknown;
  requestId: string;
}

/** What became of an event. A crash and a time-out are results too. */
export interface PoolResult {
  /** What the function returned; undefined where it failed. */
  result: unknown;
  failure: (Pick<FunctionFailed, 'message'> & { kind: string }) | null;
  /** Those of the process's start, and those of the event. */
  records: LogRecord[];
  /** What the process wrote since the event before, and while it started. */
  output: string;
  /** From sending the event to the response, in milliseconds. */
  ms: number;
  requests: RequestLog;
}

/** Of an event that is sent to no process. */
export function notSent(kind: string, message: string): PoolResult {
  return {
    result: undefined,
    failure: { kind, message },
    records: [],
    output: '',
    ms: 0,
    requests: noRequests(),
  };
}

interface Queue {
  fn: PooledFunction;
  /** Null ends the wait without a process. */
  waiting: ((next: Pooled | null) => void)[];
  started: Set<FunctionProcess>;
  isStarting: boolean;
  /** What the newest process said when it started; null before there is one, and where the pool is closed. */
  coldStart: Promise<LogRecord | null>;
  /** Whether a process is to be ready at all times. */
  isKeptWarm: boolean;
  isRetired: boolean;
}

interface Pooled {
  queue: Queue;
  process: FunctionProcess;
  /** What the process wrote before its first event. */
  startOutput: string;
  isNew: boolean;
}

export class Pool {
  readonly #busyMs: number;
  readonly #queues = new Map<string, Queue>();
  readonly #processes = new Set<FunctionProcess>();
  /** The one that was used last is the last. */
  #idle: Pooled[] = [];
  /** Each start waits for the oldest of these, so that few processes start at the same time. */
  readonly #starts: Promise<unknown>[] = Array(availableParallelism()).fill(Promise.resolve());
  #isClosed = false;

  /** @param busyMs for an event that is not live, while it waits for no other system. All others have the time of AWS */
  constructor(busyMs = BUSY_MS) {
    this.#busyMs = busyMs;
  }

  /** Never throws for what the function does. */
  async invoke(fn: PooledFunction, { event, requestId, ...given }: PooledEvent): Promise<PoolResult> {
    const queue = this.#queueOf(fn);
    const pooled = await this.#next(queue);
    if (pooled === null) return notSent('crash', 'the engine was closed');
    const { process } = pooled;
    const isLive = given.requests === 'live';
    const begun = performance.now();
    const outcome = await process
      .invoke(event, requestId, isLive ? given : { ...given, busyMs: this.#busyMs })
      .then(
        (result) => ({ result, failure: null }),
        (failure: FunctionFailed) => ({ result: undefined, failure }),
      );
    const ms = performance.now() - begun;
    const { requests } = process;
    const { recordings, missing, used } = requests;
    const hasAsked = !isLive && [recordings, missing, used].some((list) => list.length > 0);
    const result = { ...outcome, ms, requests, ...writtenFor(requestId, pooled) };
    // A process that was told something by another system keeps it: the next event gets another process.
    if (outcome.failure !== null || hasAsked) void this.#end(pooled);
    else this.#idle.push(Object.assign(pooled, { isNew: false }));
    this.#serve(queue);
    return result;
  }

  /**
   * Resolves when a process is ready, or could not be started.
   *
   * @param isKeptWarm whether one is ready from now on
   * @returns what it said when it started
   */
  start(fn: PooledFunction, isKeptWarm = false): Promise<LogRecord | null> {
    const queue = this.#queueOf(fn);
    queue.isKeptWarm ||= isKeptWarm;
    if (queue.started.size === 0) this.#grow(queue);
    return queue.coldStart;
  }

  /** Ends the processes of functions that are not current, each when its events have their results. */
  async retire(isCurrent: (fn: PooledFunction) => boolean): Promise<void> {
    for (const [key, queue] of this.#queues) {
      if (isCurrent(queue.fn)) continue;
      this.#queues.delete(key);
      Object.assign(queue, { isRetired: true, isKeptWarm: false });
    }
    await this.#endIdle(({ queue }) => queue.isRetired);
  }

  /** Ends all processes. Events without a result fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#processes, (process) => process.stop()));
  }

  #queueOf(fn: PooledFunction): Queue {
    const key = createHash('sha256').update(JSON.stringify(fn)).digest('base64');
    const queue = this.#queues.get(key) ?? {
      ...{ fn, waiting: [], started: new Set(), isStarting: false },
      ...{ coldStart: Promise.resolve(null), isKeptWarm: false, isRetired: false },
    };
    this.#queues.set(key, queue);
    return queue;
  }

  #next(queue: Queue): Promise<Pooled | null> {
    if (this.#isClosed) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Pooled | null>();
    queue.waiting.push(resolve);
    this.#serve(queue);
    return promise;
  }

  /** Gives processes to events that wait, and ends those that nothing waits for. */
  #serve(queue: Queue): void {
    // One that ended while it rested is replaced.
    void this.#endIdle(({ process }) => process.hasFailed);
    for (const pooled of this.#idle.filter((one) => one.queue === queue)) {
      const give = queue.waiting.shift();
      if (!give) break;
      this.#idle = this.#idle.filter((one) => one !== pooled);
      give(pooled);
    }
    if (queue.started.size === 0 && (queue.waiting.length > 0 || queue.isKeptWarm)) this.#grow(queue);
    if (queue.waiting.length > 0) setTimeout(() => this.#help(queue), WAIT_MS).unref();
    if (queue.isRetired) void this.#endIdle((one) => one.queue === queue);
    const surplus = Math.max(0, this.#idle.length - MAX_RESTING);
    const oldest = this.#idle.filter((one) => !one.queue.isKeptWarm).slice(0, surplus);
    void this.#endIdle((one) => oldest.includes(one));
  }

  #help(queue: Queue): void {
    const isBehind = queue.waiting.length > 0 && queue.started.size === 1;
    if (isBehind && this.#processes.size < MANY_PROCESSES) this.#grow(queue);
  }

  #grow(queue: Queue): void {
    if (queue.isStarting) return;
    queue.isStarting = true;
    const turn = this.#starts.shift() ?? Promise.resolve();
    queue.coldStart = turn.then(() => this.#start(queue));
    this.#starts.push(queue.coldStart);
  }

  async #start(queue: Queue): Promise<LogRecord | null> {
    const giveAll = (next: Pooled | null) => {
      for (const waiting of queue.waiting.splice(0)) waiting(next);
    };
    if (this.#isClosed) giveAll(null);
    if (this.#isClosed) return null;
    const { name, root, env } = queue.fn;
    const process = startFunction({ name, root, env, isLocal: true });
    this.#processes.add(process);
    queue.started.add(process);
    const failure = await process.ready().catch((error: FunctionFailed) => error);
    const pooled = { queue, process, startOutput: process.output(), isNew: true };
    process.forget();
    queue.isStarting = false;
    if (failure) {
      void this.#end(pooled);
      // Every process of it would fail alike.
      giveAll(pooled);
      return coldStartFailed(failure, handlerIn(env, name));
    }
    this.#idle.push(pooled);
    this.#serve(queue);
    return coldStartIn(pooled.startOutput);
  }

  async #endIdle(isEnded: (pooled: Pooled) => boolean): Promise<void> {
    await Promise.all(this.#idle.filter(isEnded).map((pooled) => this.#end(pooled)));
  }

  async #end(pooled: Pooled): Promise<void> {
    const { queue, process } = pooled;
    queue.started.delete(process);
    this.#idle = this.#idle.filter((one) => one !== pooled);
    await process.stop();
    this.#processes.delete(process);
  }
}

/** What a process wrote for an event: later writing of events before it is not among the records. */
function writtenFor(
  requestId: string,
  { process, startOutput, isNew }: Pooled,
): Pick<PoolResult, 'records' | 'output'> {
  const output = process.output();
  process.forget();
  // A handler may print any record: what was decided is told by the process, and not in its output.
  const isOwn = ({ event, requestId: id }: LogRecord) =>
    event !== DECISION && (id === undefined || id === requestId);
  const decisions = process.decisions.map((decision) => ({ ...decision, event: DECISION }));
  const records = [...recordsOf(startOutput), ...decisions, ...recordsOf(output).filter(isOwn)];
  return { records, output: isNew ? startOutput + output : output };
}
