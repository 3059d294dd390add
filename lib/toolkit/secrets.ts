/**
 * Secrets, fetched once for all logins and cached for `SECRET_TTL_SECONDS`. They promise:
 *
 * - While Secrets Manager throttles, fails or does not answer, a cached secret serves for 15 more minutes, and no login
 *   waits long for a new one. After any other failure, such as access denied, the cached secret is void.
 * - After a failure, Secrets Manager is left alone for ten seconds where a secret is cached.
 * - The versions of a rotation are fetched together, because they fit one another. They are cached apart from a single
 *   version, which must not fail because the other version is not available.
 */
import { LRUCache } from 'lru-cache';
import type * as v from 'valibot';
import { isInShadow, nowMs, remainingMs, withTimeout } from '../deadline.ts';
import { SecretFailed } from '../errors.ts';
import { parseJson } from '../schema.ts';
import { configuration } from '../settings.ts';
import { markAsked } from './asked.ts';
import { Cache } from './cache.ts';
import { fetchSecret, type SecretVersion, type StoredSecret } from './secretSource.ts';

export interface SecretOptions {
  /** `previous` is what the secret was before its last rotation (the staging label AWSPREVIOUS). Default: `current`. */
  version?: SecretVersion;
  /**
   * Fetches the secret although it is cached: for when the system that it opens has refused it. At most once in 30
   * seconds a secret; in between, the cached secret comes back. Default: false.
   */
  refresh?: boolean;
}

interface RotationOptions {
  /** For how long the previous version is accepted, in milliseconds after the current one was created. */
  graceMs: number;
  /** Throws `SecretFailed` for a current version that is of no use. */
  check: (value: StoredSecret['value']) => void;
  /** As in `SecretOptions`. */
  refresh: boolean;
}

const MAX_STALE_MS = 15 * 60_000;
const FAILURE_BACKOFF_MS = 10_000;
/** With a cached secret to fall back on, a login waits for so long at most. */
const STALE_PATIENCE_MS = 1_500;
const MAX_SECRETS = 100;
/** Two versions, six seconds each with all tries, and the loading of the SDK. */
const REQUEST_MS = 15_000;

const TRANSIENT = ['secret_throttled', 'secret_service_failed', 'secret_timed_out'];
const NO_PREVIOUS = ['secret_not_found', 'secret_access_denied'];

interface CachedSecret extends StoredSecret {
  /** Of a rotation; null where there is none. */
  previous?: StoredSecret | null;
}

const secrets = new Cache<CachedSecret>({ max: MAX_SECRETS, requestMs: REQUEST_MS });
/** Why a secret last failed, until it succeeds; `at` is on the clock of `nowMs`. */
const failures = new LRUCache<string, { error: unknown; at: number }>({ max: MAX_SECRETS });

/**
 * A secret's text.
 *
 * @param id the secret's name or ARN
 * @throws {SecretFailed} also `secret_unusable`, for a binary secret
 */
export async function getSecret(id: string, options: SecretOptions = {}): Promise<string> {
  const { value } = await storedSecret(id, options);
  if (typeof value === 'string') return value;
  throw new SecretFailed('secret_unusable', id, ['expected text, found a binary secret']);
}

/**
 * The bytes of a binary secret, in a copy that is the caller's to change.
 *
 * @param id the secret's name or ARN
 * @throws {SecretFailed} also `secret_unusable`, for a secret that holds text
 */
export async function getBinarySecret(id: string, options: SecretOptions = {}): Promise<Uint8Array> {
  const { value } = await storedSecret(id, options);
  if (typeof value !== 'string') return Uint8Array.from(value);
  throw new SecretFailed('secret_unusable', id, ['expected a binary secret, found text']);
}

/**
 * What a schema makes of a secret that holds JSON.
 *
 * @param id the secret's name or ARN
 * @throws {SecretFailed} also `secret_unusable`, for anything but such JSON
 */
export async function getJsonSecret<TSchema extends v.GenericSchema>(
  id: string,
  schema: TSchema,
  options: SecretOptions = {},
): Promise<v.InferOutput<TSchema>> {
  const unusable = (problems: string[] | null) =>
    new SecretFailed('secret_unusable', id, problems ?? ['expected JSON']);
  return parseJson(schema, await getSecret(id, options), unusable);
}

/**
 * A version of a secret, text or binary.
 *
 * @param id the secret's name or ARN
 * @throws {SecretFailed}
 */
export function storedSecret(
  id: string,
  { version = 'current', refresh = false }: SecretOptions = {},
): Promise<StoredSecret> {
  const key = `${version} ${id}`;
  return cachedOrFetched(id, key, () => fetchSecret(id, version), { refresh });
}

/**
 * A secret for checking what others made with it: its current version, and after it the previous one for as long as
 * that is accepted. A failure without a cached secret is thrown again for ten seconds, because anyone may ask.
 *
 * @param id the secret's name or ARN
 * @throws {SecretFailed}
 */
export async function rotatedSecret(
  id: string,
  { graceMs, check, refresh }: RotationOptions,
): Promise<StoredSecret['value'][]> {
  const isRecent = ({ createdAt }: StoredSecret) =>
    createdAt !== null && Date.now() - createdAt.getTime() < graceMs;
  const fetchBoth = async () => {
    const current = await fetchSecret(id, 'current');
    check(current.value);
    return { ...current, previous: isRecent(current) ? await fetchPrevious(id) : null };
  };
  const options = { refresh, backsOffUncached: true };
  const current = await cachedOrFetched(id, `rotation ${id}`, fetchBoth, options);
  return current.previous && isRecent(current) ? [current.value, current.previous.value] : [current.value];
}

/** A secret that was never rotated has no previous version; and where none may be read, none is accepted. */
async function fetchPrevious(id: string): Promise<StoredSecret | null> {
  try {
    return await fetchSecret(id, 'previous');
  } catch (error) {
    if (error instanceof SecretFailed && NO_PREVIOUS.includes(error.code)) return null;
    throw error;
  }
}

/** The failures of a shadow are its own, as its cache is. */
function ownKey(key: string): string {
  return isInShadow() ? `shadow ${key}` : key;
}

async function cachedOrFetched(
  id: string,
  key: string,
  request: () => Promise<CachedSecret>,
  { refresh, backsOffUncached = false }: { refresh: boolean; backsOffUncached?: boolean },
): Promise<CachedSecret> {
  markAsked();
  const maxAgeMs = configuration('both').settings.secretTtlSeconds * 1_000;
  const cached = secrets.cached(key);
  const usable = cached && cached.ageMs < maxAgeMs + MAX_STALE_MS ? cached.value : undefined;
  const failure = failures.get(ownKey(key));
  if (failure && nowMs() - failure.at < FAILURE_BACKOFF_MS) {
    if (usable) return usable;
    if (backsOffUncached) throw failure.error;
  }
  try {
    const fetched = secrets.fetch(key, () => recorded(key, request), { maxAgeMs, refresh });
    return await (usable ? withShortTimeout(fetched, id) : fetched);
  } catch (error) {
    if (usable && isTransient(error)) return usable;
    // Also where this login's own deadline passed, which the request does not see.
    if (error instanceof SecretFailed) failures.set(ownKey(key), { error, at: nowMs() });
    throw error;
  }
}

/** Records the outcome of a request, even where no login waits for it any more. */
async function recorded(key: string, request: () => Promise<CachedSecret>): Promise<CachedSecret> {
  const startedAt = nowMs();
  try {
    const secret = await request();
    failures.delete(ownKey(key));
    return secret;
  } catch (error) {
    const cached = secrets.cached(key);
    // A request that a frozen process left behind says nothing about a secret that was fetched after it began.
    if (cached && nowMs() - cached.ageMs > startedAt) throw error;
    failures.set(ownKey(key), { error, at: nowMs() });
    if (!isTransient(error)) secrets.delete(key);
    throw error;
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof SecretFailed && TRANSIENT.includes(error.code);
}

async function withShortTimeout<TValue>(fetched: Promise<TValue>, id: string): Promise<TValue> {
  const patienceMs = Math.min(STALE_PATIENCE_MS, remainingMs() / 2);
  return withTimeout(
    patienceMs,
    () => fetched,
    () => new SecretFailed('secret_timed_out', id),
  );
}
