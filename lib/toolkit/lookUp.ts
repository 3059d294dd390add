/** Look-ups over HTTP, by ky: small, well maintained, over Node's own `fetch`, with the retries that are easy to get wrong. */
import { createHash } from 'node:crypto';
import ky, { isHTTPError, isTimeoutError } from 'ky';
import type * as v from 'valibot';
import { currentInvocation, markAsked, remainingMs } from '../invocation.ts';
import { LookUpFailed } from '../reasons.ts';
import { parseJson } from '../schema.ts';
import { Cache } from './cache.ts';
import { connectionFailure, problemOf } from './connectionFailure.ts';
import { followLink, type LookUpUrl } from './url.ts';

export interface LookUpOptions {
  /** Default: GET, or POST with `json` or `form`. Only GET, PUT and DELETE are tried again. */
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form (`application/x-www-form-urlencoded`). */
  form?: Record<string, string>;
  /**
   * Of one try, in milliseconds, the body included. Default: 3000. All tries together end with the login's deadline, or
   * after 10 seconds where `cacheSeconds` is set.
   */
  tryTimeoutMs?: number;
  /** How many tries follow a transient failure. Default: 2. */
  retries?: number;
  /** Of the response body, in bytes after decoding. Default: 1 MiB. */
  maxBytes?: number;
  /** Whether `http:` is allowed: only for a system inside the same network. Default: false. */
  allowHttp?: boolean;
  /** For how long the response serves other logins that send the same request, in seconds. Default: not at all. */
  cacheSeconds?: number;
}

const TRY_TIMEOUT_MS = 3_000;
const RETRIES = 2;
const MAX_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;
const MAX_CACHED = 1_000;
const MAX_CACHED_CHARACTERS = 16_777_216;
/** For a look-up outside of a login, and for one that is cached, in place of a login's deadline. */
const SHARED_TIMEOUT_MS = 10_000;
/** Redirects that repeat a POST, and those that make it a GET. */
const REPEATING_STATUSES = [307, 308];
const GET_STATUSES = [301, 302, 303];
/** A higher number is not a valid status, and stands for a server error (RFC 9110 section 15). */
const MAX_STATUS = 599;
/** All that is read of a response without its body. ky would wait for hours for what `X-RateLimit-Reset` and others say. */
const READ_HEADERS = ['location', 'retry-after'];

/** Bodies as text: the size is known, and each login parses its own copy, so that no handler changes another's. */
const bodies = new Cache<string>({
  max: MAX_CACHED,
  requestMs: SHARED_TIMEOUT_MS,
  size: { max: MAX_CACHED_CHARACTERS, of: (text) => text.length },
});

export async function lookUp<TSchema extends v.GenericSchema>(
  url: LookUpUrl,
  schema: TSchema,
  options: LookUpOptions = {},
): Promise<v.InferOutput<TSchema>> {
  markAsked();
  const { host } = url;
  if (!options.allowHttp && !url.href.startsWith('https:')) {
    throw new LookUpFailed('lookup_url_refused', host, null, ['expected https']);
  }
  if (options.cacheSeconds === undefined)
    return parseJson(schema, await request(url, options), unusable(host));
  const key = cacheKey(url, options);
  const maxAgeMs = options.cacheSeconds * 1_000;
  const body = await bodies.fetch(key, () => request(url, options), { maxAgeMs });
  try {
    return parseJson(schema, body, unusable(host));
  } catch (error) {
    // A body of no use, such as a maintenance page, does not stay cached.
    bodies.delete(key);
    throw error;
  }
}

function unusable(host: string) {
  return (problems: string[] | null) =>
    new LookUpFailed(problems ? 'lookup_unexpected' : 'lookup_not_json', host, 200, problems ?? undefined);
}

function methodOf({ method, json, form }: LookUpOptions): string {
  return method ?? (json !== undefined || form ? 'POST' : 'GET');
}

/** All that is sent is part of the key: what one person's token opens is not for another. Hashed, to hold no token. */
function cacheKey({ href }: LookUpUrl, { method, headers, json, form }: LookUpOptions): string {
  const sent = JSON.stringify({ method, href, headers, json, form: form && [...new URLSearchParams(form)] });
  return createHash('sha256').update(sent).digest('base64');
}

async function request(url: LookUpUrl, options: LookUpOptions): Promise<string> {
  const signal = currentInvocation()?.signal ?? AbortSignal.timeout(SHARED_TIMEOUT_MS);
  let target = url;
  let sent = options;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await send(target, sent, signal);
    const location = response.headers.get('location');
    if (location === null) return textOf(response, target);
    sent = afterRedirect(response.status, target, sent);
    target = sameOrigin(target, location, response.status);
  }
  throw new LookUpFailed('lookup_redirected', url.host);
}

async function textOf(response: Response, { host }: LookUpUrl): Promise<string> {
  try {
    if (response.body) return new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer());
  } catch {
    // It is not UTF-8.
  }
  throw new LookUpFailed('lookup_not_json', host, response.status);
}

/**
 * GET is repeated. POST is repeated by 307 and 308, and becomes GET by 301, 302 and 303 (RFC 9110 section 15.4). PUT and
 * DELETE may not become GET, which would lose the change, and are not repeated: they are not safe (section 9.2.1).
 */
function afterRedirect(status: number, { host }: LookUpUrl, options: LookUpOptions): LookUpOptions {
  const method = methodOf(options);
  if (method === 'GET' || (method === 'POST' && REPEATING_STATUSES.includes(status))) return options;
  if (method !== 'POST' || !GET_STATUSES.includes(status)) {
    const problem = `expected no redirect of ${method}: use the address that it leads to`;
    throw new LookUpFailed('lookup_redirected', host, status, [problem]);
  }
  const { json: _, form: __, ...others } = options;
  return { ...others, method: 'GET' };
}

function sameOrigin(from: LookUpUrl, location: string, status: number): LookUpUrl {
  try {
    return followLink(from, location);
  } catch {
    throw new LookUpFailed('lookup_redirected', from.host, status);
  }
}

async function send(url: LookUpUrl, options: LookUpOptions, signal: AbortSignal): Promise<Response> {
  const { json, form, headers, tryTimeoutMs, retries, maxBytes = MAX_BYTES } = options;
  try {
    return await ky(url.href, {
      method: methodOf(options),
      headers: { accept: 'application/json', ...headers },
      json,
      body: form ? new URLSearchParams(form) : null,
      signal,
      redirect: 'manual',
      timeout: tryTimeoutMs ?? TRY_TIMEOUT_MS,
      fetch: (...sent) => fetchWhole(url, maxBytes, ...sent),
      throwHttpErrors: (status) => status >= 400,
      retry: {
        limit: retries ?? RETRIES,
        retryOnTimeout: true,
        jitter: true,
        shouldRetry: ({ error }) =>
          connectionFailure(error)?.kind === 'tls' || asksForTooLong(error) ? false : undefined,
      },
    });
  } catch (error) {
    throw asLookUpFailed(error, url, signal);
  }
}

/**
 * A response with its body, which arrives within the time of a try. That of a redirect or an error is not needed; ky would
 * read an error's, up to 10 MB at each try, and wait for one that hangs.
 */
async function fetchWhole(
  { host }: LookUpUrl,
  maxBytes: number,
  ...sent: Parameters<typeof fetch>
): Promise<Response> {
  const response = await fetch(...sent);
  const { status, body } = response;
  if (status >= 300 || !body) {
    body?.cancel().catch(() => {});
    const headers = [...response.headers].filter(([name]) => status >= 300 && READ_HEADERS.includes(name));
    return new Response(null, { status: Math.min(status, MAX_STATUS), headers });
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new LookUpFailed('lookup_too_large', host, status);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks));
}

function asLookUpFailed(error: unknown, { host }: LookUpUrl, signal: AbortSignal): LookUpFailed {
  if (error instanceof LookUpFailed) return error;
  if (isHTTPError(error)) return new LookUpFailed('lookup_status', host, error.response.status);
  if (isTimeoutError(error) || signal.aborted) return new LookUpFailed('lookup_timed_out', host);
  const failure = connectionFailure(error);
  return new LookUpFailed('lookup_connection_failed', host, null, failure ? [problemOf(failure)] : undefined);
}

/** Whether `Retry-After` (RFC 9110 section 10.2.3) names a time at or beyond the login's deadline, or 10 seconds ahead. */
function asksForTooLong(error: Error): boolean {
  const after = isHTTPError(error) ? error.response.headers.get('retry-after') : null;
  // Of a header that is not there, `Number` makes 0.
  const seconds = Number(after);
  const waitMs = Number.isNaN(seconds) ? Date.parse(String(after)) - Date.now() : seconds * 1_000;
  return waitMs >= Math.min(remainingMs(), SHARED_TIMEOUT_MS);
}
