/**
 * A handler that never yields blocks its thread, and all logins in it. Where one process runs several logins, that is all of
 * them for a long time: a second thread watches, and ends the handler's loop.
 */
import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads';
import type { Invocation } from '../deadline.ts';
import type { Log } from './log.ts';
import { type Watched, watch } from './watchdogThread.ts';
import { WatchedLogins } from './watchedLogins.ts';

const YIELD_MS = 250;
/** One thread may get more than its share of what Lambda gives to a process: 64 a processor, if not set otherwise. */
const MAX_LOGINS = 256;
/** The watchdog's own thread needs little memory, in MB. */
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

export interface Watchdog {
  /** Watches a login from when its handler is called. Call what it returns when the login has its answer. */
  begin(invocation: Invocation): () => void;
}

export interface WatchdogOptions
  extends Pick<Watched, 'name' | 'handlerSource' | 'shadowSource' | 'logSocket'> {
  log: Log;
}

/** Watches this thread. */
export function startWatchdog({ log, ...options }: WatchdogOptions): Watchdog {
  const logins = WatchedLogins.of(MAX_LOGINS);
  setInterval(() => logins.yielded(), YIELD_MS).unref();
  const watched: Watched = { ...options, threadId, memory: logins.memory };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { [WATCHED]: watched },
    env: {},
    execArgv: [],
    resourceLimits: MEMORY,
  });
  worker.on('error', (error) => log.error({ event: 'watchdog_failed', error: String(error) }));
  worker.unref();
  return { begin: (invocation) => logins.begin(invocation.requestId, invocation.remainingMs()) };
}

/** This file is also what the watchdog's thread runs: there, the data that it was started with has this name. */
const WATCHED = 'loginHooksWatched';

if (!isMainThread && workerData?.[WATCHED]) void watch(workerData[WATCHED]);
