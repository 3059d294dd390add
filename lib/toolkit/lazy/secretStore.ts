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

export type SecretValue = string | Uint8Array;
export type SecretVersion = 'current' | 'previous';
export type SecretSource = (id: string, version: SecretVersion) => Promise<SecretValue>;

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

const TRANSIENT = ['secret_throttled', 'secret_service_failed', 'secret_timed_out'];

const secrets = new SharedCache<SecretValue>({ max: MAX_SECRETS, flightMs: FLIGHT_MS });
/** When a secret could last not be had for a reason that may pass, on the clock of `nowMs`. */
const failedAt = new LRUCache<string, number>({ max: MAX_SECRETS });
let source: Promise<SecretSource> | undefined;

export async function secretText(id: string, options: SecretOptions): Promise<string> {
  const value = await secret(id, options);
  if (typeof value === 'string') return value;
  throw new SecretFailed('secret_unusable', id, ['expected text, found a binary secret']);
}

export async function secretBytes(id: string, options: SecretOptions): Promise<Uint8Array> {
  const value = await secret(id, options);
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

async function secret(
  id: string,
  { version = 'current', refresh = false }: SecretOptions,
): Promise<SecretValue> {
  const key = `${version} ${id}`;
  const ttlMs = configuration().settings.secretTtlSeconds * 1_000;
  const kept = secrets.kept(key);
  if (kept && kept.ageMs < (refresh ? MIN_REFRESH_MS : ttlMs)) return kept.value;
  const stale = kept !== undefined && kept.ageMs < ttlMs + MAX_STALE_MS ? kept.value : undefined;
  if (stale !== undefined && nowMs() - (failedAt.get(key) ?? -Infinity) < RETRY_AFTER_MS) return stale;
  try {
    const fresh = secrets.fetch(key, () => fetchSecret(id, version, key));
    return await (stale === undefined ? fresh : patiently(fresh, id));
  } catch (error) {
    if (stale !== undefined && error instanceof SecretFailed && TRANSIENT.includes(error.code)) return stale;
    throw error;
  }
}

/** Notes of the secret, whoever still waits, that it is in trouble for now, or that what is kept of it is void. */
async function fetchSecret(id: string, version: SecretVersion, key: string): Promise<SecretValue> {
  try {
    source ??= loadSource();
    const value = await (await source)(id, version);
    failedAt.delete(key);
    return value;
  } catch (error) {
    if (error instanceof SecretFailed && TRANSIENT.includes(error.code)) failedAt.set(key, nowMs());
    else secrets.forget(key);
    throw error;
  }
}

/** Where there is something to fall back on, no login waits for long. */
async function patiently(fresh: Promise<SecretValue>, id: string): Promise<SecretValue> {
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
