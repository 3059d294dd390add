/** The issuers of ID tokens, with keys of their own, and tokens signed by them: any header, any payload. */
import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import type { IssuerKey } from './oracle/idToken.ts';

export const ISSUER = 'https://idp.example.org';
/** Another that is listed too: what it signs is nothing to the first one. */
export const OTHER_ISSUER = 'https://other.example.org';

/** Microsoft Entra's, in its clouds and behind a domain of one's own: they sign with the first issuer's keys here. */
export const ENTRA_ISSUERS = [
  'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0',
  'https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/',
  'https://login.microsoftonline.us/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0',
  'https://login.partner.microsoftonline.cn/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0',
  'https://sts.chinacloudapi.cn/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/',
  'https://login.example.org/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0/',
];

/** The audiences of all. */
export const CLIENTS = ['client-1', 'client-2'];

export interface SigningKey extends Omit<IssuerKey, 'publicKey'> {
  privateJwk: JsonWebKey;
}

export type IssuerKeys = Record<typeof ISSUER | typeof OTHER_ISSUER, SigningKey[]>;

/** Both issuers call one of their keys the same. */
export function newKeys(): IssuerKeys {
  return {
    [ISSUER]: [newKey('key-1', 'ES256'), newKey('key-2', 'EdDSA'), newKey('key-3', 'RS256')],
    [OTHER_ISSUER]: [newKey('key-1', 'ES256'), newKey('key-9', 'EdDSA')],
  };
}

export function publicJwk({ kid, alg, privateJwk }: SigningKey): JsonWebKey {
  const { kty, crv, x, y, n, e } = privateJwk;
  return JSON.parse(JSON.stringify({ kid, alg, use: 'sig', kty, crv, x, y, n, e }));
}

function newKey(kid: string, alg: IssuerKey['alg']): SigningKey {
  const { privateKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, alg, privateJwk: privateKey.export({ format: 'jwk' }) };
}

/** A key ready for use: made out of its JWK once. */
export interface Signer {
  kid: string;
  alg: IssuerKey['alg'];
  key: KeyObject;
}

export function signerOf({ kid, alg, privateJwk }: SigningKey): Signer {
  return { kid, alg, key: createPrivateKey({ key: privateJwk, format: 'jwk' }) };
}

export function signToken({ alg, key }: Signer, header: string, payload: string): string {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  const hash = alg === 'EdDSA' ? null : 'sha256';
  return `${signed}.${sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

export function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
