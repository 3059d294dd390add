/** Warm processes of functions. A function with its code and environment has one, which takes one event after another. */
import { availableParallelism } from 'node:os';
import { handlerIn } from '../shared/functions.ts';
import { coldStartIn } from './coldStartReport.ts';
import {
  type FunctionEvent,
  FunctionFailed,
  type FunctionProcess,
  failed,
  type Outcome,
  startFunction,
} from './process/functionProcess.ts';
import { DECISION, type LogRecord, recordsOf } from './process/logRecords.ts';

/** Those that are kept warm are among them. Where more rest, the one that was used least recently ends: each starts in a tenth of a second. */
const MAX_RESTING = 2;
/** For an event that asks no other system. All others have the time of AWS. */
const BUSY_MS = 3_000;

/** What runs: two that are equal share their processes. */
export interface PooledFunction {
  name: string;
  root: string;
  /** Changes whenever the code of the function or of its handler does. */
  version: string;
  env: NodeJS.ProcessEnv;
}

/** Its records are that of the process's start, and those of the event. */
export interface PoolResult extends Outcome {
  /** What the process wrote since the event before, and while it started. */
  output: string;
  /** From sending the event to the response, in milliseconds. */
  ms: number;
}

/** Of an event that is sent to no process. */
export function notSent(kind: string, message: string): PoolResult {
  return { ...failed(new FunctionFailed(kind, message)), output: '', ms: 0 };
}

/** What becomes of the events of a function, one after another. */
interface Line {
  key: string;
  fn: PooledFunction;
  tail: Promise<unknown>;
  waiting: number;
  started: Started | null;
  /** Whether a process is to be ready at all times. */
  isKeptWarm: boolean;
}

interface Started {
  process: FunctionProcess;
  coldStart: LogRecord;
  /** What the process wrote before its first event, until that is told. */
  output: string;
  /** Every process of the function would fail alike: no other one is started for the events that wait. */
  hasFailed: boolean;
}

export class Pool {
  readonly #busyMs: number;
  /** The one that was used last is the last. */
  readonly #lines = new Map<string, Line>();
  readonly #processes = new Set<FunctionProcess>();
  /** Each start waits for the oldest of these, so that few processes start at the same time. */
  readonly #starts: Promise<unknown>[] = Array(availableParallelism()).fill(Promise.resolve());
  #isClosed = false;

  constructor(busyMs = BUSY_MS) {
    this.#busyMs = busyMs;
  }

  /** Never throws for what the function does. */
  invoke(fn: PooledFunction, event: FunctionEvent): Promise<PoolResult> {
    const line = this.#lineOf(fn);
    return this.#inLine(line, () => this.#run(line, event));
  }

  /** From now on a process of each of these functions is ready. @returns what each said when it started */
  async keepWarm(fns: readonly PooledFunction[]): Promise<Map<PooledFunction, LogRecord | undefined>> {
    const lines = fns.map((fn) => this.#lineOf(fn));
    for (const line of lines) line.isKeptWarm = true;
    const coldStarts = await Promise.all(lines.map((line) => this.#warmUp(line)));
    // Those before answered until now.
    for (const line of this.#lines.values()) line.isKeptWarm = lines.includes(line);
    this.#endSurplus();
    return new Map(fns.map((fn, index) => [fn, coldStarts[index]]));
  }

  /** Ends all processes. Events without a result fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#processes, (process) => process.stop()));
  }

  #lineOf(fn: PooledFunction): Line {
    const key = JSON.stringify(fn);
    const known = this.#lines.get(key);
    const line = known ?? { key, fn, tail: Promise.resolve(), waiting: 0, started: null, isKeptWarm: false };
    this.#lines.delete(key);
    this.#lines.set(key, line);
    return line;
  }

  async #inLine<TResult>(line: Line, task: () => Promise<TResult>): Promise<TResult> {
    line.waiting += 1;
    const done = line.tail.then(task);
    line.tail = done;
    const result = await done;
    line.waiting -= 1;
    if (line.waiting === 0) this.#rest(line);
    return result;
  }

  async #run(line: Line, event: FunctionEvent): Promise<PoolResult> {
    const started = await this.#startedFor(line);
    if (started === null) return notSent('crash', 'the engine was closed');
    const begun = performance.now();
    const limitMs = event.requests === 'live' ? undefined : this.#busyMs;
    const outcome = await started.process.run(event, limitMs);
    const ms = performance.now() - begun;
    const { recordings, missing, used } = outcome.requests;
    // A process that was told something by another system keeps it: the next event gets another process.
    if (recordings.length + missing.length + used.length > 0) void this.#end(line);
    return { ...resultOf(outcome, event.requestId, started), ms };
  }

  async #startedFor(line: Line): Promise<Started | null> {
    const { started } = line;
    if (started !== null && (started.hasFailed || started.process.failure === null)) return started;
    void this.#end(line);
    const turn = this.#starts.shift() ?? Promise.resolve();
    const starting = turn.then(() => this.#start(line.fn));
    this.#starts.push(starting);
    line.started = await starting;
    return line.started;
  }

  async #start({ name, root, env }: PooledFunction): Promise<Started | null> {
    if (this.#isClosed) return null;
    const process = startFunction({ name, root, env, isLocal: true });
    this.#processes.add(process);
    const { failure } = await process.started;
    const output = process.take();
    const coldStart = coldStartIn(output, failure, handlerIn(env, name));
    return { process, coldStart, output, hasFailed: failure !== null };
  }

  #warmUp(line: Line): Promise<LogRecord | undefined> {
    return this.#inLine(line, async () => (await this.#startedFor(line))?.coldStart);
  }

  /** A process that failed ends, and one is started where it is to be ready. */
  #rest(line: Line): void {
    const { started, isKeptWarm } = line;
    if (started === null || started.process.failure) void this.#end(line);
    if (isKeptWarm && line.started === null && !started?.hasFailed && !this.#isClosed)
      void this.#warmUp(line);
    this.#endSurplus();
  }

  /** Of what nothing waits for, few processes stay. */
  #endSurplus(): void {
    const resting = [...this.#lines.values()].filter((one) => one.waiting === 0 && one.started !== null);
    const surplus = Math.max(0, resting.length - MAX_RESTING);
    for (const one of resting.filter((one) => !one.isKeptWarm).slice(0, surplus)) void this.#end(one);
  }

  async #end(line: Line): Promise<void> {
    const { key, started, waiting, isKeptWarm } = line;
    if (waiting === 0 && !isKeptWarm) this.#lines.delete(key);
    line.started = null;
    await started?.process.stop();
    if (started) this.#processes.delete(started.process);
  }
}

/** With what the process wrote for the event: later writing of events before it is not among the records. */
function resultOf(outcome: Outcome, requestId: string, started: Started): Omit<PoolResult, 'ms'> {
  const output = started.process.take();
  // A handler may print any record: what was decided is told by the process, and not in its output.
  const isOwn = ({ event, requestId: id }: LogRecord) =>
    event !== DECISION && (id === undefined || id === requestId);
  const records = [started.coldStart, ...outcome.records, ...recordsOf(output).filter(isOwn)];
  const untold = started.output;
  started.output = '';
  return { ...outcome, records, output: untold + output };
}
