import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { PROJECT } from '../build.ts';
import { loadDotenv } from './environment.ts';

/**
 * The headers by which the functions on this machine know the service, where `CALLER_CHECK` is `signature` and the
 * secret is in `SECRETS_FILE`; else none.
 */
export async function signatureHeaders(body: string): Promise<Record<string, string>> {
  loadDotenv();
  const { CALLER_CHECK, SIGNING_SECRET_ID = '', SECRETS_FILE } = process.env;
  if (CALLER_CHECK !== 'signature' || !SECRETS_FILE) return {};
  const secret = JSON.parse(await readFile(resolve(PROJECT, SECRETS_FILE), 'utf8'))[SIGNING_SECRET_ID];
  return typeof secret === 'string' ? signed(secret, body) : {};
}

/** The headers of Standard Webhooks, as the service sends them. */
export function signed(secret: string, body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const now = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  };
}
