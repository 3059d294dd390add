/**
 * What a process does around each event that this machine answers: its end, its clock, what is decided, and requests to other
 * systems. It sends these and tells of them, or responds by what was told before. Nothing of a request's headers is told, and no
 * token out of a response.
 */
import { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** As `functionProcess.ts` has it. */
const LIFELINE_FD = 3;
const realNow = Date.now;
const realFetch = globalThis.fetch;
/** Since the process began: a handler may ask when it loads. */
const secrets = new Set();
let offsetMs = 0;
let decisions = [];
/** The recordings that respond; null where requests are sent. */
let recorded = null;
let log = { recordings: [], missing: [], used: [] };

export function install() {
  const lifeline = join(import.meta.dirname, 'lifeline.mjs');
  new Worker(lifeline, { workerData: LIFELINE_FD, execArgv: [] }).unref();
  installClock();
  globalThis.fetch = (...args) => fetchTold(new Request(...args));
  subscribe('login-hooks:decision', note);
  subscribe('login-hooks:secret', (id) => secrets.add(id));
}

/** @param {import('./functionProcess.ts').FunctionEvent} event */
export function begin({ frozenTime, requests }) {
  offsetMs = frozenTime === null ? 0 : frozenTime - realNow();
  decisions = [];
  recorded = requests === 'live' ? null : requests;
  log = { recordings: [], missing: [], used: [] };
}

/**
 * What was requested and decided since the event began: what mappings and default handlers decided, in their order, also where
 * the handler made something else of it.
 */
export function told() {
  return { requests: { ...log, secrets: [...secrets] }, decisions };
}

/** Of each event the first: a handler may decide in a loop. */
const MAX_DECISIONS = 20;

/** At once: the handler may change its event later. */
function note({ decision, mapping }) {
  if (decision === null || decisions.length === MAX_DECISIONS) return;
  const { reason, type, explain } = decision;
  decisions.push({ reason, type, explanation: explain(), mapping: JSON.stringify(mapping) });
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

/** The response headers that look-ups read. */
const HEADERS = ['content-type', 'location', 'retry-after'];
/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY = [204, 205, 304];
const SECRET_PARAMETER = /token|secret|password|signature|^(?:api[-_]?)?key$|^code$|^client_id$/i;
const TOKEN_FIELDS = ['access_token', 'refresh_token', 'id_token'];
const MASK = 'masked';
/** Of a response, in characters: what is longer is not told. It is as long as a look-up reads. */
const MAX_TOLD = 1_048_576;

async function fetchTold(request) {
  const body = Buffer.from(await request.clone().arrayBuffer());
  const key = {
    request: `${request.method} ${maskedUrl(request.url)}`,
    ...(body.length > 0 && { body_sha256: digestOf(body, request) }),
  };
  return recorded === null ? send(request, key) : responseOf(recordingFor(key));
}

/** Of a form without its credentials: a recording is the same for whoever has others. */
function digestOf(body, { headers }) {
  const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded');
  const text = isForm ? String(maskedParameters(new URLSearchParams(String(body)))) : body;
  return createHash('sha256').update(text).digest('base64');
}

function maskedUrl(href) {
  const url = new URL(href);
  url.username = '';
  url.password = '';
  maskedParameters(url.searchParams);
  return url.href;
}

function maskedParameters(parameters) {
  for (const name of parameters.keys()) if (SECRET_PARAMETER.test(name)) parameters.set(name, MASK);
  return parameters;
}

/** Of requests that are alike, each gets the next recording, and the last one serves all that follow. */
function recordingFor(key) {
  const alike = recorded.filter(
    ({ request, body_sha256 }) => request === key.request && body_sha256 === key.body_sha256,
  );
  const recording = alike.find((one) => !log.used.includes(recorded.indexOf(one))) ?? alike.at(-1);
  if (!recording) {
    log.missing.push(key.request);
    throw new TypeError('fetch failed', { cause: new Error('there is no recorded response') });
  }
  log.used = [...new Set([...log.used, recorded.indexOf(recording)])];
  return recording;
}

function responseOf({ status, headers, json, text }) {
  const body = json === undefined ? text : JSON.stringify(json);
  return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers });
}

/** The handler gets the response itself. */
async function send(request, key) {
  // One that gets no response is told too: the process waited for another system.
  const { recordings, missing } = log;
  missing.push(key.request);
  const response = await realFetch(request);
  const text = await response.clone().text();
  missing.splice(missing.indexOf(key.request), 1);
  if (text.length <= MAX_TOLD) recordings.push(recordingOf(key, response, text));
  return response;
}

function recordingOf(key, { status, headers }, text) {
  const told = HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : []));
  return { ...key, status, headers: Object.fromEntries(told), ...bodyOf(text) };
}

function bodyOf(text) {
  try {
    return { json: JSON.parse(text, (name, value) => (TOKEN_FIELDS.includes(name) ? MASK : value)) };
  } catch {
    return { text };
  }
}
