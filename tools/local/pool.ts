/** Warm processes of functions. A function with its code and environment has one, which takes one event after another. */
import { availableParallelism } from 'node:os';
import {
  type FunctionEvent,
  FunctionFailed,
  type FunctionProcess,
  failed,
  type Outcome,
  startFunction,
} from './process/functionProcess.ts';

/** A project has two functions, each with a process for what is stored and one for what comes. */
const MAX_RESTING = 4;
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

/** What becomes of the events of a function, one after another. */
interface Line {
  key: string;
  fn: PooledFunction;
  tail: Promise<unknown>;
  waiting: number;
  process: FunctionProcess | null;
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
  async invoke(fn: PooledFunction, event: FunctionEvent): Promise<Outcome> {
    const line = this.#lineOf(fn);
    line.waiting += 1;
    const running = line.tail.then(() => this.#run(line, event));
    line.tail = running;
    const outcome = await running;
    line.waiting -= 1;
    if (line.waiting === 0) this.#rest(line);
    return outcome;
  }

  /** Ends all processes. Events without a result fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#processes, (process) => process.stop()));
  }

  #lineOf(fn: PooledFunction): Line {
    const key = JSON.stringify(fn);
    const known = this.#lines.get(key);
    const line = known ?? { key, fn, tail: Promise.resolve(), waiting: 0, process: null };
    this.#lines.delete(key);
    this.#lines.set(key, line);
    return line;
  }

  async #run(line: Line, event: FunctionEvent): Promise<Outcome> {
    const process = await this.#processOf(line);
    if (process === null) return failed(new FunctionFailed('crash', 'the engine was closed'));
    const outcome = await process.run(event, event.requests === 'live' ? undefined : this.#busyMs);
    const { recordings, missing, used } = outcome.requests;
    // A process that was told something by another system keeps it: the next event gets another process.
    if (recordings.length + missing.length + used.length > 0) void this.#end(line);
    return outcome;
  }

  async #processOf(line: Line): Promise<FunctionProcess | null> {
    const { process } = line;
    // Where one could not start, all others would fail alike: none is started for the events that wait.
    if (process !== null && (process.failure === null || !(await process.started))) return process;
    void this.#end(line);
    const turn = this.#starts.shift() ?? Promise.resolve();
    const starting = turn.then(() => this.#start(line.fn));
    this.#starts.push(starting);
    line.process = await starting;
    return line.process;
  }

  async #start({ name, root, env }: PooledFunction): Promise<FunctionProcess | null> {
    if (this.#isClosed) return null;
    const process = startFunction({ name, root, env, isLocal: true });
    this.#processes.add(process);
    await process.started;
    return process;
  }

  /** Of what nothing waits for, few processes stay, and none that failed. */
  #rest(line: Line): void {
    if (line.process === null || line.process.failure !== null) void this.#end(line);
    const resting = [...this.#lines.values()].filter(({ waiting, process }) => waiting === 0 && process);
    for (const one of resting.slice(0, -MAX_RESTING)) void this.#end(one);
  }

  async #end(line: Line): Promise<void> {
    const { key, process, waiting } = line;
    if (waiting === 0) this.#lines.delete(key);
    line.process = null;
    await process?.stop();
    if (process) this.#processes.delete(process);
  }
}
