/** OpenID logins whose event and token say the same: claims as JSON text, so that a hostile one stays as it is. */
import { createHash } from 'node:crypto';
import { ISSUER, type Signer, signToken } from '../keys.ts';

/** Each claim's value as JSON text. */
export type Claims = ReadonlyMap<string, string>;

const ACCESS_TOKEN = 'access-token-1';
const NAMED = ['iss', 'sub', 'exp', 'iat', 'nonce'];

export function claimsOf(
  signer: Signer,
  changes: Iterable<readonly [string, string | undefined]> = [],
): Claims {
  const now = Math.floor(Date.now() / 1_000);
  const claims = new Map(
    Object.entries({
      iss: ISSUER,
      sub: 'subject-1',
      aud: 'client-1',
      exp: now + 3_600,
      iat: now - 5,
      nonce: 'nonce-1',
      at_hash: hashOf(ACCESS_TOKEN, signer),
      email: 'ada@example.org',
      given_name: 'Ada',
      family_name: 'Lovelace',
    }).map(([name, value]) => [name, JSON.stringify(value)]),
  );
  for (const [name, text] of changes) {
    if (text === undefined) claims.delete(name);
    else claims.set(name, text);
  }
  return claims;
}

/** OpenID Connect Core 3.1.3.6. */
function hashOf(accessToken: string, { alg }: Signer): string {
  const hash = createHash(alg === 'EdDSA' ? 'sha512' : 'sha256')
    .update(accessToken)
    .digest();
  return hash.subarray(0, hash.length / 2).toString('base64url');
}

export function headerOf({ alg, kid }: Signer): string {
  return JSON.stringify({ alg, kid, typ: 'JWT' });
}

export function tokenOf(signer: Signer, claims: Claims): string {
  return signToken(signer, headerOf(signer), payloadText(claims));
}

function payloadText(claims: Claims): string {
  return objectText([...claims]);
}

/** The event as JSON text. */
export function eventOf(claims: Claims, jwt: string): string {
  const aud = claims.get('aud') ?? '[]';
  const others = [...claims].filter(([name]) => name !== 'aud' && !NAMED.includes(name));
  return objectText([
    ['accessToken', JSON.stringify(ACCESS_TOKEN)],
    ['tokenType', '"Bearer"'],
    [
      'idToken',
      objectText([
        ...[...claims].filter(([name]) => NAMED.includes(name)),
        ['aud', aud.startsWith('[') ? aud : `[${aud}]`],
        ['otherClaims', objectText(others)],
      ]),
    ],
    ['idTokenJwt', JSON.stringify(jwt)],
    ['expiresIn', '3600'],
  ]);
}

function objectText(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`;
}
