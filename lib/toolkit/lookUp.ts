import type * as v from 'valibot';
import type { LookUpUrl } from './url.ts';

export interface LookUpOptions {
  /** Default: GET, or POST where there is something to send. Only idempotent methods are tried again. */
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form (`application/x-www-form-urlencoded`). */
  form?: Record<string, string>;
  /** For one try, in milliseconds, 3000 unless said; all of them together end with the login's deadline. */
  tryTimeoutMs?: number;
  /** How many more tries there are after a failure that may pass, 2 unless said. */
  retries?: number;
  /** Of the answer's body, in bytes after decoding, 1 MiB unless said. */
  maxBytes?: number;
  /** Whether `http:` is allowed: for a system inside the same network alone. */
  allowHttp?: boolean;
  /** For how long the answer serves other logins that send the same, in seconds. Left out: this one alone. */
  cacheSeconds?: number;
}

/**
 * Asks another system for JSON, inside the login's deadline.
 *
 * Tries again, after a pause that grows, on connection errors and on 408, 429 and 5xx, heeding `Retry-After`.
 * Follows redirects to the same origin alone.
 *
 * @param schema what the answer must be; its output is what comes back
 * @throws {LookUpFailed} whose `code` says why: a time-out, the connection, the status, the answer
 */
export async function lookUp<TSchema extends v.GenericSchema>(
  url: LookUpUrl,
  schema: TSchema,
  options: LookUpOptions = {},
): Promise<v.InferOutput<TSchema>> {
  const { lookUpJson } = await import('./lookUpJson.ts');
  return lookUpJson(url, schema, options);
}
