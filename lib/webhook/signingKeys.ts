/** The keys that a request may be signed with. */
import { nowMs } from '../deadline.ts';
import '../core.ts';
import samples from '../../secrets.sample.json' with { type: 'json' };
import { SecretFailed } from '../errors.ts';
import { configuration } from '../settings.ts';
import { forgetRotation, isRotationKept, rotatedSecret } from '../toolkit/rotation.ts';

/** After a rotation, the service may go on signing with the secret as it was. */
const PREVIOUS_ACCEPTED_MS = 24 * 60 * 60_000;
/** Anybody may send a request: without a secret, not each of them becomes one to Secrets Manager. */
const FAILURE_KEPT_MS = 10_000;
/** Standard Webhooks: from 192 bits on. */
const MIN_KEY_BYTES = 24;
const SECRET = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

/** Everybody can read it: it is good in `SECRETS_FILE` alone, which cannot be set on Lambda. */
const SAMPLE_KEY = decoded(samples['login-hooks/signing']);

let failure: { error: SecretFailed; at: number } | undefined;

/**
 * The keys, the current one first.
 *
 * @param secretId the name or ARN of a secret: `whsec_` and base64, as Standard Webhooks writes it
 * @throws {SecretFailed}
 */
export async function signingKeys(secretId: string, { refresh = false } = {}): Promise<Buffer[]> {
  // What a login had no time to wait for may have come since.
  if (failure && nowMs() - failure.at < FAILURE_KEPT_MS && !isRotationKept(secretId)) throw failure.error;
  try {
    const { current, previous } = await rotatedSecret(secretId, PREVIOUS_ACCEPTED_MS, { refresh });
    const key = keyOf(current);
    if (!key) {
      forgetRotation(secretId);
      throw new SecretFailed('secret_unusable', secretId, [EXPECTED]);
    }
    const previousKey = keyOf(previous);
    return previousKey ? [key, previousKey] : [key];
  } catch (error) {
    if (error instanceof SecretFailed) failure = { error, at: nowMs() };
    throw error;
  }
}

const EXPECTED = `expected whsec_ and the base64 of ${MIN_KEY_BYTES} random bytes or more, not the one of secrets.sample.json`;

/** Null for a secret that is not a key. */
function keyOf(secret: unknown): Buffer | null {
  const key = decoded(secret);
  const isFromFile = configuration('both').settings.secretsFile !== null;
  return key.length < MIN_KEY_BYTES || (key.equals(SAMPLE_KEY) && !isFromFile) ? null : key;
}

function decoded(secret: unknown): Buffer {
  const [, base64 = ''] = (typeof secret === 'string' && SECRET.exec(secret.trim())) || [];
  return Buffer.from(base64, 'base64');
}
