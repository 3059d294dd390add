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
import { type LogRecord, recordsOf } from './process/logRecords.ts';
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

interface Job extends PooledEvent {
  resolve: (result: PoolResult) => void;
}

interface Lane {
  process: FunctionProcess;
  isBusy: boolean;
  lastUsed: number;
  /** What the process wrote before its first event. */
  startOutput: string;
  isNew: boolean;
}

class Queue {
  readonly fn: PooledFunction;
  readonly jobs: Job[] = [];
  readonly lanes: Lane[] = [];
  starting: Promise<void> | null = null;
  /** Whether a process is to be ready at all times. */
  isKeptWarm = false;
  isRetired = false;
  /** What the process that was started last said; null before there is one. */
  coldStart: ColdStart | null = null;

  constructor(fn: PooledFunction) {
    this.fn = fn;
  }

  failAll(failure: FunctionFailed, output = ''): void {
    const records = recordsOf(output);
    for (const { resolve } of this.jobs.splice(0))
      resolve({ result: undefined, failure, records, output, ms: 0, requests: noRequests() });
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
  readonly #starts: Promise<unknown>[] = Array(availableParallelism()).fill(Promise.resolve());
  #isClosed = false;

  /** All other events have the time of a function on AWS. */
  constructor({ maxResting = MAX_RESTING, busyMs = BUSY_MS }: PoolOptions = {}) {
    this.#maxResting = maxResting;
    this.#busyMs = busyMs;
  }

  /** Never throws for what the function does. */
  invoke(fn: PooledFunction, event: PooledEvent): Promise<PoolResult> {
    const { promise, resolve } = Promise.withResolvers<PoolResult>();
    const queue = this.#queueOf(fn);
    queue.jobs.push({ ...event, resolve });
    this.#pump(queue);
    return promise;
  }

  /** From now on there is always a process that is ready. @returns what it said when it started */
  keepWarm(fn: PooledFunction): Promise<ColdStart | null> {
    this.#queueOf(fn).isKeptWarm = true;
    return this.start(fn);
  }

  /** Resolves when a process is ready, or could not be started. @returns what it said when it started */
  async start(fn: PooledFunction): Promise<ColdStart | null> {
    const queue = this.#queueOf(fn);
    if (queue.lanes.length === 0) await this.#addLane(queue);
    return queue.coldStart;
  }

  /** Ends the processes of functions that are not current, each when its events are answered. */
  async retire(isCurrent: (fn: PooledFunction) => boolean): Promise<void> {
    const retired = [...this.#queues].filter(([, { fn }]) => !isCurrent(fn));
    for (const [key, queue] of retired) {
      queue.isRetired = true;
      this.#queues.delete(key);
    }
    await Promise.all(retired.map(([, queue]) => this.#endRetired(queue)));
  }

  /** Ends all processes. Events without a response fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const queue of this.#queues.values()) queue.failAll(closedFailure());
    await Promise.all(Array.from(this.#processes, (process) => this.#stop(process)));
  }

  #queueOf(fn: PooledFunction): Queue {
    const key = createHash('sha256').update(JSON.stringify(fn)).digest('base64');
    const queue = this.#queues.get(key) ?? new Queue(fn);
    this.#queues.set(key, queue);
    return queue;
  }

  #pump(queue: Queue): void {
    for (const lane of [...queue.lanes]) {
      if (lane.isBusy) continue;
      // One that ended while it rested is replaced.
      if (lane.process.hasFailed) void this.#drop(queue, lane);
      else this.#runNext(queue, lane);
    }
    if (queue.jobs.length === 0) return;
    if (queue.lanes.length === 0) void this.#addLane(queue);
    else if (queue.lanes.length === 1) setTimeout(() => this.#help(queue), WAIT_MS);
  }

  #help(queue: Queue): void {
    const hasRoom = queue.lanes.length === 1 && this.#processes.size < MANY_PROCESSES;
    if (queue.jobs.length > 0 && hasRoom) void this.#addLane(queue);
  }

  /** One starts at a time. */
  #addLane(queue: Queue): Promise<void> {
    queue.starting ??= this.#startLane(queue).then(() => {
      queue.starting = null;
      this.#pump(queue);
      // It may have come too late for the events that it was started for.
      return this.#tidy(queue);
    });
    return queue.starting;
  }

  async #startLane(queue: Queue): Promise<void> {
    const turn = this.#starts.shift();
    const { promise: started, resolve: end } = Promise.withResolvers<void>();
    this.#starts.push(started);
    await turn;
    if (this.#isClosed) queue.failAll(closedFailure());
    else await this.#start(queue);
    end();
  }

  async #start(queue: Queue): Promise<void> {
    const { name, root, env } = queue.fn;
    const process = startFunction({ name, root, env, isLocal: true });
    this.#processes.add(process);
    const failure = await process.ready().then(
      () => null,
      (error: FunctionFailed) => error,
    );
    const startOutput = process.output();
    process.forget();
    if (failure === null) {
      queue.lanes.push({ process, isBusy: false, lastUsed: 0, startOutput, isNew: true });
      queue.coldStart = coldStartIn(startOutput);
      return;
    }
    queue.coldStart = coldStartFailed(failure, handlerIn(env, name));
    // Every process of it would fail alike.
    queue.failAll(failure, startOutput);
    await this.#stop(process);
  }

  #runNext(queue: Queue, lane: Lane): void {
    const job = queue.jobs.shift();
    if (job) void this.#run(queue, lane, job);
  }

  async #run(
    queue: Queue,
    lane: Lane,
    { resolve, event, requestId, frozenTime, requests }: Job,
  ): Promise<void> {
    lane.isBusy = true;
    const { process } = lane;
    const isLive = requests === 'live';
    const options = { frozenTime, requests, ...(isLive ? {} : { busyMs: this.#busyMs }) };
    const begun = performance.now();
    const outcome = await process.invoke(event, requestId, options).then(
      (result) => ({ result, failure: null }),
      (failure: FunctionFailed) => ({ result: undefined, failure }),
    );
    const ms = performance.now() - begun;
    const log = process.requests;
    resolve({ ...outcome, ms, requests: log, ...written(lane, requestId) });
    const hasAsked = !isLive && Object.values(log).some((list) => list.length > 0);
    await this.#release(queue, lane, outcome.failure !== null || hasAsked);
  }

  /** A process that requested something of another system keeps what it was told: the next event gets another process. */
  async #release(queue: Queue, lane: Lane, isUsedUp: boolean): Promise<void> {
    lane.isBusy = false;
    lane.isNew = false;
    lane.lastUsed = performance.now();
    const ended = isUsedUp ? this.#drop(queue, lane) : null;
    if (queue.isKeptWarm && queue.lanes.length === 0) void this.#addLane(queue);
    else this.#pump(queue);
    await ended;
    await this.#tidy(queue);
  }

  async #tidy(queue: Queue): Promise<void> {
    await this.#endRetired(queue);
    await this.#endResting();
  }

  async #endRetired(queue: Queue): Promise<void> {
    if (!queue.isRetired || queue.jobs.length > 0) return;
    const idle = queue.lanes.filter(({ isBusy }) => !isBusy);
    await Promise.all(idle.map((lane) => this.#drop(queue, lane)));
  }

  async #endResting(): Promise<void> {
    const resting = Array.from(this.#queues.values())
      .flatMap((queue) => queue.lanes.map((lane) => ({ queue, lane })))
      .filter(({ lane }) => !lane.isBusy);
    const endable = resting.filter(({ queue }) => !queue.isKeptWarm);
    const oldest = endable.sort((a, b) => a.lane.lastUsed - b.lane.lastUsed);
    const surplus = oldest.slice(0, Math.max(0, resting.length - this.#maxResting));
    await Promise.all(surplus.map(({ queue, lane }) => this.#drop(queue, lane)));
  }

  async #drop(queue: Queue, lane: Lane): Promise<void> {
    queue.lanes.splice(queue.lanes.indexOf(lane), 1);
    await this.#stop(lane.process);
  }

  async #stop(process: FunctionProcess): Promise<void> {
    await process.stop();
    this.#processes.delete(process);
  }
}

/** What a process wrote for an event: later writing of events before it is not among the records. */
function written(
  { process, startOutput, isNew }: Lane,
  requestId: string,
): Pick<PoolResult, 'records' | 'output'> {
  const output = process.output();
  process.forget();
  const isOwn = (record: LogRecord) => record.requestId === undefined || record.requestId === requestId;
  const records = [...recordsOf(startOutput), ...recordsOf(output).filter(isOwn)];
  return { records, output: isNew ? startOutput + output : output };
}

function closedFailure(): FunctionFailed {
  return new FunctionFailed('crash', 'the engine was closed');
}
