/** Secrets, fetched once for all logins and kept for a while. */
import { LRUCache } from 'lru-cache';
import type * as v from 'valibot';
import { nowMs } from '../../runtime/clock.ts';
import { configuration } from '../../runtime/config.ts';
import { within } from '../../runtime/within.ts';
import { remainingMs } from '../deadline.ts';
import { SecretFailed } from '../errors.ts';
import type { SecretOptions } from '../secrets.ts';
import { checked } from './checked.ts';
import { SharedCache } from './sharedCache.ts';

export interface StoredSecret {
  value: string | Uint8Array;
  /** When this version was made; null where the source does not say. */
  createdAt: Date | null;
}

export type SecretVersion = 'current' | 'previous';
export type SecretSource = (id: string, version: SecretVersion) => Promise<StoredSecret>;

/** Beyond its time, a value serves for this long while Secrets Manager is throttling or down. */
const MAX_STALE_MS = 15 * 60_000;
/** After such a failure it is left alone for this long. */
const RETRY_AFTER_MS = 10_000;
/** With something to fall back on, a login waits for so long at most. */
const STALE_PATIENCE_MS = 1_500;
/** A forced refresh is rare: the secret was rotated, or somebody tries out wrong ones. */
const MIN_REFRESH_MS = 30_000;
const MAX_SECRETS = 100;
/** The SDK's tries together. */
const FLIGHT_MS = 10_000;

const NO_PREVIOUS = ['secret_not_found', 'secret_access_denied'];
const TRANSIENT = ['secret_throttled', 'secret_service_failed', 'secret_timed_out'];

const secrets = new SharedCache<StoredSecret>({ max: MAX_SECRETS, flightMs: FLIGHT_MS });
/** Both versions of a secret, fetched together: they fit one another. */
const rotations = new SharedCache<Rotation>({ max: MAX_SECRETS, flightMs: 2 * FLIGHT_MS });
/** When a secret could last not be had for a reason that may pass, on the clock of `nowMs`. */
const failedAt = new LRUCache<string, number>({ max: MAX_SECRETS });
/** When a secret was last asked for again although it was kept, on the same clock. */
const refreshedAt = new LRUCache<string, number>({ max: MAX_SECRETS });
let source: Promise<SecretSource> | undefined;

export async function secretText(id: string, options: SecretOptions): Promise<string> {
  const { value } = await secret(id, options);
  if (typeof value === 'string') return value;
  throw new SecretFailed('secret_unusable', id, ['expected text, found a binary secret']);
}

export async function secretBytes(id: string, options: SecretOptions): Promise<Uint8Array> {
  const { value } = await secret(id, options);
  if (typeof value !== 'string') return Uint8Array.from(value);
  throw new SecretFailed('secret_unusable', id, ['expected a binary secret, found text']);
}

export async function secretJson<TSchema extends v.GenericSchema>(
  id: string,
  schema: TSchema,
  options: SecretOptions,
): Promise<v.InferOutput<TSchema>> {
  const json = parse(await secretText(id, options), id);
  return checked(schema, json, (problems) => new SecretFailed('secret_unusable', id, problems));
}

function parse(text: string, id: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SecretFailed('secret_unusable', id, ['expected JSON']);
  }
}

/** Whether the secret can be had, whatever it holds. */
export async function reachSecret(id: string): Promise<void> {
  await secret(id, {});
}

interface Rotation {
  current: StoredSecret;
  previous: StoredSecret | null;
}

/**
 * A secret, and what it was before its last rotation where that is less than `graceMs` ago: for checking what others
 * made with it.
 */
export async function rotatedSecret(
  id: string,
  graceMs: number,
  { refresh = false }: Pick<SecretOptions, 'refresh'>,
): Promise<{ current: StoredSecret['value']; previous: StoredSecret['value'] | null }> {
  const isRecent = ({ createdAt }: StoredSecret) =>
    createdAt !== null && Date.now() - createdAt.getTime() < graceMs;
  const fetchBoth = async () => {
    const current = await fetchSecret(id, 'current');
    return { current, previous: isRecent(current) ? await fetchPrevious(id) : null };
  };
  const { current, previous } = await have(rotations, id, id, fetchBoth, refresh);
  return { current: current.value, previous: previous && isRecent(current) ? previous.value : null };
}

/** Whether `rotatedSecret` has something to give, whatever becomes of asking for more. */
export function isRotationKept(id: string): boolean {
  const kept = rotations.kept(id);
  return kept !== undefined && kept.ageMs < ttlMs() + MAX_STALE_MS;
}

/** Lets the next one ask again: what is kept is of no use, and may have been put right. */
export function forgetRotation(id: string): void {
  rotations.forget(id);
}

/** A secret that was never rotated has no version before; and where none may be read, none is accepted. */
async function fetchPrevious(id: string): Promise<StoredSecret | null> {
  try {
    return await fetchSecret(id, 'previous');
  } catch (error) {
    if (error instanceof SecretFailed && NO_PREVIOUS.includes(error.code)) return null;
    throw error;
  }
}

function secret(id: string, { version = 'current', refresh = false }: SecretOptions): Promise<StoredSecret> {
  return have(secrets, id, `${version} ${id}`, () => fetchSecret(id, version), refresh);
}

async function fetchSecret(id: string, version: SecretVersion): Promise<StoredSecret> {
  source ??= loadSource();
  return (await source)(id, version);
}

/** What is kept, for as long as it may serve; else what is fetched now. */
async function have<TValue extends NonNullable<unknown>>(
  cache: SharedCache<TValue>,
  id: string,
  key: string,
  fetch: () => Promise<TValue>,
  refresh: boolean,
): Promise<TValue> {
  const kept = cache.kept(key);
  if (kept && kept.ageMs < ttlMs() && !(refresh && mayRefresh(key))) return kept.value;
  const stale = kept !== undefined && kept.ageMs < ttlMs() + MAX_STALE_MS ? kept.value : undefined;
  if (stale !== undefined && nowMs() - (failedAt.get(key) ?? -Infinity) < RETRY_AFTER_MS) return stale;
  try {
    const fresh = cache.fetch(key, () => noted(cache, key, fetch));
    return await (stale === undefined ? fresh : patiently(fresh, id));
  } catch (error) {
    if (stale !== undefined && error instanceof SecretFailed && TRANSIENT.includes(error.code)) return stale;
    throw error;
  }
}

function ttlMs(): number {
  return configuration().settings.secretTtlSeconds * 1_000;
}

function mayRefresh(key: string): boolean {
  if (nowMs() - (refreshedAt.get(key) ?? -Infinity) < MIN_REFRESH_MS) return false;
  refreshedAt.set(key, nowMs());
  return true;
}

/** Notes of the secret, whoever still waits, that it is in trouble for now, or that what is kept of it is void. */
async function noted<TValue extends NonNullable<unknown>>(
  cache: SharedCache<TValue>,
  key: string,
  fetch: () => Promise<TValue>,
): Promise<TValue> {
  try {
    const value = await fetch();
    failedAt.delete(key);
    return value;
  } catch (error) {
    if (error instanceof SecretFailed && TRANSIENT.includes(error.code)) failedAt.set(key, nowMs());
    else cache.forget(key);
    throw error;
  }
}

/** Where there is something to fall back on, no login waits for long. */
async function patiently<TValue>(fresh: Promise<TValue>, id: string): Promise<TValue> {
  const patienceMs = Math.min(STALE_PATIENCE_MS, remainingMs() / 2);
  return within(
    patienceMs,
    () => fresh,
    () => new SecretFailed('secret_timed_out', id),
  );
}

async function loadSource(): Promise<SecretSource> {
  const { secretsFile } = configuration().settings;
  if (secretsFile !== null) return (await import('./secretsFile.ts')).secretsFromFile(secretsFile);
  return (await import('./secretsManager.ts')).secretsFromManager();
}
