/** Look-ups over HTTP, by ky: small, kept well, on Node's own `fetch`, with the retries that are easy to get wrong. */
import ky, { isHTTPError, isTimeoutError } from 'ky';
import * as v from 'valibot';
import { problemsOf } from '../../automation/schema.ts';
import { currentInvocation } from '../../runtime/invocation.ts';
import { type LookUpCode, LookUpFailed } from '../errors.ts';
import type { LookUpOptions } from '../lookUp.ts';
import { followLink, type LookUpUrl } from '../url.ts';
import { SharedCache } from './sharedCache.ts';

const TRY_TIMEOUT_MS = 3_000;
const RETRIES = 2;
const MAX_BYTES = 1_048_576;
const MAX_REDIRECTS = 3;
const MAX_CACHED = 1_000;
/** For a look-up that serves other logins too: no single login's deadline ends it. */
const SHARED_TIMEOUT_MS = 10_000;
const TRANSIENT_STATUSES = [408, 429, 500, 502, 503, 504];
const IDEMPOTENT_METHODS = ['get', 'put', 'delete'] as const;

const answers = new SharedCache<{ json: unknown }>({ max: MAX_CACHED, flightMs: SHARED_TIMEOUT_MS });

export async function lookUpJson<TSchema extends v.GenericSchema>(
  url: LookUpUrl,
  schema: TSchema,
  options: LookUpOptions,
): Promise<v.InferOutput<TSchema>> {
  if (!options.allowHttp && !url.href.startsWith('https:')) {
    throw new LookUpFailed('lookup_url_refused', url.host, null, ['expected https']);
  }
  const { json } = options.cacheSeconds === undefined ? await ask(url, options) : await askOnce(url, options);
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  throw new LookUpFailed('lookup_unexpected', url.host, 200, problemsWithoutValues(result.issues));
}

/** Problems by path alone: a schema's own messages may quote what was received. */
function problemsWithoutValues(issues: readonly v.BaseIssue<unknown>[]): string[] {
  return problemsOf(
    issues.map((issue) => ({ ...issue, message: `expected ${issue.expected ?? 'something else'}` })),
  );
}

async function askOnce(url: LookUpUrl, options: LookUpOptions): Promise<{ json: unknown }> {
  const key = JSON.stringify([options.method, url.href, options.cacheKey, options.json, options.form]);
  const kept = answers.kept(key);
  const isFresh = kept && kept.ageMs < (options.cacheSeconds ?? 0) * 1_000;
  const answer = isFresh
    ? kept.value
    : await answers.fetch(key, () => ask(url, options, AbortSignal.timeout(SHARED_TIMEOUT_MS)));
  // A copy for each login: what one handler changes must not be another's answer.
  return structuredClone(answer);
}

async function ask(
  url: LookUpUrl,
  options: LookUpOptions,
  signal = currentInvocation()?.signal,
): Promise<{ json: unknown }> {
  let target = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await send(target, options, signal);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      return { json: await readJson(response, target, options, signal) };
    }
    await response.body?.cancel();
    target = sameOrigin(target, location, response.status);
  }
  throw new LookUpFailed('lookup_redirected', url.host);
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
      throwHttpErrors: (status) => status >= 400,
      retry: {
        limit: retries,
        methods: [...IDEMPOTENT_METHODS],
        statusCodes: TRANSIENT_STATUSES,
        afterStatusCodes: [429, 503],
        retryOnTimeout: true,
        jitter: true,
        shouldRetry: ({ error }) => (isTlsError(error) ? false : undefined),
      },
    });
  } catch (error) {
    throw asLookUpFailed(error, url, signal);
  }
}

function asLookUpFailed(error: unknown, { host }: LookUpUrl, signal: AbortSignal | undefined): LookUpFailed {
  if (isHTTPError(error)) return new LookUpFailed('lookup_status', host, error.response.status);
  if (isTimeoutError(error) || signal?.aborted) return new LookUpFailed('lookup_timed_out', host);
  return new LookUpFailed('lookup_connection_failed', host);
}

/** A certificate that does not fit does not get better by asking again. */
function isTlsError(error: Error): boolean {
  const { code } = (error.cause instanceof Error ? error.cause : {}) as { code?: unknown };
  return typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED/.test(code);
}

async function readJson(
  response: Response,
  url: LookUpUrl,
  options: LookUpOptions,
  signal?: AbortSignal,
): Promise<unknown> {
  const failed = (code: LookUpCode) => new LookUpFailed(code, url.host, response.status);
  const body = await readBody(response, options).catch((error) => {
    if (error instanceof TooLarge) throw failed('lookup_too_large');
    throw failed(
      error instanceof TooSlow || signal?.aborted ? 'lookup_timed_out' : 'lookup_connection_failed',
    );
  });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
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
) {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const tooSlow = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow()), tryTimeoutMs);
  });
  try {
    for (;;) {
      const { done, value } = (await Promise.race([reader?.read(), tooSlow])) ?? { done: true };
      if (done || !value) return Buffer.concat(chunks);
      size += value.length;
      if (size > maxBytes) throw new TooLarge();
      chunks.push(value);
    }
  } finally {
    clearTimeout(timer);
    reader?.cancel().catch(() => {});
  }
}
