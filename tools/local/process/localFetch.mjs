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

let mode = 'live';
let recorded = [];
let served = new Map();
let asked = { exchanges: [], unanswered: [], served: [] };
let onAsking = () => {};

export function installFetch() {
  globalThis.fetch = (...args) => (mode === 'live' ? realFetch(...args) : fetchTold(new Request(...args)));
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

/** @returns {import('./exchanges.ts').Asked} since the event began */
export function endAsking() {
  onAsking = () => {};
  return asked;
}

async function fetchTold(request) {
  const body = Buffer.from(await request.clone().arrayBuffer());
  const key = {
    request: `${request.method} ${maskedUrl(request.url)}`,
    ...(body.length > 0 && { body_sha256: createHash('sha256').update(body).digest('base64') }),
  };
  return mode === 'recorded' ? serve(key) : ask(request, key);
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
  const headers = Object.fromEntries(
    HEADERS.flatMap((name) => (response.headers.has(name) ? [[name, response.headers.get(name)]] : [])),
  );
  exchanges.push({ ...key, status, headers, ...bodyOf(text) });
  return new Response(WITHOUT_BODY.includes(status) ? null : text, { status, headers: response.headers });
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

/** Of requests that are alike, each gets the next response, and the last one serves all that follow. */
function serve(key) {
  const alike = recorded.filter(
    (exchange) => exchange.request === key.request && exchange.body_sha256 === key.body_sha256,
  );
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
