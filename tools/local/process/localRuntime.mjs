/** What a process does around each event that this machine answers: the clock, and requests to other systems. */
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { installClock, setClock } from './localClock.mjs';
import { beginAsking, endAsking, installFetch } from './localFetch.mjs';

/** As `childProcess.ts` has it. */
const LIFELINE_FD = 4;

/** Before the function's code is loaded. */
export function install() {
  const lifeline = fileURLToPath(new URL('lifeline.mjs', import.meta.url));
  new Worker(lifeline, { workerData: LIFELINE_FD, execArgv: [] }).unref();
  installClock();
  installFetch();
}

/** @param tell called once, before the first request that is sent */
export function begin({ moment, outside }, tell) {
  setClock(moment);
  beginAsking(outside, tell);
}

/** @returns what was asked since the event began */
export const end = endAsking;
