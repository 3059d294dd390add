/**
 * The `fetch` of a process that answers stored events: it tells what was requested of other systems, or responds by what was
 * told before. Nothing of a request's headers is told, and no token out of a response.
 */
import { createHash } from 'node:crypto';

const realFetch = globalThis.fetch;

/** The response headers that look-ups read. */
const HEADERS = ['content-type', 'location', 'retry-after', 'www-authenticate'];
/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY = [204, 205, 304];
const SECRET_PARAMETER = /token|secret|password|signature|^(?:api[-_]?)?key$|^code$|^client_id$/i;
const TOKEN_FIELDS = ['access_token', 'refresh_token', 'id_token'];
const MASK = 'masked';
/** Of a live response, in bytes: what is longer is not told. It is as long as a look-up reads. */
const MAX_NOTED = 1_048_576;
/** A request with no other header is the same for each person: a process may have cached its response for later events. */
const PLAIN_HEADERS = ['accept', 'accept-language', 'cache-control', 'content-type', 'user-agent'];
const MAX_CACHED = 100;
/** A handler may put another one in its place. */
const nextTurn = setImmediate;

let mode = 'live';
let recorded = [];
let log = emptyLog();
/** How often each request was answered by a recording. */
let counts = new Map();
/** Of live requests with plain headers, since the process began. */
let cached = [];
let onAsking = () => {};

function emptyLog() {
  return { recordings: [], missing: [], used: [] };
}

export function installFetch() {
  globalThis.fetch = (...args) => fetchTold(new Request(...args));
}

/**
 * Begins an event.
 *
 * @param {import('../recordings.ts').Requests} requests
 * @param {() => void} tell called once, before the first request that is sent
 */
export function beginRequests(requests, tell) {
  const isMode = typeof requests === 'string';
  mode = isMode ? requests : 'recorded';
  recorded = isMode ? [] : requests;
  counts = new Map();
  log = emptyLog();
  onAsking = tell;
}

/** @returns {Promise<import('../recordings.ts').RequestLog>} since the event began */
export async function endRequests() {
  onAsking = () => {};
  if (mode !== 'live') return log;
  // What a handler has read of a response is noted within a turn.
  await new Promise((resolve) => nextTurn(resolve));
  const { recordings } = log;
  const others = cached.filter((one) => !recordings.some((own) => isAlike(own, one)));
  return { ...log, recordings: [...recordings, ...others] };
}

async function fetchTold(request) {
  const body = Buffer.from(await request.clone().arrayBuffer());
  const key = {
    request: `${request.method} ${maskedUrl(request.url)}`,
    ...(body.length > 0 && { body_sha256: digestOf(body, request) }),
  };
  if (mode === 'recorded') return responseOf(recordingFor(key));
  return mode === 'live' ? sendLive(request, key) : sendToRecord(request, key);
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
  const alike = recorded.filter((recording) => isAlike(recording, key));
  const id = `${key.request} ${key.body_sha256}`;
  const count = counts.get(id) ?? 0;
  counts.set(id, count + 1);
  const recording = alike[Math.min(count, alike.length - 1)];
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

async function sendToRecord(request, key) {
  onAsking();
  onAsking = () => {};
  // One that gets no response is told too: the process waited for another system.
  const { recordings, missing } = log;
  missing.push(key.request);
  const response = await realFetch(request);
  const text = await response.text();
  missing.splice(missing.indexOf(key.request), 1);
  const { status, headers } = response;
  recordings.push(recordingOf(key, response, text));
  return responseOf({ status, headers, text });
}

/** The handler gets the response itself, at once. */
async function sendLive(request, key) {
  const { recordings } = log;
  const response = await realFetch(request);
  const isPlain = [...request.headers.keys()].every((name) => PLAIN_HEADERS.includes(name));
  const add = (recording) => {
    recordings.push(recording);
    if (!isPlain) return;
    cached = [recording, ...cached.filter((one) => !isAlike(one, recording))].slice(0, MAX_CACHED);
  };
  note(add, key, response.clone()).catch(() => {});
  return response;
}

async function note(add, key, response) {
  const chunks = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_NOTED) return;
    chunks.push(chunk);
  }
  add(recordingOf(key, response, new TextDecoder().decode(Buffer.concat(chunks))));
}

function recordingOf(key, { status, headers }, text) {
  const told = HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : []));
  return { ...key, status, headers: Object.fromEntries(told), ...bodyOf(text) };
}

function bodyOf(text) {
  try {
    const json = JSON.parse(text);
    return { json: typeof json === 'object' && json !== null && !Array.isArray(json) ? masked(json) : json };
  } catch {
    return { text };
  }
}

function masked(json) {
  const tokens = TOKEN_FIELDS.filter((name) => Object.hasOwn(json, name));
  return { ...json, ...Object.fromEntries(tokens.map((name) => [name, MASK])) };
}

function isAlike(one, other) {
  return one.request === other.request && one.body_sha256 === other.body_sha256;
}
