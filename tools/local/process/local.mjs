/** What a process does around each event that this machine answers: its end, its clock, and requests to other systems. */
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beginRequests, endRequests, installFetch } from './localFetch.mjs';

/** As `functionProcess.ts` has it. */
const LIFELINE_FD = 3;
const RealDate = Date;
let offsetMs = 0;
let decided = [];
/** Those that were told, each with its number: one may be large, and is told once. */
const mappings = new Map();
const secrets = new Set();

export function install() {
  const lifeline = join(import.meta.dirname, 'lifeline.mjs');
  new Worker(lifeline, { workerData: LIFELINE_FD, execArgv: [] }).unref();
  Object.defineProperties(FrozenDate, Object.getOwnPropertyDescriptors(RealDate));
  FrozenDate.now = now;
  RealDate.prototype.constructor = FrozenDate;
  globalThis.Date = FrozenDate;
  installFetch();
  subscribe('login-hooks:decision', note);
  subscribe('login-hooks:secret', (id) => secrets.add(id));
}

/** @param tell called once, before the first request that is sent */
export function begin({ frozenTime, requests }, tell) {
  offsetMs = frozenTime === null ? 0 : frozenTime - RealDate.now();
  beginRequests(requests, tell);
  decided = [];
}

/** @returns what was requested since the event began, and the secrets since the process began: a handler may ask when it loads */
export async function end() {
  return { ...(await endRequests()), secrets: [...secrets] };
}

/** What mappings and default handlers decided on the event, in their order, also where the handler made something else of it. */
export function decisions() {
  return decided.map(({ mapping, ...decision }) => {
    const number = mappings.get(mapping);
    if (number === undefined) mappings.set(mapping, mappings.size);
    return { ...decision, mapping: number ?? mapping };
  });
}

/** Of each event the first: a handler may decide in a loop. */
const MAX_DECISIONS = 20;

/** At once: the handler may change its event later. */
function note({ decision, mapping }) {
  if (decision === null || decided.length === MAX_DECISIONS) return;
  const { reason, type, explain } = decision;
  decided.push({ reason, type, explanation: explain(), mapping });
}

function now() {
  return RealDate.now() + offsetMs;
}

/**
 * A `Date` that stands at the time of a stored event and goes on from there; before an event it has the real time. Everything
 * else of it is the real one's, its prototype too: dates made before and after are alike.
 */
function FrozenDate(...args) {
  if (!new.target) return new RealDate(now()).toString();
  const target = new.target === FrozenDate ? RealDate : new.target;
  return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, target);
}
