import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

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
