/** Keys of an issuer, and tokens that its provider would not issue. */
import { base64url, CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';

export const ALGORITHMS = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const),
];

/** A private key, with the name and the algorithm that it is published under. */
export type SigningKey = JWK & { kid: string; alg: string };

export async function signingKey(alg: string, kid = `${alg}-1`): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg, use: 'sig' };
}

/** One for each algorithm, by its name. Those of RSA are one key under several ids: making one takes long. */
export async function signingKeys(): Promise<Record<string, SigningKey>> {
  const rsa = await signingKey('RS256');
  const keys = ALGORITHMS.map((alg) =>
    /^[RP]S/.test(alg) ? { ...rsa, alg, kid: `${alg}-1` } : signingKey(alg),
  );
  return Object.fromEntries((await Promise.all(keys)).map((key) => [key.alg, key]));
}

/** As an issuer publishes it. */
export function publicPart({ d, p, q, dp, dq, qi, ...jwk }: JWK): JWK {
  return jwk;
}

/** Any claims under any header: an entry that is undefined is left out. */
export function sign(claims: object, key: SigningKey, header: object = {}): Promise<string> {
  const protectedHeader = { alg: key.alg, kid: key.kid, ...header };
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader(JSON.parse(JSON.stringify(protectedHeader)))
    .sign(key);
}

/** Three parts that nobody checked. */
export function compact(header: object, claims: object, signature = ''): string {
  return [...[header, claims].map((part) => base64url.encode(JSON.stringify(part))), signature].join('.');
}
