/**
 * Requests signed as Standard Webhooks says (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA-256 over
 * `id.timestamp.body`.
 *
 * The reference library signs decoded text and a parsed timestamp, so that different bytes share one signature. This
 * module signs the bytes that arrived.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { LoginError } from '../reasons.ts';
import { signingKeys } from './signingKeys.ts';

/** For a cold start, which loads the source of the keys together with this module. */
export { loadSecretSource } from '../toolkit/secretSource.ts';

const TOLERANCE_SECONDS = 5 * 60;
/** Seconds since 1970. */
const TIMESTAMP = /^\d{1,12}$/;
/** With a full stop in the id, another id and another body would have the same signed content. */
const ID = /^[^.]{1,256}$/;
const SCHEME = 'v1,';
/** Of the header with the signatures, in characters. API Gateway accepts 10,240 bytes of headers in all. */
const MAX_SIGNATURES_LENGTH = 8_192;

/** The signed parts of an HTTP request, and their signature. */
export interface SignedRequest {
  /** By lower-case name. */
  headers: ReadonlyMap<string, string>;
  /** As it arrived; null where there is none. */
  body: string | null;
  isBase64Encoded: boolean;
}

interface SignedMessage {
  signed: Buffer;
  signatures: Buffer[];
}

/**
 * Requires a signature of the service. A repeated message has the same id and a new timestamp, and is accepted again.
 *
 * @param secretId the name or ARN of the signing secret
 * @throws {LoginError} `signature_…`, where the signature is missing, wrong, or more than five minutes old or ahead
 * @throws {SecretFailed} for every request, signed or not, where there is no usable secret
 */
export async function requireSignature(http: SignedRequest, secretId: string): Promise<void> {
  const keys = await signingKeys(secretId);
  const message = readMessage(http, Date.now());
  if (isSignedBy(keys, message)) return;
  // The secret may have been rotated since it was read.
  if (isSignedBy(await signingKeys(secretId, { refresh: true }), message)) return;
  throw new LoginError('signature_wrong');
}

function readMessage({ headers, body, isBase64Encoded }: SignedRequest, nowMs: number): SignedMessage {
  const id = headers.get('webhook-id');
  const timestamp = headers.get('webhook-timestamp');
  const signature = headers.get('webhook-signature');
  if (!id || !timestamp || !signature) throw new LoginError('signature_missing');
  const signatures = signaturesIn(signature);
  // As UTF-8, every lone surrogate is U+FFFD: different texts would share one signature.
  const text = body ?? '';
  const isText = id.isWellFormed() && text.isWellFormed();
  if (!isText || !ID.test(id) || !TIMESTAMP.test(timestamp) || signatures.length === 0) {
    throw new LoginError('signature_malformed');
  }
  const ageSeconds = Math.floor(nowMs / 1_000) - Number(timestamp);
  if (Math.abs(ageSeconds) > TOLERANCE_SECONDS) throw new LoginError('signature_expired');
  return {
    signed: Buffer.concat([
      Buffer.from(`${id}.${timestamp}.`),
      isBase64Encoded ? Buffer.from(text, 'base64') : Buffer.from(text),
    ]),
    signatures,
  };
}

/** The signatures of our scheme; none where the header is too long. */
function signaturesIn(header: string): Buffer[] {
  if (header.length > MAX_SIGNATURES_LENGTH) return [];
  const ours = header.split(' ').filter((one) => one.startsWith(SCHEME));
  return ours.map((one) => Buffer.from(one.slice(SCHEME.length)));
}

/** Takes the same time however much of a signature is right. */
function isSignedBy(keys: readonly Buffer[], { signed, signatures }: SignedMessage): boolean {
  return keys.some((key) => {
    const expected = Buffer.from(createHmac('sha256', key).update(signed).digest('base64'));
    return signatures.some(
      (signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
    );
  });
}
