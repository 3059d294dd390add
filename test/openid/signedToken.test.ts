/** Signed tokens and the keys of their issuer: whose signature counts, by which algorithm, and how often keys are asked for. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CompactSign, FlattenedSign, type JWK } from 'jose';
import type { OpenIdIssuer } from '../../lib/issuers.ts';
import { verifyIdToken } from '../../lib/openid/idTokenCheck.ts';
import { keysOf } from '../../lib/openid/issuerKeys.ts';
import { verifySignature } from '../../lib/openid/signedToken.ts';
import { LoginError } from '../../lib/reasons.ts';

import { sendJson } from '../support/servers.ts';
import { sharedServer, trustedServer } from '../support/sharedServer.ts';
import {
  ALGORITHMS,
  compact,
  publicPart,
  type SigningKey,
  sign,
  signingKey,
  signingKeys,
} from '../support/signingKeys.ts';
import { type Claims, loginWith } from './logins.ts';

const AUDIENCES: OpenIdIssuer = { audiences: ['client'] };
const DISCOVERY = '/.well-known/openid-configuration';
const CLAIMS = { sub: 'ada' };

let keys: Record<string, SigningKey>;
/** Somebody else's. */
let strange: SigningKey;
beforeAll(async () => {
  keys = await signingKeys();
  strange = await signingKey('ES256');
});
const key = (alg = 'ES256') => keys[alg] as SigningKey;

/** What the issuer publishes, whatever JSON it is. */
let metadata: Record<string, unknown>;
let keySet: unknown;
/** What is sent in place of the documents; null: nothing. */
let instead: ((response: ServerResponse) => void) | null;
let requests: string[];

const serve = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
  const path = url.replace(/^\/\d+/, '');
  requests.push(path);
  if (instead) instead(response);
  else if (path === '/strange') sendJson(response, { keys: [publicPart(strange)] });
  else sendJson(response, path === DISCOVERY ? metadata : keySet);
};
const plain = sharedServer(serve);
const secure = trustedServer(serve);

let started = 100_000;
let count = 0;
let issuer: string;
/** A new issuer for each test, long after the one before: keys are cached, and refreshed every 30 seconds at most. */
function newIssuer(server = secure): void {
  issuer = `${server.url}/${++count}`;
  metadata = { issuer, jwks_uri: `${issuer}/jwks` };
  publish(publicPart(key()));
  instead = null;
  requests = [];
  started += 10_000;
  at(0);
  // The waiting before another try is random: here it is none.
  jest.spyOn(Math, 'random').mockReturnValue(0);
}
beforeEach(() => newIssuer());

function publish(...jwks: unknown[]): void {
  keySet = { keys: jwks };
}
function at(seconds: number): void {
  jest.spyOn(process, 'uptime').mockReturnValue(started + seconds);
}

/** The code of a refusal, with the details where there are any. */
function told(error: LoginError) {
  expect(error).toBeInstanceOf(LoginError);
  const { code, details } = error;
  return Object.keys(details).length > 0 ? { code, ...details } : code;
}
/** The claims of a token, or why it is refused. */
const verified = (jwt: string) =>
  verifySignature(jwt, issuer, AUDIENCES).then(({ payload }): unknown => payload, told);
const verifiedBy = async (by: SigningKey, header?: object) => verified(await sign(CLAIMS, by, header));
/** The ids of the keys, or why there are none. */
const ids = (settings = AUDIENCES) =>
  keysOf(issuer, settings).then((found): unknown => found.jwks().keys.map(({ kid }) => kid), told);
const unavailable = (cause: string) => expect.objectContaining({ code: 'keys_unavailable', cause });
const signedJwt = (payload: string | Uint8Array, by = key(), header: object = {}) =>
  new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: by.alg, kid: by.kid, ...header }).sign(by);

test.each(ALGORITHMS)('a token signed by %s is read', async (alg) => {
  publish(publicPart(key(alg)));
  const read = await verifySignature(await sign(CLAIMS, key(alg)), issuer, AUDIENCES);
  expect(read).toEqual({ protectedHeader: { alg, kid: `${alg}-1` }, payload: CLAIMS });
});

describe('refused', () => {
  const HEADER = { alg: 'ES256', kid: 'ES256-1' };
  const CRITICAL = { alg: 'ES256', crit: ['x'], x: 1 };
  const bySomebody = (header: object) => sign(CLAIMS, strange, header);

  test.each<[string, string, () => string | Promise<string>]>([
    ['token_signature_wrong', 'by a key of somebody else', () => bySomebody({})],
    ['token_signature_wrong', 'by a key in it', () => bySomebody({ jwk: publicPart(strange) })],
    ['token_key_unknown', 'by an unknown key id', () => bySomebody({ kid: 'x' })],
    ['token_key_unknown', 'by keys at its address', () => bySomebody({ kid: 'x', jku: `${issuer}/strange` })],
    ['token_algorithm_refused', 'alg none', () => compact({ alg: 'none' }, CLAIMS)],
    ['token_algorithm_refused', 'a MAC by the public key', macByPublicKey],
    ['token_malformed', 'words', () => 'header.payload.signature'],
    ['token_malformed', 'a critical header', () => compact(CRITICAL, CLAIMS, 'AA')],
    ['token_malformed', 'claims that are no UTF-8', () => signedJwt(Buffer.from('{"\xff":1}', 'latin1'))],
    ['token_malformed', 'claims that are not encoded', notEncoded],
    ['token_malformed', 'null', () => signedJwt('null')],
    ['token_malformed', 'a list', () => signedJwt('[]')],
  ])('%s: %s', async (code, _, jwt) => {
    expect(await verified(await jwt())).toBe(code);
  });

  function macByPublicKey() {
    publish(publicPart(key('RS256')));
    const publicKey = createPublicKey({ key: publicPart(key('RS256')) as never, format: 'jwk' });
    const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
    return new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg: 'HS256', kid: 'RS256-1' }).sign(pem);
  }
  async function notEncoded() {
    const payload = JSON.stringify(CLAIMS);
    const header = { ...HEADER, crit: ['b64'], b64: false };
    const jws = await new FlattenedSign(Buffer.from(payload)).setProtectedHeader(header).sign(key());
    return [jws.protected, payload, jws.signature].join('.');
  }

  test('a token of more than 65,536 characters, which sends no request', async () => {
    const jwtOf = (length: number) => `${compact({ alg: 'ES256', kid: 'x' }, {})}`.padEnd(length, 'A');
    const problems = ['expected at most 65536 characters'];
    expect(await verified(jwtOf(65_537))).toEqual({ code: 'token_malformed', problems });
    expect(requests).toEqual([]);
    expect(await verified(jwtOf(65_536))).toBe('token_key_unknown');
  });
});

test('a header that says b64, and not that it is critical, changes nothing', async () => {
  for (const header of [{ b64: true, crit: ['b64'] }, { b64: false }, { crit: ['b64'], b64: true }]) {
    expect(await verified(await signedJwt('{"a":1}', key(), header))).toEqual({ a: 1 });
  }
});

describe('the keys', () => {
  test('are asked for by discovery, and serve for ten minutes; the document does for an hour', async () => {
    for (const seconds of [0, 599, 600, 1_199, 1_200, 1_800, 2_400, 3_000, 3_600]) {
      at(seconds);
      expect(await ids()).toEqual(['ES256-1']);
    }
    expect(requests.filter((path) => path === DISCOVERY)).toHaveLength(2);
    expect(requests.slice(0, 3)).toEqual([DISCOVERY, '/jwks', '/jwks']);
    expect(requests).toHaveLength(2 + 7);
  });

  test('are asked for where the setting says, without discovery', async () => {
    expect(await ids({ ...AUDIENCES, jwks_uri: `${issuer}/other` })).toEqual(['ES256-1']);
    expect(requests).toEqual(['/other']);
  });

  test('are asked for again by a token of an unknown key, at most once in 30 seconds', async () => {
    expect(await verifiedBy(key())).toEqual(CLAIMS);
    publish(publicPart(key()), { ...publicPart(strange), kid: 'new' });
    expect(await verifiedBy(strange, { kid: 'new' })).toEqual(CLAIMS);
    for (const [seconds, asked] of [
      [29, 2],
      [31, 3],
    ] as const) {
      at(seconds);
      expect(await verifiedBy(strange, { kid: 'made up' })).toBe('token_key_unknown');
      expect(requests.filter((path) => path === '/jwks')).toHaveLength(asked);
    }
  });

  test('are not asked for again by a wrong signature of a known key', async () => {
    expect(await verifiedBy(strange)).toBe('token_signature_wrong');
    expect(requests).toEqual([DISCOVERY, '/jwks']);
  });
});

describe('the discovery document', () => {
  const http = (url: string) => url.replace('https:', 'http:');

  test.each<[string, () => object]>([
    ['another issuer', () => ({ issuer: 'https://evil.example' })],
    ['no issuer', () => ({ issuer: undefined })],
    ['keys over plain http', () => ({ jwks_uri: 'http://keys.example.org/jwks' })],
    ['keys over plain http on this machine', () => ({ jwks_uri: `${http(plain.url)}/1/jwks` })],
  ])('that names %s gives no keys', async (_, change) => {
    Object.assign(metadata, change());
    expect(await ids()).toEqual(unavailable('lookup_unexpected'));
    expect(requests).toEqual([DISCOVERY]);
  });

  describe('of an issuer on this machine over plain HTTP', () => {
    beforeEach(() => newIssuer(plain));

    test('gives keys on this machine', async () => {
      expect(await ids()).toEqual(['ES256-1']);
    });

    test('gives no keys over plain HTTP from elsewhere', async () => {
      metadata.jwks_uri = 'http://keys.example.org/jwks';
      expect(await ids()).toEqual(unavailable('lookup_unexpected'));
      expect(requests).toEqual([DISCOVERY]);
    });
  });
});

describe('a key set', () => {
  const withOperations = (key_ops: unknown) => ({ ...publicPart(key()), key_ops }) as JWK;
  const operations = (count: number) => [...Array.from({ length: count - 1 }, String), 'verify'];
  const others = (number: number) =>
    Array.from({ length: number }, (_, index) => ({ ...publicPart(strange), kid: `other-${index}` }));
  const weakKey = (): JWK => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    return { ...publicKey.export({ format: 'jwk' }), alg: 'RS256' } as JWK;
  };

  test.each<[string, () => unknown[]]>([
    ['a key for its operation', () => [withOperations(['verify'])]],
    [
      'keys that nobody knows',
      () => [{ kty: 'new' }, { kty: 'OKP', crv: 'X448', x: 'A' }, publicPart(key())],
    ],
    ['several keys of one id', () => [{ ...publicPart(strange), kid: key().kid }, publicPart(key())]],
  ])('may hold %s', async (_, made) => {
    publish(...made());
    expect(await verifiedBy(key())).toEqual(CLAIMS);
  });

  test('may hold a key of twenty operations', async () => {
    publish(withOperations(operations(20)));
    expect(await ids()).toEqual(['ES256-1']);
  });

  const UNEXPECTED = 'lookup_unexpected';
  test.each<[string, () => unknown, string]>([
    ['no list', () => publicPart(key()), UNEXPECTED],
    ['a key of no type', () => [{ kid: 'x' }], UNEXPECTED],
    ['101 keys', () => [...others(100), publicPart(key())], UNEXPECTED],
    ['one of 21 operations', () => [withOperations(operations(21))], UNEXPECTED],
    ['the private key', () => [key()], 'key_unusable'],
  ])('that holds %s gives no keys', async (_, made, cause) => {
    keySet = { keys: made() };
    expect(await verifiedBy(key())).toEqual(unavailable(cause));
  });

  test('that is for encryption does not know a token’s', async () => {
    publish({ ...publicPart(key()), use: 'enc' });
    expect(await verifiedBy(key())).toBe('token_key_unknown');
  });

  test.each<[string, () => JWK[]]>([
    ['one', () => [key('RS256')]],
    ['several, one of them too short', () => [weakKey(), key('RS256'), strange]],
  ])('may hold keys without id, %s: a token fits or does not', async (_, made) => {
    publish(...made().map(({ kid: __, ...jwk }) => publicPart(jwk)));
    const other = await signingKey('RS256');
    expect(await verifiedBy(key('RS256'), { kid: undefined })).toEqual(CLAIMS);
    for (let login = 0; login < 2; login++) {
      expect(await verifiedBy(other, { kid: undefined })).toBe('token_signature_wrong');
    }
    // Once for the first, once more because there might be a new one.
    expect(requests).toEqual([DISCOVERY, '/jwks', '/jwks']);
  });
});

describe('an issuer that is down', () => {
  const fail = (response: ServerResponse) => void response.writeHead(501).end();

  test('gives no keys, until it is back', async () => {
    instead = fail;
    const { host } = new URL(secure.url);
    const details = { cause: 'lookup_status', lookUpStatus: 501 };
    expect(await ids()).toMatchObject({ code: 'keys_unavailable', host, ...details });
    instead = null;
    expect(await ids()).toEqual(['ES256-1']);
  });

  test('leaves the cached keys in use, for tokens that they fit', async () => {
    expect(await verifiedBy(key())).toEqual(CLAIMS);
    instead = fail;
    expect(await verifiedBy(strange, { kid: 'new' })).toEqual(unavailable('lookup_status'));
    expect(await verifiedBy(key())).toEqual(CLAIMS);
    at(600);
    expect(await verifiedBy(key())).toEqual(unavailable('lookup_status'));
  });
});

describe('a login', () => {
  const now = Math.floor(Date.now() / 1_000);

  /** Its event, and its check. */
  async function login(claims: Claims, otherClaims: Claims) {
    const own = { iss: issuer, sub: 'ada', aud: ['client'], iat: now, exp: now + 60, nonce: 'n', ...claims };
    const event = { ...loginWith(otherClaims, own), id_token_jwt: await sign(own, key()) };
    const openidIssuers = new Map([[issuer, { ...AUDIENCES, jwks_uri: `${issuer}/jwks` }]]);
    const check = () => verifyIdToken(event, { openidIssuers, clockSkewSeconds: 60 });
    return { claims: () => event.id_token.other_claims, check };
  }

  test('has the claims of its token, also those that the event left out', async () => {
    const { claims, check } = await login({ email: 'a@x.example' }, { nonce: 'n' });
    await check();
    expect(claims()).toEqual({ email: 'a@x.example', nonce: 'n' });
    expect(requests).toEqual(['/jwks']);
  });

  test('is refused where its token is signed, and not for now', async () => {
    const { claims, check } = await login({ exp: now - 61 }, { email: 'x' });
    await expect(check()).rejects.toMatchObject({ code: 'token_expired' });
    expect(claims()).toEqual({ email: 'x' });
  });
});
