/**
 * Requests signed as Standard Webhooks says (https://www.standardwebhooks.com, "Signature scheme"): HMAC-SHA-256 over
 * `id.timestamp.body`.
 *
 * The reference library signs decoded text and a parsed timestamp, so that different bytes share one signature. This
 * module signs the bytes that arrived.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import samples from '../../secrets.sample.json' with { type: 'json' };
import { LoginError, SecretFailed } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import { rotatedSecret } from '../toolkit/secrets.ts';

/** For a cold start, which loads the source of the keys together with this module. */
export { loadSecretSource } from '../toolkit/secrets.ts';

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
const TOLERANCE_SECONDS = 5 * 60;
/** Seconds since 1970. */
const TIMESTAMP = /^\d{1,12}$/;
/** With a full stop in the id, another id and another body would have the same signed content. */
const ID = /^[^.]{1,256}$/;
const SCHEME = 'v1,';
/** Of the header with the signatures, in characters. API Gateway accepts 10,240 bytes of headers in all. */
const MAX_SIGNATURES_LENGTH = 8_192;

/** After a rotation, the service may go on signing with the previous secret for a day. */
const PREVIOUS_ACCEPTED_MS = 24 * 60 * 60_000;
/** Standard Webhooks: 192 bits or more. */
const MIN_KEY_BYTES = 24;
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;
const EXPECTED = `expected whsec_ and the base64 of ${MIN_KEY_BYTES} random bytes or more, but not the secret of secrets.sample.json`;

/** Anyone can read it: it is good only in `SECRETS_FILE`, which cannot be set on Lambda. */
const SAMPLE_KEY = decoded(samples['login-hooks/signing']);

/** The signed parts of an HTTP request, and their signature. */
export interface SignedRequest {
  /** By lower-case name; of repeated headers the last one. */
  headers: ReadonlyMap<string, string>;
  /** As it arrived; null where there is none. */
  body: string | null;
  isBase64Encoded: boolean;
}

interface SignedMessage {
  signed: Buffer;
  signatures: Buffer[];
}

/** The settings that say which keys are accepted. */
export type SigningSettings = Pick<Settings, 'signingSecretId' | 'secretsFile'>;

/**
 * Requires a signature of the service. A repeated message has the same id and a new timestamp, and is accepted again.
 *
 * @throws {LoginError} `signature_…`, where the signature is missing, wrong, or more than five minutes old or ahead
 * @throws {SecretFailed} for every request, signed or not, where there is no usable secret
 */
export async function requireSignature(http: SignedRequest, settings: SigningSettings): Promise<void> {
  const keys = await signingKeys(settings);
  const message = readMessage(http, Date.now());
  if (isSignedBy(keys, message)) return;
  // The secret may have been rotated since it was read.
  if (isSignedBy(await signingKeys(settings, { refresh: true }), message)) return;
  throw new LoginError('signature_wrong');
}

/**
 * The keys that a request may be signed with, the current one first.
 *
 * @param settings whose secret is `whsec_` and base64, as Standard Webhooks writes it
 * @param options `refresh` fetches the secret although it is cached, at most once in 30 seconds
 * @throws {SecretFailed} also `secret_unusable`, where the current version is not a key
 */
export async function signingKeys(
  { signingSecretId, secretsFile }: SigningSettings,
  { refresh = false } = {},
): Promise<Buffer[]> {
  const secretId = signingSecretId ?? '';
  const isKey = (key: Buffer) =>
    key.length >= MIN_KEY_BYTES && (secretsFile !== null || !key.equals(SAMPLE_KEY));
  const check = (secret: unknown) => {
    if (!isKey(decoded(secret))) throw new SecretFailed('secret_unusable', secretId, [EXPECTED]);
  };
  const versions = await rotatedSecret(secretId, { graceMs: PREVIOUS_ACCEPTED_MS, check, refresh });
  return versions.map(decoded).filter(isKey);
}

/** Empty for a secret that is not base64. */
function decoded(secret: unknown): Buffer {
  const base64 = typeof secret === 'string' ? SECRET.exec(secret.trim())?.[1] : undefined;
  return base64 === undefined ? Buffer.alloc(0) : Buffer.from(base64, 'base64');
}

function readMessage({ headers, body, isBase64Encoded }: SignedRequest, nowMs: number): SignedMessage {
  const [id, timestamp, signature] = HEADERS.map((name) => headers.get(name));
  if (!id || !timestamp || !signature) {
    const missing = HEADERS.filter((name) => !headers.get(name));
    throw new LoginError('signature_missing', {
      problems: missing.map((name) => `expected the header ${name}`),
    });
  }
  const signatures = signaturesIn(signature);
  // As UTF-8, every lone surrogate is U+FFFD: different texts would share one signature.
  const text = body ?? '';
  const problems = [
    ID.test(id) && id.isWellFormed() ? [] : 'webhook-id: expected 1 to 256 characters without a full stop',
    TIMESTAMP.test(timestamp) ? [] : 'webhook-timestamp: expected seconds since 1970',
    signatures.length > 0 ? [] : `webhook-signature: expected ${SCHEME} and the signature in base64`,
    text.isWellFormed() ? [] : 'body: expected text without lone surrogates',
  ].flat();
  if (problems.length > 0) throw new LoginError('signature_malformed', { problems });
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
