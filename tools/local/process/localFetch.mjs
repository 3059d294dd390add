/**
 * The `fetch` of a process that answers stored events: it tells what was asked of other systems, or answers from what was
 * told before. Nothing of a request's headers is told, and no token out of a response.
 */
import { createHash } from 'node:crypto';

const realFetch = globalThis.fetch;

/** The response headers that look-ups read. */
const HEADERS = ['content-type', 'location', 'retry-after', 'www-authenticate'];
/** Statuses whose responses have no body (Fetch standard, "null body status"). */
const WITHOUT_BODY = [204, 205, 304];
const SECRET_PARAMETER = /token|secret|password|signature|^(?:api[-_]?)?key$|^code$/i;
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
let served = new Map();
let asked = { exchanges: [], unanswered: [], served: [] };
/** Of live requests with plain headers, since the process began. */
let cached = [];
let onAsking = () => {};

export function installFetch() {
  globalThis.fetch = (...args) => fetchTold(new Request(...args));
}

/**
 * Begins an event.
 *
 * @param {'live' | 'ask' | import('./exchanges.ts').Exchange[]} outside
 * @param {() => void} tell called once, before the first request that is sent
 */
export function beginAsking(outside, tell) {
  mode = typeof outside === 'string' ? outside : 'recorded';
  recorded = typeof outside === 'string' ? [] : outside;
  served = new Map();
  asked = { exchanges: [], unanswered: [], served: [] };
  onAsking = tell;
}

/** @returns {Promise<import('./exchanges.ts').Asked>} since the event began; where requests are live, with what may have been cached */
export async function endAsking() {
  onAsking = () => {};
  if (mode !== 'live') return asked;
  // What a handler has read of a response is noted within a turn.
  await new Promise((resolve) => nextTurn(resolve));
  const { exchanges } = asked;
  const others = cached.filter((one) => !exchanges.some((own) => isAlike(own, one)));
  return { ...asked, exchanges: [...exchanges, ...others] };
}

async function fetchTold(request) {
  const body = Buffer.from(await request.clone().arrayBuffer());
  const key = {
    request: `${request.method} ${maskedUrl(request.url)}`,
    ...(body.length > 0 && { body_sha256: createHash('sha256').update(body).digest('base64') }),
  };
  if (mode === 'recorded') return serve(key);
  return mode === 'live' ? sendLive(request, key) : ask(request, key);
}

function maskedUrl(href) {
  const url = new URL(href);
  url.username = '';
  url.password = '';
  for (const name of url.searchParams.keys())
    if (SECRET_PARAMETER.test(name)) url.searchParams.set(name, MASK);
  return url.href;
}

async function ask(request, key) {
  onAsking();
  onAsking = () => {};
  // One that gets no response is noted too: the process waited for another system.
  const { exchanges, unanswered } = asked;
  unanswered.push(key.request);
  const response = await realFetch(request);
  const text = await response.text();
  unanswered.splice(unanswered.indexOf(key.request), 1);
  const { status } = response;
  exchanges.push(exchangeOf(key, response, text));
  return new Response(WITHOUT_BODY.includes(status) ? null : text, { status, headers: response.headers });
}

/** The handler gets the response itself, at once. */
async function sendLive(request, key) {
  const { exchanges } = asked;
  const response = await realFetch(request);
  const isPlain = [...request.headers.keys()].every((name) => PLAIN_HEADERS.includes(name));
  const add = (exchange) => {
    exchanges.push(exchange);
    if (isPlain) cached = [exchange, ...cached.filter((one) => !isAlike(one, exchange))].slice(0, MAX_CACHED);
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
  add(exchangeOf(key, response, new TextDecoder().decode(Buffer.concat(chunks))));
}

function exchangeOf(key, { status, headers }, text) {
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

/** Of requests that are alike, each gets the next response, and the last one serves all that follow. */
function serve(key) {
  const alike = recorded.filter((exchange) => isAlike(exchange, key));
  const id = `${key.request} ${key.body_sha256}`;
  const count = served.get(id) ?? 0;
  served.set(id, count + 1);
  const exchange = alike[Math.min(count, alike.length - 1)];
  if (!exchange) {
    asked.unanswered.push(key.request);
    throw new TypeError('fetch failed', { cause: new Error('there is no recorded response') });
  }
  const position = recorded.indexOf(exchange);
  if (!asked.served.includes(position)) asked.served.push(position);
  const { status, headers, json, text } = exchange;
  const body = json === undefined ? text : JSON.stringify(json);
  return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers });
}
