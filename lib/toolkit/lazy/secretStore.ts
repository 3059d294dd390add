/** Secrets, fetched once for all logins and kept for a while. */
import * as v from 'valibot';
import { problemsOf } from '../../automation/schema.ts';
import { configuration } from '../../runtime/config.ts';
import { SecretFailed } from '../errors.ts';
import type { SecretOptions } from '../secrets.ts';
import { SharedCache } from './sharedCache.ts';

export type SecretValue = string | Uint8Array;
export type SecretVersion = 'current' | 'previous';
export type SecretSource = (id: string, version: SecretVersion) => Promise<SecretValue>;

/** Beyond its time, a value serves for this long while Secrets Manager is throttling or down. */
const MAX_STALE_MS = 15 * 60_000;
/** After such a failure it is left alone for this long. */
const RETRY_AFTER_MS = 10_000;
/** A forced refresh is rare: the secret was rotated, or somebody tries out wrong ones. */
const MIN_REFRESH_MS = 30_000;
const MAX_SECRETS = 100;
/** The SDK's tries together. */
const FLIGHT_MS = 10_000;

const TRANSIENT = ['secret_throttled', 'secret_service_failed', 'secret_timed_out'];

const secrets = new SharedCache<SecretValue>({ max: MAX_SECRETS, flightMs: FLIGHT_MS });
/** When a secret could last not be had for a reason that may pass, on the clock of `Date.now()`. */
const failedAt = new Map<string, number>();
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
  const result = v.safeParse(schema, parse(await secretText(id, options), id));
  if (result.success) return result.output;
  // By path alone: a schema's own messages may quote the secret.
  const issues = result.issues.map((issue) => ({
    ...issue,
    message: `expected ${issue.expected ?? 'something else'}`,
  }));
  throw new SecretFailed('secret_unusable', id, problemsOf(issues));
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
  const isServable = kept !== undefined && kept.ageMs < ttlMs + MAX_STALE_MS;
  if (isServable && Date.now() - (failedAt.get(key) ?? 0) < RETRY_AFTER_MS) return kept.value;
  try {
    source ??= loadSource();
    const fetchSecret = await source;
    const value = await secrets.fetch(key, () => fetchSecret(id, version));
    failedAt.delete(key);
    return value;
  } catch (error) {
    if (!isServable || !(error instanceof SecretFailed) || !TRANSIENT.includes(error.code)) throw error;
    failedAt.set(key, Date.now());
    return kept.value;
  }
}

async function loadSource(): Promise<SecretSource> {
  const { secretsFile } = configuration().settings;
  if (secretsFile !== null) return (await import('./secretsFile.ts')).secretsFromFile(secretsFile);
  return (await import('./secretsManager.ts')).secretsFromManager();
}
