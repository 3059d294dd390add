import type * as v from 'valibot';

export interface SecretOptions {
  /** `previous` is what the secret was before its last rotation (the staging label AWSPREVIOUS). */
  version?: 'current' | 'previous';
  /**
   * Asks again although a value is kept: for when the system that the secret opens has refused it. At most once in
   * 30 seconds a secret; in between, what is kept comes back.
   */
  refresh?: boolean;
}

/**
 * A secret's text, out of AWS Secrets Manager or `SECRETS_FILE`; kept for `SECRET_TTL_SECONDS`.
 *
 * @param id the secret's name or ARN
 * @throws {SecretFailed} whose `code` says why: not found, access denied, a time-out, …
 */
export async function getSecret(id: string, options: SecretOptions = {}): Promise<string> {
  const { secretText } = await import('./secretStore.ts');
  return secretText(id, options);
}

/**
 * A secret that holds JSON, checked by a schema, whose output comes back.
 *
 * @throws {SecretFailed} besides, `secret_unusable` for what is not such JSON
 */
export async function getJsonSecret<TSchema extends v.GenericSchema>(
  id: string,
  schema: TSchema,
  options: SecretOptions = {},
): Promise<v.InferOutput<TSchema>> {
  const { secretJson } = await import('./secretStore.ts');
  return secretJson(id, schema, options);
}

/**
 * A binary secret.
 *
 * @throws {SecretFailed} besides, `secret_unusable` for one that holds text
 */
export async function getBinarySecret(id: string, options: SecretOptions = {}): Promise<Uint8Array> {
  const { secretBytes } = await import('./secretStore.ts');
  return secretBytes(id, options);
}
