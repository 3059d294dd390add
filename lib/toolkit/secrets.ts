/** Secrets, fetched once for all logins and kept for a while. */
import '../core.ts';
import type * as v from 'valibot';
import { SecretFailed } from '../errors.ts';
import { checked } from './checked.ts';
import { SecretCache } from './secretCache.ts';
import { fetchSecret, type StoredSecret } from './secretSource.ts';

export interface SecretOptions {
  /** `previous` is what the secret was before its last rotation (the staging label AWSPREVIOUS). */
  version?: 'current' | 'previous';
  /**
   * Asks again although a value is kept: for when the system that the secret opens has refused it. At most once in
   * 30 seconds a secret; in between, what is kept comes back.
   */
  refresh?: boolean;
}

/** The SDK's tries together. */
const FLIGHT_MS = 10_000;

const secrets = new SecretCache<StoredSecret>(FLIGHT_MS);

/** @throws {SecretFailed} */
export async function getSecret(id: string, options: SecretOptions = {}): Promise<string> {
  const { value } = await secret(id, options);
  if (typeof value === 'string') return value;
  throw new SecretFailed('secret_unusable', id, ['expected text, found a binary secret']);
}

/** @throws {SecretFailed} */
export async function getBinarySecret(id: string, options: SecretOptions = {}): Promise<Uint8Array> {
  const { value } = await secret(id, options);
  if (typeof value !== 'string') return Uint8Array.from(value);
  throw new SecretFailed('secret_unusable', id, ['expected a binary secret, found text']);
}

/** @throws {SecretFailed} */
export async function getJsonSecret<TSchema extends v.GenericSchema>(
  id: string,
  schema: TSchema,
  options: SecretOptions = {},
): Promise<v.InferOutput<TSchema>> {
  const json = parse(await getSecret(id, options), id);
  return checked(schema, json, (problems) => new SecretFailed('secret_unusable', id, problems));
}

/** Fetches the secret, whatever it holds. */
export async function reachSecret(id: string): Promise<void> {
  await secret(id, {});
}

function secret(id: string, { version = 'current', ...options }: SecretOptions): Promise<StoredSecret> {
  return secrets.have(id, `${version} ${id}`, () => fetchSecret(id, version), options);
}

function parse(text: string, id: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SecretFailed('secret_unusable', id, ['expected JSON']);
  }
}
