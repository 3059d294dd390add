/**
 * Warm processes of functions. A function with its code and environment has a queue and a process, which takes one event after
 * another; where events wait for long, a second process helps.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { handlerIn } from '../shared/stage.ts';
import { type ColdStart, coldStartFailed, coldStartIn } from './coldStartReport.ts';
import {
  FunctionFailed,
  type FunctionProcess,
  type InvokeOptions,
  startFunction,
} from './process/functionProcess.ts';
import { DECISION, type LogRecord, recordsOf } from './process/logRecords.ts';
import { noRequests, type RequestLog } from './recordings.ts';

/** How many processes rest, those that are kept warm among them: each starts in a tenth of a second. */
const MAX_RESTING = 2;
/** Where there are so many, no function gets a second one. */
const MANY_PROCESSES = 8;
/** How long an event waits before a second process is started for it. */
const WAIT_MS = 200;
const BUSY_MS = 3_000;

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

export interface PooledEvent extends Required<Pick<InvokeOptions, 'frozenTime' | 'requests'>> {
  event: unknown;
  requestId: string;
}

/** What became of an event. A crash and a time-out are results too. */
export interface PoolResult {
  /** What the function returned; undefined where it failed. */
  result: unknown;
  failure: FunctionFailed | null;
  /** Those of the process's start, and those of the event. */
  records: LogRecord[];
  /** What the process wrote since the event before, and while it started. */
  output: string;
  /** From sending the event to the response, in milliseconds. */
  ms: number;
  requests: RequestLog;
}

interface Pooled {
  process: FunctionProcess;
  lastUsed: number;
  /** What the process wrote before its first event. */
  startOutput: string;
  isNew: boolean;
}

/** Why no process could be started, with what it wrote. */
interface NotStarted {
  failure: FunctionFailed;
  output: string;
}

class Queue {
  readonly fn: PooledFunction;
  readonly waiting: ((next: Pooled | NotStarted) => void)[] = [];
  readonly idle: Pooled[] = [];
  /** How many processes it has, those that start among them. */
  size = 0;
  starting = 0;
  /** What the newest process said when it started; null before there is one. */
  coldStart: Promise<ColdStart | null> = Promise.resolve(null);
  /** Whether a process is to be ready at all times. */
  isKeptWarm = false;
  isRetired = false;

  constructor(fn: PooledFunction) {
    this.fn = fn;
  }

  failAll(why: NotStarted): void {
    for (const resolve of this.waiting.splice(0)) resolve(why);
  }
}

export interface PoolOptions {
  /** Idle processes end, the least recently used first, where there are more. Default: 2. */
  maxResting?: number;
  /** For an event that is not live, while it waits for no other system, in milliseconds. Default: 3,000. */
  busyMs?: number;
}

export class Pool {
  readonly #maxResting: number;
  readonly #busyMs: number;
  readonly #queues = new Map<string, Queue>();
  readonly #processes = new Set<FunctionProcess>();
  /** Each start waits for the oldest of these, so that few processes start at the same time. */
  readonly #starts: Promise<void>[] = Array(availableParallelism()).fill(Promise.resolve());
  #isClosed = false;

  /** All other events have the time of a function on AWS. */
  constructor({ maxResting = MAX_RESTING, busyMs = BUSY_MS }: PoolOptions = {}) {
    this.#maxResting = maxResting;
    this.#busyMs = busyMs;
  }

  /** Never throws for what the function does. */
  async invoke(fn: PooledFunction, { event, requestId, ...given }: PooledEvent): Promise<PoolResult> {
    const queue = this.#queueOf(fn);
    const pooled = await this.#next(queue);
    if ('failure' in pooled)
      return {
        ...pooled,
        result: undefined,
        records: recordsOf(pooled.output),
        ms: 0,
        requests: noRequests(),
      };
    const { process } = pooled;
    const isLive = given.requests === 'live';
    const options = isLive ? given : { ...given, busyMs: this.#busyMs };
    const begun = performance.now();
    const outcome = await process.invoke(event, requestId, options).then(
      (result) => ({ result, failure: null }),
      (failure: FunctionFailed) => ({ result: undefined, failure }),
    );
    const ms = performance.now() - begun;
    const { requests } = process;
    const { recordings, missing, used } = requests;
    const hasAsked = !isLive && [recordings, missing, used].some((list) => list.length > 0);
    const result = { ...outcome, ms, requests, ...writtenFor(requestId, pooled) };
    // A process that was told something by another system keeps it: the next event gets another process.
    if (outcome.failure !== null || hasAsked) void this.#end(queue, process);
    else queue.idle.push(Object.assign(pooled, { isNew: false, lastUsed: performance.now() }));
    this.#serve(queue);
    return result;
  }

  /** From now on there is always a process that is ready. @returns what it said when it started */
  keepWarm(fn: PooledFunction): Promise<ColdStart | null> {
    this.#queueOf(fn).isKeptWarm = true;
    return this.start(fn);
  }

  /** Resolves when a process is ready, or could not be started. @returns what it said when it started */
  start(fn: PooledFunction): Promise<ColdStart | null> {
    const queue = this.#queueOf(fn);
    if (queue.size === 0) this.#grow(queue);
    return queue.coldStart;
  }

  /** Ends the processes of functions that are not current, each when its events have their results. */
  retire(isCurrent: (fn: PooledFunction) => boolean): Promise<unknown> {
    const retired = [...this.#queues].filter(([, { fn }]) => !isCurrent(fn));
    return Promise.all(
      retired.map(([key, queue]) => {
        this.#queues.delete(key);
        Object.assign(queue, { isRetired: true, isKeptWarm: false });
        return this.#endIdle(queue);
      }),
    );
  }

  /** Ends all processes. Events without a result fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const queue of this.#queues.values()) queue.failAll(CLOSED);
    await Promise.all(Array.from(this.#processes, (process) => process.stop()));
  }

  #queueOf(fn: PooledFunction): Queue {
    const key = createHash('sha256').update(JSON.stringify(fn)).digest('base64');
    const queue = this.#queues.get(key) ?? new Queue(fn);
    this.#queues.set(key, queue);
    return queue;
  }

  #next(queue: Queue): Promise<Pooled | NotStarted> {
    if (this.#isClosed) return Promise.resolve(CLOSED);
    const { promise, resolve } = Promise.withResolvers<Pooled | NotStarted>();
    queue.waiting.push(resolve);
    this.#serve(queue);
    return promise;
  }

  /** Gives processes to events that wait, and ends those that nothing waits for. */
  #serve(queue: Queue): void {
    // One that ended while it rested is replaced.
    for (const { process } of queue.idle.filter(({ process }) => process.hasFailed))
      void this.#end(queue, process);
    while (queue.waiting.length > 0 && queue.idle.length > 0) {
      const pooled = queue.idle.shift();
      if (pooled) queue.waiting.shift()?.(pooled);
    }
    if (queue.size === 0 && (queue.waiting.length > 0 || queue.isKeptWarm)) this.#grow(queue);
    if (queue.waiting.length > 0) setTimeout(() => this.#help(queue), WAIT_MS).unref();
    if (queue.isRetired) void this.#endIdle(queue);
    const resting = Array.from(this.#queues.values()).flatMap((one) =>
      one.idle.map((pooled) => ({ one, pooled })),
    );
    const oldest = resting
      .filter(({ one }) => !one.isKeptWarm)
      .sort((a, b) => a.pooled.lastUsed - b.pooled.lastUsed);
    const surplus = Math.max(0, resting.length - this.#maxResting);
    for (const { one, pooled } of oldest.slice(0, surplus)) void this.#end(one, pooled.process);
  }

  #help(queue: Queue): void {
    const isAlone = queue.size === 1 && queue.starting === 0;
    if (queue.waiting.length > 0 && isAlone && this.#processes.size < MANY_PROCESSES) this.#grow(queue);
  }

  #grow(queue: Queue): void {
    queue.size += 1;
    queue.starting += 1;
    const turn = this.#starts.shift() ?? Promise.resolve();
    queue.coldStart = turn.then(() => this.#start(queue));
    this.#starts.push(queue.coldStart.then(() => {}));
  }

  async #start(queue: Queue): Promise<ColdStart | null> {
    if (this.#isClosed) return null;
    const { name, root, env } = queue.fn;
    const process = startFunction({ name, root, env, isLocal: true });
    this.#processes.add(process);
    const failure = await process.ready().catch((error: FunctionFailed) => error);
    const startOutput = process.output();
    process.forget();
    queue.starting -= 1;
    if (failure) {
      void this.#end(queue, process);
      // Every process of it would fail alike.
      queue.failAll({ failure, output: startOutput });
      return coldStartFailed(failure, handlerIn(env, name));
    }
    queue.idle.push({ process, lastUsed: 0, startOutput, isNew: true });
    this.#serve(queue);
    return coldStartIn(startOutput);
  }

  #endIdle(queue: Queue): Promise<unknown> {
    return Promise.all([...queue.idle].map(({ process }) => this.#end(queue, process)));
  }

  async #end(queue: Queue, process: FunctionProcess): Promise<void> {
    queue.size -= 1;
    const position = queue.idle.findIndex((one) => one.process === process);
    if (position >= 0) queue.idle.splice(position, 1);
    await process.stop();
    this.#processes.delete(process);
  }
}

const CLOSED: NotStarted = { failure: new FunctionFailed('crash', 'the engine was closed'), output: '' };

/** What a process wrote for an event: later writing of events before it is not among the records. */
function writtenFor(
  requestId: string,
  { process, startOutput, isNew }: Pooled,
): Pick<PoolResult, 'records' | 'output'> {
  const output = process.output();
  process.forget();
  const isOwn = (record: LogRecord) => record.requestId === undefined || record.requestId === requestId;
  const decisions = process.decisions.map((decision) => ({ ...decision, event: DECISION }));
  const records = [...recordsOf(startOutput), ...decisions, ...recordsOf(output).filter(isOwn)];
  return { records, output: isNew ? startOutput + output : output };
}
