/** The keys that an OpenID provider signs with: whether the functions can use them, and which came or went. */
import { calculateJwkThumbprint, createLocalJWKSet, type JSONWebKeySet, type JWK } from 'jose';
import { ALGORITHMS } from '../../lib/openid/signedToken.ts';
import { listed, quoted } from '../capture/findings.ts';
import { type DoctorFinding, finding, note } from './examination.ts';

/** Key ids by thumbprint (RFC 7638); an empty text for a key without one. */
export type KeyFacts = Readonly<Record<string, string>>;

/** Of a key of RSA, in bits: jose verifies with no smaller one (RFC 7518 section 3.3). */
const MIN_RSA_BITS = 2_048;

/** Those that may sign: a missing `use` is normal (RFC 7517 section 4.2). */
export function signingKeys({ keys }: JSONWebKeySet): JWK[] {
  return keys.filter(({ use }) => use !== 'enc');
}

export async function keyFacts(keys: readonly JWK[]): Promise<KeyFacts> {
  const entries = keys.map(async (key) => {
    const thumbprint = await calculateJwkThumbprint(key).catch(() => null);
    return thumbprint === null ? [] : [[thumbprint, nameOf(key)] as const];
  });
  return Object.fromEntries((await Promise.all(entries)).flat());
}

/** As it is shown: a key set may have anything in its place. */
function nameOf({ kid }: { kid?: unknown }): string {
  return typeof kid === 'string' ? quoted(kid) : '';
}

/** @param offered the algorithms that the provider signs with; null where it does not say */
export async function unusableKeys(
  issuer: string,
  keys: readonly JWK[],
  offered: readonly string[] | null,
): Promise<DoctorFinding[]> {
  const accepted = ALGORITHMS.filter((name) => offered?.includes(name) ?? true);
  if (accepted.length === 0) {
    return [
      finding(
        'algorithms_refused',
        issuer,
        `The provider signs ID tokens with ${listed(offered ?? [])} alone, which the functions refuse.`,
        `Have it sign with RS256 or ES256; accepted are ${ALGORITHMS.join(', ')}.`,
      ),
    ];
  }
  const usable = await Promise.all(keys.map((key) => isUsable(key, accepted)));
  if (usable.includes(true)) return [];
  return [
    finding(
      'keys_unusable',
      issuer,
      `Of ${keys.length} keys for signing, the functions can use none with ${listed(accepted)}.`,
      `Have the people who run the provider publish a public key for RS256 (at least ${MIN_RSA_BITS} bits) or ES256.`,
    ),
  ];
}

/** As the check of ID tokens chooses a key. */
async function isUsable(key: JWK, algorithms: readonly string[]): Promise<boolean> {
  const keyFor = createLocalJWKSet({ keys: [key] });
  const tries = algorithms.map(async (alg) => {
    const { algorithm } = await keyFor({ alg });
    const { modulusLength = MIN_RSA_BITS } = algorithm as { modulusLength?: number };
    return modulusLength >= MIN_RSA_BITS;
  });
  return (await Promise.allSettled(tries)).some((one) => one.status === 'fulfilled' && one.value);
}

/** @param before null at the first run */
export function changedKeys(issuer: string, now: KeyFacts, before: KeyFacts | null): DoctorFinding[] {
  if (before === null) return [];
  const [came, went] = [without(now, before), without(before, now)];
  if (came.length + went.length === 0) return [];
  const parts = [
    ...(came.length > 0 ? [`new: ${listed(came)}`] : []),
    ...(went.length > 0 ? [`gone: ${listed(went)}`] : []),
  ];
  return [
    note(
      'keys_changed',
      issuer,
      `The keys of the provider changed since the last run (${parts.join('; ')}).`,
      'Ask the people who run the provider whether they changed them. The functions fetch keys by themselves: a jwks_uri in OPENID_ISSUERS must still be the right one.',
    ),
  ];
}

/** Key ids, or thumbprints of keys without one. */
function without(keys: KeyFacts, others: KeyFacts): string[] {
  return Object.entries(keys).flatMap(([thumbprint, kid]) =>
    thumbprint in others ? [] : [kid || thumbprint],
  );
}
