/** ID tokens, rightly signed and forged, and the events that come with them. */
import {
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { openIdEvent } from '../../support/wire.ts';

export const ISSUER = 'https://idp.example.org';
/** Another that is listed too: what it signs is nothing to the first one. */
export const OTHER_ISSUER = 'https://other.example.org';
export const CLIENTS = ['client-1', 'client-2'];

export interface Signer {
  kid: string;
  alg: 'ES256' | 'EdDSA' | 'RS256';
  key: KeyObject;
}

const EC: Signer = {
  kid: 'key-1',
  alg: 'ES256',
  key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
};
const ED: Signer = { kid: 'key-2', alg: 'EdDSA', key: generateKeyPairSync('ed25519').privateKey };
const RSA: Signer = {
  kid: 'key-3',
  alg: 'RS256',
  key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
};
/** Of the other issuer, which calls one of its keys the same. */
const OTHER: Signer = { ...EC, key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey };

export const SIGNERS = [EC, ED, RSA];

/** What the issuers publish. */
export const KEYS: Readonly<Record<string, object[]>> = {
  [ISSUER]: SIGNERS.map(publicJwk),
  [OTHER_ISSUER]: [publicJwk(OTHER)],
};

function publicJwk({ kid, alg, key }: Signer) {
  return { ...createPublicKey(key).export({ format: 'jwk' }), kid, alg, use: 'sig' };
}

/** Undefined for a claim that is left out. */
export type TokenClaims = Readonly<Record<string, unknown>>;

const ACCESS_TOKEN = 'access-token-1';
const NAMED = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'];

export function goodClaims({ alg }: Signer): TokenClaims {
  const now = seconds();
  const hash = createHash(alg === 'EdDSA' ? 'sha512' : 'sha256')
    .update(ACCESS_TOKEN)
    .digest();
  return {
    iss: ISSUER,
    sub: 'subject-1',
    aud: 'client-1',
    exp: now + 3_600,
    iat: now - 5,
    nonce: 'nonce-1',
    at_hash: hash.subarray(0, hash.length / 2).toString('base64url'),
    email: 'ada@example.org',
    given_name: 'Ada',
    family_name: 'Lovelace',
  };
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}

export function goodToken(signer: Signer, claims: TokenClaims): string {
  return token(signer, { alg: signer.alg, kid: signer.kid, typ: 'JWT' }, claims);
}

function token({ alg, key }: Signer, header: object, claims: TokenClaims): string {
  const signed = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`;
  const hash = alg === 'EdDSA' ? null : 'sha256';
  return `${signed}.${sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function base64url(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** An event that says what these claims say. */
export function eventOf(claims: TokenClaims, idTokenJwt: string) {
  const event = openIdEvent();
  const { aud } = claims;
  const own = Object.entries(claims);
  const named = Object.fromEntries(own.filter(([name]) => NAMED.includes(name)));
  Object.assign(event.idToken, {
    ...named,
    aud: Array.isArray(aud) ? aud : [aud],
    otherClaims: Object.fromEntries(own.filter(([name]) => !NAMED.includes(name))),
  });
  return Object.assign(event, { accessToken: ACCESS_TOKEN, idTokenJwt });
}

/** A place in a token, and something to put there. */
interface Place {
  at: number;
  by: number;
}

type Forge = (signer: Signer, claims: TokenClaims, place: Place) => string;

/** Changes the parts of a good token. */
function parts(change: (parts: string[], place: Place) => string[]): Forge {
  return (signer, claims, place) => change(goodToken(signer, claims).split('.'), place).join('.');
}

/** By another header than the one that is signed. */
function unsigned(header: object): (parts: string[]) => string[] {
  return ([, payload = '', signature = '']) => [base64url(JSON.stringify(header)), payload, signature];
}

/** What somebody may try who has a good token, or the issuer's public keys. */
export const FORGERIES: Readonly<Record<string, Forge>> = {
  'a character changed': (signer, claims, { at, by }) => {
    const jwt = goodToken(signer, claims);
    // The last characters may have bits that count for nothing.
    const index = at % (jwt.length - 4);
    const changed = String.fromCharCode(jwt.charCodeAt(index) ^ by);
    return jwt.slice(0, index) + changed + jwt.slice(index + 1);
  },
  'cut off': (signer, claims, { at }) => goodToken(signer, claims).slice(0, -1 - (at % 200)),
  'parts moved': parts((all, { at }) => [...all.slice(1 + (at % 2)), ...all.slice(0, 1 + (at % 2))]),
  'a part left out': parts((all, { at }) => all.toSpliced(at % 3, 1)),
  'a part emptied': parts((all, { at }) => all.with(at % 3, '')),
  'more parts': parts((all, { at }) => [...all, ...all.slice(0, 1 + (at % 3))]),
  // At the end of a signature it changes nothing that is signed.
  'padding or space': parts((all, { at, by }) =>
    all.with(at % 2, (all[at % 2] ?? '') + (['=', ' ', '\n', '=='][by % 4] ?? '')),
  ),
  'no algorithm': parts((all, { at }) => [
    ...unsigned({ alg: ['none', 'None', 'NONE', ''][at % 4] })(all).slice(0, 2),
    at % 2 ? '' : (all[2] ?? ''),
  ]),
  'the public key as a secret': (signer, claims, { at }) => {
    const bits = ['256', '384', '512'][at % 3];
    const pem = String(createPublicKey(signer.key).export({ format: 'pem', type: 'spki' }));
    const header = base64url(JSON.stringify({ alg: `HS${bits}`, kid: signer.kid }));
    const signed = `${header}.${goodToken(signer, claims).split('.')[1]}`;
    return `${signed}.${createHmac(`sha${bits}`, pem).update(signed).digest('base64url')}`;
  },
  'another algorithm': (signer, claims, { at }) => {
    const others = ['ES256', 'ES384', 'RS256', 'PS256', 'es256', 'HS256'].filter((alg) => alg !== signer.alg);
    return token(signer, { alg: others[at % others.length], kid: signer.kid }, claims);
  },
  'another person': parts(([header = '', payload = '', signature = '']) => {
    const claims = Buffer.from(payload, 'base64url').toString().replace('subject-1', 'subject-2');
    return [header, base64url(claims), signature];
  }),
  "another issuer's key": (_, claims) => goodToken(OTHER, claims),
  'a key in the header': (_, claims) =>
    token(
      OTHER,
      { alg: 'ES256', kid: 'key-9', jwk: createPublicKey(OTHER.key).export({ format: 'jwk' }) },
      claims,
    ),
  'the type of another token': (signer, claims, { at }) =>
    token(
      signer,
      { alg: signer.alg, kid: signer.kid, typ: ['at+jwt', 'application/at+jwt', 'logout+jwt'][at % 3] },
      claims,
    ),
  'an extension that nobody knows': (signer, claims) =>
    token(signer, { alg: signer.alg, kid: signer.kid, crit: ['b64'], b64: false }, claims),
};
