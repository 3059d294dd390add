/** Standard Webhooks, "Signature scheme": `v1,` and the base64 of HMAC-SHA-256 over `id.timestamp.body`. */
import { createHmac } from 'node:crypto';
import { isText } from './json.ts';
import { bodyBytes, type HttpEvent, headerValues } from './request.ts';

const TOLERANCE_SECONDS = 300;

export function signatureOf(key: Buffer, id: string, timestamp: string, body: Buffer): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

/**
 * Whether a request has a right signature of any of the headers' values that it was sent with. In UTF-8, a lone surrogate
 * is the same as U+FFFD: who sends one could have been sent the other.
 */
export function isRightlySigned(event: HttpEvent, key: Buffer): boolean {
  if (event.isBase64Encoded !== true && isText(event.body) && !event.body.isWellFormed()) return false;
  const now = Math.floor(Date.now() / 1_000);
  const body = bodyBytes(event);
  const signatures = headerValues(event, 'webhook-signature').flatMap((value) => value.split(' '));
  return headerValues(event, 'webhook-id').some(
    (id) =>
      // With one, the same bytes could be read as another id and another body.
      !id.includes('.') &&
      id.isWellFormed() &&
      headerValues(event, 'webhook-timestamp').some(
        (timestamp) =>
          Math.abs(now - Number(timestamp)) <= TOLERANCE_SECONDS &&
          signatures.includes(signatureOf(key, id, timestamp, body)),
      ),
  );
}
