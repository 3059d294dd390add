/** Tokens and the keys of their issuer: whose signature counts, by which algorithm, and how often keys are asked for. */
import { createPublicKey } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CompactEncrypt, CompactSign, FlattenedSign, type JWK } from 'jose';
import type { OpenIdIssuer } from '../../lib/issuers.ts';
import { verifyIdToken } from '../../lib/openid/idTokenCheck.ts';
import { verifySignature } from '../../lib/openid/signedToken.ts';
import { sendJson } from '../support/servers.ts';
import { sharedServer } from '../support/sharedServer.ts';
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

/** What issuers publish, by their addresses. */
const published = new Map<string, JWK[]>();
const server = sharedServer(({ url = '' }, response) => {
  const [, name, document] = url.split('/');
  const iss = `${server.url}/${name}`;
  sendJson(
    response,
    document === 'jwks' ? { keys: published.get(iss) } : { issuer: iss, jwks_uri: `${iss}/jwks` },
  );
});

let keys: Record<string, SigningKey>;
let strangers: SigningKey;
beforeAll(async () => {
  keys = await signingKeys();
  strangers = await signingKey('ES256');
});
const key = (alg = 'ES256') => keys[alg] as SigningKey;

const uptime = jest.spyOn(process, 'uptime');
const started = process.uptime();
/** A new issuer for each test, long after the one before: keys are cached, and refreshed every 30 seconds at most. */
let issuer: string;
let used = 0;
beforeEach(() => {
  used += 1;
  issuer = `${server.url}/issuer-${used}`;
  publish(publicPart(key()));
  server.requests.length = 0;
  uptime.mockReturnValue(started + used * 1_000);
});
const publish = (...jwks: JWK[]) => published.set(issuer, jwks);

const CLAIMS = { sub: 'ada' };
const AUDIENCES: OpenIdIssuer = { audiences: ['client'] };

/** The claims, or why the token is refused: the code, with the details where there are any. */
function verified(jwt: string): Promise<unknown> {
  return verifySignature(jwt, issuer, AUDIENCES).then(
    ({ payload }) => payload,
    ({ code, details }) => (Object.keys(details).length > 0 ? { code, ...details } : code),
  );
}
const signedJwt = (payload: string | Uint8Array, by = key(), header: object = {}) =>
  new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: by.alg, kid: by.kid, ...header }).sign(by);
const keysAsked = () => server.requests.filter(({ path }) => path.endsWith('/jwks')).length;

test.each(ALGORITHMS)('a token signed by %s is read', async (alg) => {
  publish(publicPart(key(alg)));
  expect(await verified(await sign(CLAIMS, key(alg)))).toEqual(CLAIMS);
  const read = await verifySignature(await sign(CLAIMS, key(alg)), issuer, AUDIENCES);
  expect(read.protectedHeader).toEqual({ alg, kid: `${alg}-1` });
});

describe('refused', () => {
  const HEADER = { alg: 'ES256', kid: 'ES256-1' };
  const CRITICAL = { alg: 'ES256', crit: ['x'], x: 1 };
  const bySomebody = (header: object) => sign(CLAIMS, strangers, header);
  const replaced = async (part: RegExp, by: string) => (await sign(CLAIMS, key())).replace(part, by);

  test.each<[string, string, () => string | Promise<string>]>([
    ['token_signature_wrong', 'by a key of somebody else', () => bySomebody({})],
    ['token_signature_wrong', 'without key id', () => bySomebody({ kid: undefined })],
    ['token_signature_wrong', 'by a key in it', () => bySomebody({ jwk: publicPart(strangers) })],
    ['token_signature_wrong', 'other claims', () => replaced(/\.[^.]+/, `.${btoa('{"sub": "eve" }')}`)],
    ['token_signature_wrong', 'no signature', () => replaced(/[^.]*$/, '')],
    ['token_key_unknown', 'by an unknown key id', () => bySomebody({ kid: 'x' })],
    ['token_key_unknown', 'by keys at its address', () => bySomebody({ kid: 'x', jku: keysElsewhere() })],
    ['token_key_unknown', 'another algorithm of a key', byAnotherAlgorithm],
    ['token_algorithm_refused', 'alg none', () => compact({ alg: 'none' }, CLAIMS)],
    ['token_algorithm_refused', 'a MAC by the public key', macByPublicKey],
    ['token_malformed', 'words', () => 'header.payload.signature'],
    ['token_malformed', 'nothing', () => ''],
    ['token_malformed', 'JSON', () => '{"payload":"e30","signatures":[]}'],
    ['token_malformed', 'no alg', () => compact({ kid: 'ES256-1' }, CLAIMS, 'AAAA')],
    ['token_malformed', 'a critical header', () => compact(CRITICAL, CLAIMS, 'AA')],
    ['token_malformed', 'a signature that is no base64url', () => compact(HEADER, CLAIMS, '!!!!')],
    ['token_malformed', 'an encrypted token', encrypted],
    ['token_malformed', 'claims that are no UTF-8', () => signedJwt(Buffer.from('{"\xff":1}', 'latin1'))],
    ['token_malformed', 'claims that are not encoded', notEncoded],
  ])('%s: %s', async (code, _, jwt) => {
    expect(await verified(await jwt())).toBe(code);
  });

  test.each(['null', '[]', '"text"', '7', '{', ''])('token_malformed: the claims %s', async (claims) => {
    expect(await verified(await signedJwt(claims))).toBe('token_malformed');
  });

  function keysElsewhere(): string {
    const elsewhere = `${server.url}/elsewhere`;
    published.set(elsewhere, [{ ...publicPart(strangers), kid: 'x' }]);
    return `${elsewhere}/jwks`;
  }
  function byAnotherAlgorithm() {
    publish(publicPart(key('RS256')));
    return sign(CLAIMS, { ...key('RS256'), alg: 'PS256' });
  }
  function macByPublicKey() {
    publish(publicPart(key('RS256')));
    const publicKey = createPublicKey({ key: publicPart(key('RS256')) as never, format: 'jwk' });
    const pem = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }));
    return new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg: 'HS256', kid: 'RS256-1' }).sign(pem);
  }
  function encrypted() {
    const header = { alg: 'dir', enc: 'A256GCM', cty: 'JWT' };
    return new CompactEncrypt(Buffer.from('x.y.z')).setProtectedHeader(header).encrypt(Buffer.alloc(32));
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
    expect(server.requests).toEqual([]);
    expect(await verified(jwtOf(65_536))).toBe('token_key_unknown');
  });

  test('a header that says b64, and not that it is critical, changes nothing', async () => {
    for (const header of [{ b64: true, crit: ['b64'] }, { b64: false }, { crit: ['b64'], b64: true }]) {
      expect(await verified(await signedJwt('{"a":1}', key(), header))).toEqual({ a: 1 });
    }
  });
});

test('a token without key id is refused at once where it says what nobody knows', async () => {
  publish(publicPart(strangers), publicPart(key()));
  const jwt = compact({ alg: 'ES256', crit: ['x'], x: 1 }, CLAIMS, 'AAAA');
  expect(await verified(jwt)).toBe('token_malformed');
});

describe('the keys', () => {
  test('are asked for again by a token of an unknown key, at most once in 30 seconds', async () => {
    expect(await verified(await sign(CLAIMS, key()))).toEqual(CLAIMS);
    expect(keysAsked()).toBe(1);
    publish(publicPart(key()), { ...publicPart(strangers), kid: 'new' });
    expect(await verified(await sign(CLAIMS, strangers, { kid: 'new' }))).toEqual(CLAIMS);
    expect(keysAsked()).toBe(2);
    expect(await verified(await sign(CLAIMS, strangers, { kid: 'made up' }))).toBe('token_key_unknown');
    expect(keysAsked()).toBe(2);
  });

  test('are not asked for again by a wrong signature of a known key', async () => {
    expect(await verified(await sign(CLAIMS, strangers))).toBe('token_signature_wrong');
    expect(keysAsked()).toBe(1);
  });

  test('are of the issuer alone', async () => {
    const other = `${server.url}/other`;
    published.set(other, [publicPart(strangers)]);
    expect(await verifySignature(await sign(CLAIMS, strangers), other, AUDIENCES)).toBeDefined();
    expect(await verified(await sign(CLAIMS, strangers))).toBe('token_signature_wrong');
  });
});

describe('a login', () => {
  const now = Math.floor(Date.now() / 1_000);

  /** Its event, and its check. */
  async function login(claims: Claims, otherClaims: Claims) {
    const payload = {
      iss: issuer,
      sub: 'ada',
      aud: ['client'],
      iat: now,
      exp: now + 60,
      nonce: 'n',
      ...claims,
    };
    const event = { ...loginWith(otherClaims, payload), id_token_jwt: await sign(payload, key()) };
    const openidIssuers = new Map([[issuer, { ...AUDIENCES, jwks_uri: `${issuer}/jwks` }]]);
    const check = () => verifyIdToken(event, { openidIssuers, clockSkewSeconds: 60 });
    return { claims: () => event.id_token.other_claims, check };
  }

  test('has the claims of its token, also those that the event left out', async () => {
    const { claims, check } = await login({ email: 'a@x.example' }, { nonce: 'n' });
    await check();
    expect(claims()).toEqual({ email: 'a@x.example', nonce: 'n' });
    expect(server.requests).toMatchObject([{ path: expect.stringMatching('/jwks$') }]);
  });

  test('is refused where its token is signed, and not for now', async () => {
    const { claims, check } = await login({ exp: now - 61 }, { email: 'x' });
    await expect(check()).rejects.toMatchObject({ code: 'token_expired' });
    expect(claims()).toEqual({ email: 'x' });
  });
});
