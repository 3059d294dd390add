/** ID tokens, rightly signed and forged, and the events that come with them. */
import { createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { base64url, type JWK } from 'jose';
import { compact, publicPart, type SigningKey, sign, signingKey } from '../../support/signingKeys.ts';
import { openIdEvent } from '../../support/wire.ts';

export const ISSUER = 'https://idp.example.org';
/** Another that is listed too: what it signs is nothing to the first one. */
export const OTHER_ISSUER = 'https://other.example.org';

const RSA = await signingKey('RS256');
const SIGNERS = [await signingKey('ES256'), await signingKey('EdDSA'), RSA];
/** Of the other issuer, which calls one of its keys the same. */
const OTHER = await signingKey('ES256');

export const signer = fc.constantFrom(...SIGNERS);

/** What the issuers publish. */
export const KEYS: Readonly<Record<string, JWK[]>> = {
  [ISSUER]: SIGNERS.map(publicPart),
  [OTHER_ISSUER]: [publicPart(OTHER)],
};

/** Undefined for a claim that is left out. */
export type TokenClaims = Readonly<Record<string, unknown>>;

export function goodClaims(): TokenClaims {
  const now = Math.floor(Date.now() / 1_000);
  const person = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };
  const times = { exp: now + 3_600, iat: now - 5 };
  return { iss: ISSUER, sub: 'subject-1', aud: 'client-1', nonce: 'nonce-1', ...times, ...person };
}

/** An event that says what these claims say. */
export function eventOf({ iss, sub, aud, exp, iat, nonce, ...otherClaims }: TokenClaims, idTokenJwt: string) {
  return {
    ...openIdEvent(),
    idToken: { iss, sub, aud: [aud].flat(), exp, iat, nonce, otherClaims },
    idTokenJwt,
  };
}

type Forge = (claims: TokenClaims, signer: SigningKey) => string | Promise<string>;

/** Something else in what is signed: the end of a signature may have bits that count for nothing. */
const changed = fc
  .record({ at: fc.nat(2_000), removed: fc.nat(500), text: fc.string({ unit: 'binary' }) })
  .map(
    ({ at, removed, text }): Forge =>
      async (claims, signer) => {
        const jwt = await sign(claims, signer);
        const start = at % jwt.lastIndexOf('.');
        const forged = jwt.slice(0, start) + text + jwt.slice(start + removed);
        return forged === jwt ? '' : forged;
      },
  );

/** The parts of a good token left out, moved, repeated or emptied. */
const rearranged = fc
  .array(fc.nat(3), { maxLength: 5 })
  .filter((order) => order.join() !== '0,1,2')
  .map(
    (order): Forge =>
      async (claims, signer) => {
        const parts = (await sign(claims, signer)).split('.');
        return order.map((index) => parts[index] ?? '').join('.');
      },
  );

/** Another header than the one that is signed, with and without its signature. */
const underHeader = fc
  .tuple(fc.constantFrom('none', 'None', '', 'HS256', 'ES384', 'PS256', 'es256'), fc.boolean())
  .map(
    ([alg, isSigned]): Forge =>
      async (claims, signer) => {
        const [, , signature] = (await sign(claims, signer)).split('.');
        return compact({ alg, kid: signer.kid }, claims, isSigned ? signature : '');
      },
  );

const bySomebody = fc.constantFrom<Forge[]>(
  (claims) => sign(claims, OTHER),
  (claims) => sign(claims, OTHER, { kid: 'key-9', jwk: publicPart(OTHER) }),
  (claims) => sign(claims, { ...RSA, alg: 'PS256' }),
  (claims, signer) => sign(claims, signer, { typ: 'at+jwt' }),
  (claims, { kid, ...jwk }) => {
    const publicKey = createPublicKey({ key: publicPart(jwk) as never, format: 'jwk' });
    const k = base64url.encode(publicKey.export({ format: 'pem', type: 'spki' }));
    return sign(claims, { kty: 'oct', k, alg: 'HS256', kid });
  },
);

/** What somebody may try who has a good token, or the issuer's public keys. */
export const forgery: fc.Arbitrary<Forge> = fc.oneof(changed, rearranged, underHeader, bySomebody);
