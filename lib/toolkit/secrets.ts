/**
 * Secrets, fetched once for all logins and cached for `SECRET_TTL_SECONDS`. They promise:
 *
 * - While Secrets Manager throttles, fails or does not answer, a cached secret serves for 15 more minutes, and no login
 *   waits long for a new one. After any other failure, such as access denied, the cached secret is void.
 * - After a failure, Secrets Manager is left alone for ten seconds where a secret is cached.
 * - The versions of a rotation are fetched together, because they fit one another. They are cached apart from a single
 *   version, which must not fail because the other version is not available.
 */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { markAsked, remainingMs, withTimeout } from '../invocation.ts';
import { configuration } from '../readSettings.ts';
import { SecretFailed } from '../reasons.ts';
import { isJsonObject, parseJson } from '../schema.ts';
import { Cache, recentByKey } from './cache.ts';
import type { SecretSource, SecretVersion, StoredSecret } from './secretsManager.ts';

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
  /** Of a rotation, what was before it; null where there is none. */
  previous?: StoredSecret['value'] | null;
}

/** Tells tools of each secret that is asked for, by its id. On Lambda nobody listens. */
const asked = process.getBuiltinModule('node:diagnostics_channel').channel('login-hooks:secret');

const secrets = new Cache<CachedSecret>({ max: MAX_SECRETS, requestMs: REQUEST_MS });
/** Why a secret failed. */
const failures = recentByKey<{ error: SecretFailed }>(MAX_SECRETS, FAILURE_BACKOFF_MS);

export async function getSecret(id: string, options: SecretOptions = {}): Promise<string> {
  const { value } = await storedSecret(id, options);
  if (typeof value === 'string') return value;
  throw new SecretFailed('secret_unusable', id, ['expected text, found a binary secret']);
}

export async function getBinarySecret(id: string, options: SecretOptions = {}): Promise<Uint8Array> {
  const { value } = await storedSecret(id, options);
  // A copy, which is the caller's to change.
  if (typeof value !== 'string') return Uint8Array.from(value);
  throw new SecretFailed('secret_unusable', id, ['expected a binary secret, found text']);
}

export async function getJsonSecret<TSchema extends v.GenericSchema>(
  id: string,
  schema: TSchema,
  options: SecretOptions = {},
): Promise<v.InferOutput<TSchema>> {
  const unusable = (problems: string[] | null) =>
    new SecretFailed('secret_unusable', id, problems ?? ['expected JSON']);
  return parseJson(schema, await getSecret(id, options), unusable);
}

/** A version of a secret, text or binary. */
export function storedSecret(
  id: string,
  { version = 'current', refresh = false }: SecretOptions = {},
): Promise<StoredSecret> {
  const key = `${version} ${id}`;
  return cachedOrFetched(id, key, () => fetchSecret(id, version), { refresh, backsOffUncached: false });
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
  const { value, previous = null } = current;
  return previous !== null && isRecent(current) ? [value, previous] : [value];
}

/** A secret that was never rotated has no previous version; and where none may be read, none is accepted. */
async function fetchPrevious(id: string): Promise<StoredSecret['value'] | null> {
  try {
    return (await fetchSecret(id, 'previous')).value;
  } catch (error) {
    if (error instanceof SecretFailed && NO_PREVIOUS.includes(error.code)) return null;
    throw error;
  }
}

async function cachedOrFetched(
  id: string,
  key: string,
  request: () => Promise<CachedSecret>,
  { refresh, backsOffUncached }: { refresh: boolean; backsOffUncached: boolean },
): Promise<CachedSecret> {
  markAsked();
  asked.publish(id);
  const maxAgeMs = configuration('both').settings.secretTtlSeconds * 1_000;
  const usable = secrets.cached(key, maxAgeMs + MAX_STALE_MS);
  const failure = failures.get(key);
  if (failure && usable) return usable;
  if (failure && backsOffUncached) throw failure.error;
  const note = (error: unknown) => {
    // A login whose time is up tells nothing of the secret.
    if (!(error instanceof SecretFailed)) return;
    failures.set(key, { error });
    if (!TRANSIENT.includes(error.code)) secrets.delete(key);
  };
  const fetched = secrets.fetch(key, request, { maxAgeMs, refresh });
  // A denial that comes late voids what has served meanwhile, and nothing newer.
  fetched.catch((error) => secrets.cached(key, Infinity) === usable && note(error));
  const patienceMs = Math.min(STALE_PATIENCE_MS, remainingMs() / 2);
  const tooLate = () => new SecretFailed('secret_timed_out', id);
  try {
    const secret = await (usable ? withTimeout(patienceMs, () => fetched, tooLate) : fetched);
    failures.delete(key);
    return secret;
  } catch (error) {
    note(error);
    if (usable && error instanceof SecretFailed && TRANSIENT.includes(error.code)) return usable;
    throw error;
  }
}

let source: Promise<SecretSource> | undefined;

/**
 * Fetches one version of a secret from its source, without a cache.
 *
 * @param id the secret's name or ARN
 * @throws {SecretFailed}
 */
export async function fetchSecret(id: string, version: SecretVersion): Promise<StoredSecret> {
  return (await loadSecretSource())(id, version);
}

/** Loads the code that fetches secrets. Fetches none. */
export function loadSecretSource(): Promise<SecretSource> {
  source ??= load();
  return source;
}

async function load(): Promise<SecretSource> {
  const { secretsFile } = configuration('both').settings;
  if (secretsFile !== null) return secretsFromFile(secretsFile);
  return (await import('./secretsManager.ts')).secretsFromManager();
}

/**
 * Secrets from a JSON file: `{ "<id>": "text", "<id>": { … } }`. An object stands for a secret that holds JSON. There
 * is no previous version.
 */
function secretsFromFile(file: string): SecretSource {
  return async (id, version) => {
    const unusable = (problem: string) =>
      new SecretFailed('secret_failed', id, [`SECRETS_FILE ${problem}: ${file}`]);
    const bytes = await readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
      throw unusable(`cannot be read (${code})`);
    });
    // It leaves a byte order mark out, with which some editors begin a file.
    const text = new TextDecoder().decode(bytes);
    const secrets = parseJson(Secrets, text, () => unusable('is not a JSON object of id to secret'));
    if (version === 'previous' || !Object.hasOwn(secrets, id)) throw new SecretFailed('secret_not_found', id);
    const value = secrets[id];
    return { value: typeof value === 'string' ? value : JSON.stringify(value), createdAt: null };
  };
}

const Secrets = v.custom<Record<string, unknown>>(isJsonObject);
