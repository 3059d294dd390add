/**
 * Warm processes of functions. A function with its code and environment has a process of its own, which answers one event
 * after another; where events wait for long, a second one helps.
 */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { handlerIn } from '../shared/stage.ts';
import { type ColdStart, coldStartFailed, coldStartIn } from './coldStartRecord.ts';
import {
  type Answer,
  type Ask,
  closedFailure,
  failAll,
  type Group,
  type Job,
  type Lane,
  newGroup,
  type PooledFunction,
  withOutput,
  written,
} from './pooled.ts';
import { type FunctionProcess, startFunction } from './process/functionProcess.ts';
import type { FunctionFailed } from './process/runtime.ts';
import { Semaphore } from './semaphore.ts';

/** How many processes rest, those that are kept warm among them: each takes some 70 MB, and starts in a tenth of a second. */
const MAX_RESTING = 2;
/** Where there are so many, no function gets a second one. */
const MANY_PROCESSES = 8;
const MAX_LANES = 2;
/** How long an event waits before a second process is started for it. */
const LANE_WAIT_MS = 200;
const BUSY_MS = 3_000;

export interface PoolOptions {
  /** Idle processes end, the least recently used first, where there are more. Default: 2. */
  maxResting?: number;
  /** For an event that is not live, while it waits for no other system, in milliseconds. Default: 3,000. */
  busyMs?: number;
}

export class Pool {
  readonly #maxResting: number;
  readonly #busyMs: number;
  readonly #groups = new Map<string, Group>();
  readonly #starts = new Semaphore(availableParallelism());
  readonly #processes = new Set<FunctionProcess>();
  #isClosed = false;

  /** All other events have the time of a function on AWS. */
  constructor({ maxResting = MAX_RESTING, busyMs = BUSY_MS }: PoolOptions = {}) {
    this.#maxResting = maxResting;
    this.#busyMs = busyMs;
  }

  /** Never throws for what the function does. */
  answer(fn: PooledFunction, ask: Ask): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const group = this.#groupOf(fn);
    group.queue.push({ ...ask, resolve });
    this.#pump(group);
    return promise;
  }

  /** From now on there is always a process that is ready. @returns what it said when it started */
  keepWarm(fn: PooledFunction): Promise<ColdStart | null> {
    this.#groupOf(fn).isKeptWarm = true;
    return this.start(fn);
  }

  /** Resolves when a process is ready, or could not be started. @returns what it said when it started */
  async start(fn: PooledFunction): Promise<ColdStart | null> {
    const group = this.#groupOf(fn);
    if (group.lanes.length === 0) {
      group.warming ??= this.#addLane(group);
      await group.warming;
      group.warming = null;
    }
    return group.coldStart;
  }

  /** Ends the processes of functions that are not current, each when its events are answered. */
  async retire(isCurrent: (fn: PooledFunction) => boolean): Promise<void> {
    const retired = [...this.#groups].filter(([, { fn }]) => !isCurrent(fn));
    for (const [key, group] of retired) {
      group.isRetired = true;
      this.#groups.delete(key);
    }
    await Promise.all(retired.map(([, group]) => this.#endIdle(group)));
  }

  /** Ends all processes. Events that are not answered yet fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const group of this.#groups.values()) failAll(group, closedFailure());
    await Promise.all(Array.from(this.#processes, (process) => this.#stop(process)));
  }

  #groupOf(fn: PooledFunction): Group {
    const key = createHash('sha256').update(JSON.stringify(fn)).digest('base64');
    const known = this.#groups.get(key);
    if (known) return known;
    const group = newGroup(fn);
    this.#groups.set(key, group);
    return group;
  }

  #pump(group: Group): void {
    for (const lane of [...group.lanes]) {
      if (lane.isBusy) continue;
      if (lane.process.hasFailed()) {
        // It ended while it rested.
        void this.#drop(group, lane);
        continue;
      }
      const job = group.queue.shift();
      if (!job) break;
      void this.#run(group, lane, job);
    }
    if (group.queue.length === 0 || group.starting > 0) return;
    if (group.lanes.length === 0) void this.#addLane(group);
    else if (group.lanes.length < MAX_LANES) setTimeout(() => this.#helpWaiting(group), LANE_WAIT_MS);
  }

  #helpWaiting(group: Group): void {
    const hasRoom = group.lanes.length + group.starting < MAX_LANES && this.#processes.size < MANY_PROCESSES;
    if (group.queue.length > 0 && hasRoom) void this.#addLane(group);
  }

  async #addLane(group: Group): Promise<void> {
    group.starting += 1;
    try {
      const lane = await this.#starts.run(() => this.#start(group.fn));
      group.lanes.push(lane);
      group.coldStart = coldStartIn(lane.startOutput);
    } catch (error) {
      const { env, name } = group.fn;
      group.coldStart = coldStartFailed(error as FunctionFailed, handlerIn(env, name));
      // Every process of it would fail alike.
      failAll(group, error as FunctionFailed);
    } finally {
      group.starting -= 1;
    }
    this.#pump(group);
    await this.#endIdle(group);
    // It may have come too late for the events that it was started for.
    await this.#endResting();
  }

  /** @throws {FunctionFailed} */
  async #start({ name, root, env }: PooledFunction): Promise<Lane> {
    if (this.#isClosed) throw closedFailure();
    const process = await startFunction({ name, root, env, isLocal: true });
    this.#processes.add(process);
    try {
      if (this.#isClosed) throw closedFailure();
      await process.ready();
    } catch (error) {
      await this.#stop(process);
      throw withOutput(error as FunctionFailed, process.output());
    }
    const startOutput = process.output();
    process.forget();
    return { process, isBusy: false, lastUsed: 0, startOutput, isNew: true };
  }

  async #run(group: Group, lane: Lane, { resolve, event, requestId, ...local }: Job): Promise<void> {
    lane.isBusy = true;
    const { process } = lane;
    const isLive = local.outside === 'live';
    const begun = performance.now();
    let result: unknown;
    let failure: FunctionFailed | null = null;
    try {
      const busy = isLive ? {} : { busyMs: this.#busyMs };
      result = await process.invoke(event, requestId, { ...local, ...busy });
    } catch (error) {
      failure = error as FunctionFailed;
    }
    const ms = performance.now() - begun;
    const asked = process.asked();
    resolve({ result, failure, ms, asked, ...written(lane, requestId) });
    const hasAsked = !isLive && Object.values(asked).some((list) => list.length > 0);
    await this.#release(group, lane, failure !== null || hasAsked);
  }

  /** A process that asked another system keeps what it was told: the next event gets another process. */
  async #release(group: Group, lane: Lane, isUsedUp: boolean): Promise<void> {
    lane.isBusy = false;
    lane.isNew = false;
    lane.lastUsed = performance.now();
    const ended = isUsedUp ? this.#drop(group, lane) : null;
    if (group.isKeptWarm && group.lanes.length === 0) void this.#addLane(group);
    else this.#pump(group);
    await ended;
    await this.#endIdle(group);
    await this.#endResting();
  }

  async #endIdle(group: Group): Promise<void> {
    if (!group.isRetired || group.queue.length > 0) return;
    const idle = group.lanes.filter(({ isBusy }) => !isBusy);
    await Promise.all(idle.map((lane) => this.#drop(group, lane)));
  }

  async #endResting(): Promise<void> {
    const resting = Array.from(this.#groups.values())
      .flatMap((group) => group.lanes.map((lane) => ({ group, lane })))
      .filter(({ lane }) => !lane.isBusy);
    const endable = resting.filter(({ group }) => !group.isKeptWarm);
    const oldest = endable.sort((a, b) => a.lane.lastUsed - b.lane.lastUsed);
    const surplus = oldest.slice(0, Math.max(0, resting.length - this.#maxResting));
    await Promise.all(surplus.map(({ group, lane }) => this.#drop(group, lane)));
  }

  async #drop(group: Group, lane: Lane): Promise<void> {
    group.lanes.splice(group.lanes.indexOf(lane), 1);
    await this.#stop(lane.process);
  }

  async #stop(process: FunctionProcess): Promise<void> {
    await process.stop();
    this.#processes.delete(process);
  }
}
