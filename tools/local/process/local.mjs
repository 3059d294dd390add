/** What a process does around each event that this machine answers: its end, its clock, and requests to other systems. */
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beginRequests, installFetch, requestsTold } from './localFetch.mjs';

/** As `functionProcess.ts` has it. */
const LIFELINE_FD = 3;
const RealDate = Date;
let offsetMs = 0;
let decided = [];
/** Those that were told, each with its number: one may be large, and is told once. */
const mappings = new Map();
/** Since the process began: a handler may ask when it loads. */
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

export function begin({ frozenTime, requests }) {
  offsetMs = frozenTime === null ? 0 : frozenTime - RealDate.now();
  beginRequests(requests);
  decided = [];
}

/**
 * What was requested and decided since the event began: what mappings and default handlers decided, in their order, also where
 * the handler made something else of it.
 */
export function told() {
  const decisions = decided.map(({ mapping, ...decision }) => {
    const number = mappings.get(mapping);
    if (number === undefined) mappings.set(mapping, mappings.size);
    return { ...decision, mapping: number ?? mapping };
  });
  return { requests: { ...requestsTold(), secrets: [...secrets] }, decisions };
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
