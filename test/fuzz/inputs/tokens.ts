/** ID tokens, rightly signed and forged, and the events that come with them. */
import { createPublicKey } from 'node:crypto';
import { base64url, type JWK } from 'jose';
import { compact, publicPart, type SigningKey, sign, signingKey } from '../../support/signingKeys.ts';
import { openIdEvent } from '../../support/wire.ts';

export const ISSUER = 'https://idp.example.org';
/** Another that is listed too: what it signs is nothing to the first one. */
export const OTHER_ISSUER = 'https://other.example.org';

export const SIGNERS = await Promise.all(['ES256', 'EdDSA', 'RS256'].map((alg) => signingKey(alg)));
/** Of the other issuer, which calls one of its keys the same. */
const OTHER = await signingKey('ES256');

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

/** A place in a token, and something to put there. */
interface Place {
  at: number;
  by: number;
}

type Forge = (signer: SigningKey, claims: TokenClaims, place: Place) => string | Promise<string>;

/** Changes the parts of a good token. */
function parts(change: (parts: string[], place: Place) => string[]): Forge {
  return async (signer, claims, place) => change((await sign(claims, signer)).split('.'), place).join('.');
}

/** Another header than the one that is signed. */
function header(headerOf: (signer: SigningKey, at: number) => object): Forge {
  return async (signer, claims, { at }) => {
    const [, , signature] = (await sign(claims, signer)).split('.');
    return compact(headerOf(signer, at), claims, at % 2 ? '' : signature);
  };
}

/** What somebody may try who has a good token, or the issuer's public keys. */
export const FORGERIES: Readonly<Record<string, Forge>> = {
  'a character changed': async (signer, claims, { at, by }) => {
    const jwt = await sign(claims, signer);
    // The last characters may have bits that count for nothing.
    const index = at % (jwt.length - 4);
    const changed = String.fromCharCode(jwt.charCodeAt(index) ^ by);
    return jwt.slice(0, index) + changed + jwt.slice(index + 1);
  },
  'cut off': async (signer, claims, { at }) => (await sign(claims, signer)).slice(0, -1 - (at % 200)),
  'parts moved': parts((all, { at }) => [...all.slice(1 + (at % 2)), ...all.slice(0, 1 + (at % 2))]),
  'a part left out': parts((all, { at }) => all.toSpliced(at % 3, 1)),
  'a part emptied': parts((all, { at }) => all.with(at % 3, '')),
  'more parts': parts((all, { at }) => [...all, ...all.slice(0, 1 + (at % 3))]),
  // At the end of a signature it changes nothing that is signed.
  'padding or space': parts((all, { at, by }) =>
    all.with(at % 2, (all[at % 2] ?? '') + (['=', ' ', '\n', '=='][by % 4] ?? '')),
  ),
  'another person': parts(([head = '', payload = '', signature = '']) => {
    const claims = Buffer.from(payload, 'base64url').toString().replace('subject-1', 'subject-2');
    return [head, base64url.encode(claims), signature];
  }),
  'no algorithm': header((_, at) => ({ alg: ['none', 'None', 'NONE', ''][at % 4] })),
  'another algorithm': header(({ alg, kid }, at) => {
    const others = ['ES256', 'ES384', 'RS256', 'PS256', 'es256', 'HS256'].filter((other) => other !== alg);
    return { alg: others[at % others.length], kid };
  }),
  'another algorithm of the same key': (_, claims) => {
    const rsa = SIGNERS.find(({ kty }) => kty === 'RSA') as SigningKey;
    return sign(claims, { ...rsa, alg: 'PS256' });
  },
  'the public key as a secret': ({ kid, ...jwk }, claims) => {
    const publicKey = createPublicKey({ key: publicPart(jwk) as never, format: 'jwk' });
    const pem = publicKey.export({ format: 'pem', type: 'spki' });
    return sign(claims, { kty: 'oct', k: base64url.encode(pem), alg: 'HS256', kid });
  },
  "another issuer's key": (_, claims) => sign(claims, OTHER),
  'a key in the header': (_, claims) => sign(claims, OTHER, { kid: 'key-9', jwk: publicPart(OTHER) }),
  'the type of another token': (signer, claims, { at }) =>
    sign(claims, signer, { typ: ['at+jwt', 'application/at+jwt', 'logout+jwt'][at % 3] }),
};
