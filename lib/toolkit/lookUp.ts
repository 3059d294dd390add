/** Look-ups over HTTP, by ky: small, kept well, on Node's own `fetch`, with the retries that are easy to get wrong. */
import '../core.ts';
import { createHash } from 'node:crypto';
import ky, { isHTTPError, isTimeoutError } from 'ky';
import type * as v from 'valibot';
import { currentInvocation, remainingMs, within } from '../deadline.ts';
import { type LookUpCode, LookUpFailed } from '../errors.ts';
import { checked } from './checked.ts';
import { SharedCache } from './sharedCache.ts';
import { followLink, type LookUpUrl } from './url.ts';

export interface LookUpOptions {
  /** Default: GET, or POST where there is something to send. Only idempotent methods are tried again. */
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form (`application/x-www-form-urlencoded`). */
  form?: Record<string, string>;
  /** For one try, in milliseconds. Default: 3000. All tries together end with the login's deadline. */
  tryTimeoutMs?: number;
  /** How many more tries follow a transient failure. Default: 2. */
  retries?: number;
  /** Of the response body, in bytes after decoding. Default: 1 MiB. */
  maxBytes?: number;
  /** Whether `http:` is allowed: for a system inside the same network alone. */
  allowHttp?: boolean;
  /** For how long the answer serves other logins that send the same, in seconds. Left out: this one alone. */
  cacheSeconds?: number;
}

const TRY_TIMEOUT_MS = 3_000;
const RETRIES = 2;
const MAX_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;
const MAX_CACHED = 1_000;
const MAX_CACHED_CHARACTERS = 16_777_216;
/** For a look-up that serves other logins too: no single login's deadline ends it. */
const SHARED_TIMEOUT_MS = 10_000;
const TRANSIENT_STATUSES = [408, 429, 500, 502, 503, 504];
/** What is above is no valid status, and taken for a server's error (RFC 9110 section 15). */
const MAX_STATUS = 599;
const IDEMPOTENT_METHODS = ['get', 'put', 'delete'] as const;

/** As text, whose size is known; parsed for each login, so that no handler changes another's value. */
const answers = new SharedCache<string>({
  max: MAX_CACHED,
  flightMs: SHARED_TIMEOUT_MS,
  size: { max: MAX_CACHED_CHARACTERS, of: (text) => text.length },
});

/** @throws {LookUpFailed} */
export async function lookUp<TSchema extends v.GenericSchema>(
  url: LookUpUrl,
  schema: TSchema,
  options: LookUpOptions = {},
): Promise<v.InferOutput<TSchema>> {
  const { host } = url;
  if (!options.allowHttp && !url.href.startsWith('https:')) {
    throw new LookUpFailed('lookup_url_refused', host, null, ['expected https']);
  }
  if (options.cacheSeconds === undefined) return read(await ask(url, options), schema, host);
  const key = cacheKey(url, options);
  const text = await askOnce(url, options, key);
  try {
    return read(text, schema, host);
  } catch (error) {
    // What is of no use, such as the page of a system under repair, is not kept.
    answers.forget(key);
    throw error;
  }
}

function read<TSchema extends v.GenericSchema>(
  text: string,
  schema: TSchema,
  host: string,
): v.InferOutput<TSchema> {
  const unexpected = (problems: string[]) => new LookUpFailed('lookup_unexpected', host, 200, problems);
  return checked(schema, parse(text, host), unexpected);
}

function parse(text: string, host: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new LookUpFailed('lookup_not_json', host, 200);
  }
}

async function askOnce(url: LookUpUrl, options: LookUpOptions, key: string): Promise<string> {
  const kept = answers.kept(key);
  if (kept && kept.ageMs < (options.cacheSeconds ?? 0) * 1_000) return kept.value;
  return answers.fetch(key, () => ask(url, options, AbortSignal.timeout(SHARED_TIMEOUT_MS)));
}

/** All that is sent tells answers apart: what one person's token opens is not for another. Hashed, for tokens. */
function cacheKey(url: LookUpUrl, { method, headers, json, form }: LookUpOptions): string {
  const sent = [method ?? null, url.href, headers ?? null, json === undefined ? [] : [json], form ?? null];
  return createHash('sha256').update(JSON.stringify(sent)).digest('base64');
}

async function ask(
  url: LookUpUrl,
  options: LookUpOptions,
  signal = currentInvocation()?.signal,
): Promise<string> {
  let target = url;
  let sent = options;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await send(target, sent, signal);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      return readText(response, target, options, signal);
    }
    await response.body?.cancel();
    target = sameOrigin(target, location, response.status);
    sent = afterRedirect(response.status, sent);
  }
  throw new LookUpFailed('lookup_redirected', url.host);
}

/** 307 and 308 repeat the request; the others ask for the new place (RFC 9110 section 15.4). */
function afterRedirect(status: number, options: LookUpOptions): LookUpOptions {
  if (status === 307 || status === 308) return options;
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

async function send(
  url: LookUpUrl,
  options: LookUpOptions,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { json, form, headers, tryTimeoutMs = TRY_TIMEOUT_MS, retries = RETRIES } = options;
  const method = options.method ?? (json !== undefined || form ? 'POST' : 'GET');
  try {
    return await ky(url.href, {
      method,
      headers: { accept: 'application/json', ...headers },
      ...(json !== undefined && { json }),
      ...(form && { body: new URLSearchParams(form) }),
      ...(signal && { signal }),
      redirect: 'manual',
      timeout: tryTimeoutMs,
      fetch: fetchWithoutErrorBody,
      throwHttpErrors: (status) => status >= 400,
      retry: {
        limit: retries,
        methods: [...IDEMPOTENT_METHODS],
        statusCodes: TRANSIENT_STATUSES,
        afterStatusCodes: [429, 503],
        retryOnTimeout: true,
        jitter: true,
        shouldRetry: ({ error }) => (isTlsError(error) || asksForTooLong(error) ? false : undefined),
      },
    });
  } catch (error) {
    throw asLookUpFailed(error, url, signal);
  }
}

/** Nobody reads the body of an error; ky would, up to 10 MB at each try, and wait for one that hangs. */
async function fetchWithoutErrorBody(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const { status, headers, body } = response;
  if (status < 400) return response;
  body?.cancel().catch(() => {});
  return new Response(null, { status: Math.min(status, MAX_STATUS), headers });
}

function asLookUpFailed(error: unknown, { host }: LookUpUrl, signal: AbortSignal | undefined): LookUpFailed {
  if (isHTTPError(error)) return new LookUpFailed('lookup_status', host, error.response.status);
  if (isTimeoutError(error) || signal?.aborted) return new LookUpFailed('lookup_timed_out', host);
  const problems = error instanceof Error && isTlsError(error) ? [NOT_TRUSTED] : undefined;
  return new LookUpFailed('lookup_connection_failed', host, null, problems);
}

const NOT_TRUSTED =
  'the certificate is not trusted: name the file of its authority in NODE_EXTRA_CA_CERTS, or correct the host';

/** `Retry-After` (RFC 9110 section 10.2.3) beyond the login's deadline. */
function asksForTooLong(error: Error): boolean {
  const after = isHTTPError(error) ? error.response.headers.get('retry-after') : null;
  if (after === null) return false;
  const waitMs = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return waitMs > Math.min(remainingMs(), SHARED_TIMEOUT_MS);
}

/** A certificate that does not fit does not get better by asking again. */
function isTlsError(error: Error): boolean {
  // ky's error is caused by that of fetch, which is caused by that of the connection.
  for (let { cause } = error; cause instanceof Error; { cause } = cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return true;
  }
  return false;
}

async function readText(
  response: Response,
  url: LookUpUrl,
  options: LookUpOptions,
  signal?: AbortSignal,
): Promise<string> {
  const failed = (code: LookUpCode) => new LookUpFailed(code, url.host, response.status);
  const body = await readBody(response, options).catch((error) => {
    if (error instanceof TooLarge) throw failed('lookup_too_large');
    throw failed(
      error instanceof TooSlow || signal?.aborted ? 'lookup_timed_out' : 'lookup_connection_failed',
    );
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw failed('lookup_not_json');
  }
}

class TooLarge extends Error {}
class TooSlow extends Error {}

/** ky's time-out ends with the headers; a body may be as slow again, and no slower. */
async function readBody(
  response: Response,
  { maxBytes = MAX_BYTES, tryTimeoutMs = TRY_TIMEOUT_MS }: LookUpOptions,
): Promise<Buffer> {
  const reader = response.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  try {
    return await within(
      tryTimeoutMs,
      () => collect(reader, maxBytes),
      () => new TooSlow(),
    );
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    size += value.length;
    if (size > maxBytes) throw new TooLarge();
    chunks.push(value);
  }
}
