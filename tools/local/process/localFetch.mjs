/**
 * The `fetch` of a process that answers stored events: it sends requests to other systems and tells of them, or responds by what
 * was told before. Nothing of a request's headers is told, and no token out of a response.
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
/** Of a response, in characters: what is longer is not told. It is as long as a look-up reads. */
const MAX_TOLD = 1_048_576;

/** The recordings that respond; null where requests are sent. */
let recorded;
/** What was requested since the event began. */
export let log;

export function installFetch() {
  beginRequests('live');
  globalThis.fetch = (...args) => fetchTold(new Request(...args));
}

/** @param {import('../recordings.ts').Requests} requests of the event that begins */
export function beginRequests(requests) {
  recorded = requests === 'live' ? null : requests;
  log = { recordings: [], missing: [], used: [] };
}

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
