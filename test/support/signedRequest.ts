/** A service that signs its requests by the reference library of Standard Webhooks. */
import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

export interface Signing {
  secret: string;
  id?: string;
  /** How long ago. */
  ageSeconds?: number;
}

/** A secret as Standard Webhooks writes it. */
export function newSecret(bytes = 32): string {
  return `whsec_${randomBytes(bytes).toString('base64')}`;
}

/** The headers of a request with this body. */
export function signed(body: string, { secret, id = 'msg_1', ageSeconds = 0 }: Signing) {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

/** The headers of a request with this body, which need not be text: the library signs text alone. */
export function signedBytes(body: Uint8Array, secret: string) {
  const headers = signed('', { secret });
  const hmac = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'));
  hmac.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`).update(body);
  return { ...headers, 'webhook-signature': `v1,${hmac.digest('base64')}` };
}
