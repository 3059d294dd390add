/**
 * Watches a thread that runs several logins at the same time. A handler that never yields blocks all of them, and every login
 * that comes after them: a thread of the watchdog's own sees it and says so.
 */
import { isMainThread, threadId, Worker, workerData } from 'node:worker_threads';
import type { Invocation } from '../deadline.ts';
import { type WatchedThread, watch } from './watchdogThread.ts';
import { OF_SHADOW, WatchedLogins } from './watchedLogins.ts';

const YIELD_MS = 250;
/** A process has 64 logins a processor, where nothing else is set, and one thread may get more than its share. */
const MAX_LOGINS = 256;
/** How much memory the watchdog's thread may take, in MB. */
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

export interface Watchdog {
  /** Watches a login from when its handler is called. Call what it returns when the login has its answer. */
  begin(invocation: Invocation): () => void;
}

export interface WatchdogOptions
  extends Pick<WatchedThread, 'name' | 'handlerSource' | 'shadowSource' | 'logSocket'> {
  /** Called where the watchdog's own thread fails. */
  onFailure: (error: unknown) => void;
}

/** Watches this thread. */
export function startWatchdog({ onFailure, ...options }: WatchdogOptions): Watchdog {
  const logins = WatchedLogins.of(MAX_LOGINS);
  setInterval(() => logins.yielded(), YIELD_MS).unref();
  const watched: WatchedThread = { ...options, threadId, memory: logins.memory };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { [WATCHED]: watched },
    env: {},
    execArgv: [],
    resourceLimits: MEMORY,
  });
  worker.on('error', onFailure);
  worker.unref();
  return { begin: (invocation) => logins.begin(watchedId(invocation), invocation.remainingMs()) };
}

function watchedId({ requestId, isShadow }: Invocation): string {
  return isShadow ? OF_SHADOW + requestId : requestId;
}

/** The watchdog's thread runs this file too. There, the data that it was started with has this name. */
const WATCHED = 'loginHooksWatched';

if (!isMainThread && workerData?.[WATCHED]) void watch(workerData[WATCHED]);
