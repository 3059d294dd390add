/** A good token made bad: what somebody may try who has one, or the issuer's public keys. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { base64url, type Signer, signToken } from '../keys.ts';
import { anyJson, hostileKey } from './json.ts';
import { type Claims, headerOf, tokenOf } from './logins.ts';

export interface Forgery {
  what: keyof typeof FORGERIES;
  at: number;
  by: number;
  /** JSON, for a header or a payload. */
  json: string;
}

export interface Forger {
  signer: Signer;
  claims: Claims;
  /** The key of another issuer. */
  other: Signer;
  /** What the issuer publishes of its key: a secret to nobody. */
  publicKey: string;
}

export function forged(forger: Forger, { what, ...forgery }: Forgery): string {
  return FORGERIES[what](forger, forgery);
}

type Forge = (forger: Forger, forgery: Omit<Forgery, 'what'>) => string;

const good: Forge = ({ signer, claims }) => tokenOf(signer, claims);

function segments(edit: (parts: string[], forgery: Omit<Forgery, 'what'>) => string[]): Forge {
  return (forger, forgery) => edit(good(forger, forgery).split('.'), forgery).join('.');
}

function withHeader(header: string): (parts: string[]) => string[] {
  return ([, payload = '', signature = '']) => [base64url(header), payload, signature];
}

const payloadOf = (jwt: string) => Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();

/** Some of them leave a good token good; the oracle knows which. */
const FORGERIES = {
  nothing: good,
  'a character': (forger, forgery) => {
    const jwt = good(forger, forgery);
    const index = forgery.at % jwt.length;
    return (
      jwt.slice(0, index) + String.fromCharCode(jwt.charCodeAt(index) ^ forgery.by) + jwt.slice(index + 1)
    );
  },
  'cut off': (forger, forgery) => good(forger, forgery).slice(0, forgery.at % good(forger, forgery).length),
  'segments moved': segments((parts, { at }) => [...parts.slice(at % 3), ...parts.slice(0, at % 3)]),
  'a segment left out': segments((parts, { at }) => parts.toSpliced(at % 3, 1)),
  'a segment emptied': segments((parts, { at }) => parts.with(at % 3, '')),
  'more segments': segments((parts, { at }) => [...parts, ...parts.slice(0, 1 + (at % 3))]),
  'padding or space': segments((parts, { at, by }) =>
    parts.with(at % 3, (parts[at % 3] ?? '') + (['=', ' ', '\n', '=='][by % 4] ?? '')),
  ),
  'any header': segments((parts, { json }) => withHeader(json)(parts)),
  'algorithm none': segments((parts, { at }) => [
    ...withHeader(`{"alg":"${['none', 'None', 'NONE', ''][at % 4]}"}`)(parts).slice(0, 2),
    at % 2 ? '' : (parts[2] ?? ''),
  ]),
  'the public key as a secret': ({ signer, claims, publicKey }, { at }) => {
    const bits = ['256', '384', '512'][at % 3];
    const header = JSON.stringify({ alg: `HS${bits}`, kid: signer.kid });
    const signed = `${base64url(header)}.${tokenOf(signer, claims).split('.')[1]}`;
    return `${signed}.${createHmac(`sha${bits}`, publicKey).update(signed).digest('base64url')}`;
  },
  'another algorithm': (forger, { at }) => {
    const alg = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519', 'es256'][at % 7];
    const header = JSON.stringify({ alg, kid: forger.signer.kid });
    return signToken(forger.signer, header, payloadOf(tokenOf(forger.signer, forger.claims)));
  },
  'any payload': segments(([header = '', , signature = ''], { json }) => [
    header,
    base64url(json),
    signature,
  ]),
  'another person': segments(([header = '', payload = '', signature = '']) => [
    header,
    base64url(payloadOf(`.${payload}`).replace('subject-1', 'subject-2')),
    signature,
  ]),
  "another issuer's key": ({ signer, other, claims }) =>
    signToken(other, headerOf(signer), payloadOf(tokenOf(signer, claims))),
  'a header of any kind, rightly signed': ({ signer, claims }, { json }) =>
    signToken(signer, json, payloadOf(tokenOf(signer, claims))),
  'a type of any kind, rightly signed': ({ signer, claims }, { json }) => {
    const header = `${headerOf(signer).slice(0, -1)},"typ":${json}}`;
    return signToken(signer, header, payloadOf(tokenOf(signer, claims)));
  },
  'one more header parameter, rightly signed': ({ signer, claims }, { at, json }) => {
    const name = ['crit', 'b64', 'typ', 'cty', 'kid', 'jwk', 'jku', 'x5c', 'zip', 'alg', '__proto__'][
      at % 11
    ];
    const header = `${headerOf(signer).slice(0, -1)},"${name}":${json}}`;
    return signToken(signer, header, payloadOf(tokenOf(signer, claims)));
  },
  'no key id, rightly signed': ({ signer, claims }) =>
    signToken(signer, JSON.stringify({ alg: signer.alg }), payloadOf(tokenOf(signer, claims))),
} satisfies Record<string, Forge>;

const headerOrValue = fc.oneof(
  fc.constantFrom(
    '"JWT"',
    '"jwt"',
    '"application/jwt"',
    '"at+jwt"',
    '["b64"]',
    '["exp"]',
    '[]',
    'false',
    '"key-9"',
  ),
  fc.constantFrom(
    '{"alg":"ES256"}',
    '{"toString":null}',
    '{"alg":"ES256","crit":["b64"],"b64":false}',
    '{"alg":["ES256"]}',
    '{"alg":null}',
  ),
  hostileKey.map((key) => `{"alg":"EdDSA",${key}:1}`),
  anyJson.map((value) => JSON.stringify(value)),
);

export const forgery: fc.Arbitrary<Forgery> = fc.record({
  what: fc.constantFrom(...(Object.keys(FORGERIES) as Forgery['what'][])),
  at: fc.nat(2_000),
  by: fc.integer({ min: 1, max: 127 }),
  json: headerOrValue,
});
