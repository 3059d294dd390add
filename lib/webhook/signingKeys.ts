/** The keys that a request may be signed with. */
import samples from '../../secrets.sample.json' with { type: 'json' };
import { SecretFailed } from '../reasons.ts';
import { configuration } from '../settings.ts';
import { rotatedSecret } from '../toolkit/secrets.ts';

/** After a rotation, the service may go on signing with the previous secret for a day. */
const PREVIOUS_ACCEPTED_MS = 24 * 60 * 60_000;
/** Standard Webhooks: 192 bits or more. */
const MIN_KEY_BYTES = 24;
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;
const EXPECTED = `expected whsec_ and the base64 of ${MIN_KEY_BYTES} random bytes or more, but not the secret of secrets.sample.json`;

/** Anyone can read it: it is good in `SECRETS_FILE` alone, which cannot be set on Lambda. */
const SAMPLE_KEY = decoded(samples['login-hooks/signing']);

/**
 * The keys, the current one first.
 *
 * @param secretId the name or ARN of a secret: `whsec_` and base64, as Standard Webhooks writes it
 * @param options `refresh` fetches the secret although it is cached, at most once in 30 seconds
 * @throws {SecretFailed} also `secret_unusable`, where the current version is not a key
 */
export async function signingKeys(secretId: string, { refresh = false } = {}): Promise<Buffer[]> {
  const check = (secret: unknown) => {
    if (!isKey(decoded(secret))) throw new SecretFailed('secret_unusable', secretId, [EXPECTED]);
  };
  const versions = await rotatedSecret(secretId, { graceMs: PREVIOUS_ACCEPTED_MS, check, refresh });
  return versions.map(decoded).filter(isKey);
}

function isKey(key: Buffer): boolean {
  const isFromFile = configuration('both').settings.secretsFile !== null;
  return key.length >= MIN_KEY_BYTES && (isFromFile || !key.equals(SAMPLE_KEY));
}

/** Empty for a secret that is not base64. */
function decoded(secret: unknown): Buffer {
  const base64 = typeof secret === 'string' ? SECRET.exec(secret.trim())?.[1] : undefined;
  return base64 === undefined ? Buffer.alloc(0) : Buffer.from(base64, 'base64');
}
