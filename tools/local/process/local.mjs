/** What a process does around each event that this machine answers: its end, its clock, and requests to other systems. */
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beginRequests, installFetch, log } from './localFetch.mjs';

/** As `functionProcess.ts` has it. */
const LIFELINE_FD = 3;
const realNow = Date.now;
let offsetMs = 0;
let decided = [];
/** Since the process began: a handler may ask when it loads. */
const secrets = new Set();

export function install() {
  const lifeline = join(import.meta.dirname, 'lifeline.mjs');
  new Worker(lifeline, { workerData: LIFELINE_FD, execArgv: [] }).unref();
  installClock();
  installFetch();
  subscribe('login-hooks:decision', note);
  subscribe('login-hooks:secret', (id) => secrets.add(id));
}

export function begin({ frozenTime, requests }) {
  offsetMs = frozenTime === null ? 0 : frozenTime - realNow();
  beginRequests(requests);
  decided = [];
}

/**
 * What was requested and decided since the event began: what mappings and default handlers decided, in their order, also where
 * the handler made something else of it.
 */
export function told() {
  return { requests: { ...log, secrets: [...secrets] }, decisions: decided };
}

/** Of each event the first: a handler may decide in a loop. */
const MAX_DECISIONS = 20;

/** At once: the handler may change its event later. */
function note({ decision, mapping }) {
  if (decision === null || decided.length === MAX_DECISIONS) return;
  const { reason, type, explain } = decision;
  decided.push({ reason, type, explanation: explain(), mapping: JSON.stringify(mapping) });
}

/** `Date` stands at the time of a stored event and goes on from there; before an event it has the real time. */
function installClock() {
  const RealDate = Date;
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    construct: (date, args, target) => Reflect.construct(date, args.length === 0 ? [now()] : args, target),
    apply: () => new RealDate(now()).toString(),
  });
  RealDate.prototype.constructor = globalThis.Date;
}

function now() {
  return realNow() + offsetMs;
}
