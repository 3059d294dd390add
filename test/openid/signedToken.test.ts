/** Tokens and the keys of their issuer: whose signature counts, by which algorithm, and how often keys are asked for. */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CompactSign, FlattenedSign, type JWK } from 'jose';
import * as v from 'valibot';
import type { OpenIdIssuer } from '../../lib/issuers.ts';
import { verifyIdToken } from '../../lib/openid/idTokenCheck.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { verifySignature } from '../../lib/openid/signedToken.ts';
import { eventOf } from '../support/openIdLogin.ts';
import {
  ALGORITHMS,
  compact,
  publicPart,
  type SigningKey,
  sign,
  signingKey,
  signingKeys,
} from '../support/signingKeys.ts';
import { type StaticIssuer, staticIssuers } from '../support/staticIssuers.ts';

const COUNT = 120;
const { issuers, close } = await staticIssuers(COUNT);
afterAll(close);

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
let issuer: StaticIssuer;
let used = 0;
let seconds = 0;
beforeEach(() => {
  issuer = issuers[used++] as StaticIssuer;
  issuer.publish(publicPart(key()));
  later(1_000);
});
function later(by: number) {
  seconds += by;
  uptime.mockReturnValue(started + seconds);
}

const CLAIMS = { sub: 'ada' };
const AUDIENCES: OpenIdIssuer = { audiences: ['client'] };

function verified(jwt: string): Promise<unknown> {
  return verifySignature(jwt, issuer.issuer, AUDIENCES).then(
    ({ payload }) => payload,
    ({ code, details }) => (Object.keys(details).length > 0 ? { code, ...details } : { code }),
  );
}
const refused = (code: string) => ({ code });
const signedJwt = (payload: string | Uint8Array, by = key(), header: object = {}) =>
  new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: by.alg, kid: by.kid, ...header }).sign(by);
const keysAsked = () => issuer.requests.filter((request) => request === 'keySet').length;

test.each(ALGORITHMS)('a token signed by %s is read', async (alg) => {
  issuer.publish(publicPart(key(alg)));
  expect(await verified(await sign(CLAIMS, key(alg)))).toEqual(CLAIMS);
  const read = await verifySignature(await sign(CLAIMS, key(alg)), issuer.issuer, AUDIENCES);
  expect(read.protectedHeader).toEqual({ alg, kid: `${alg}-1` });
});

describe('refused', () => {
  test.each<[string, string, () => string | Promise<string>]>([
    ['token_signature_wrong', 'by a key of somebody else', () => sign(CLAIMS, strangers)],
    ['token_signature_wrong', 'without key id', () => sign(CLAIMS, strangers, { kid: undefined })],
    ['token_key_unknown', 'by an unknown key id', () => sign(CLAIMS, strangers, { kid: 'x' })],
    ['token_algorithm_refused', 'alg none', () => compact({ alg: 'none' }, CLAIMS)],
    [
      'token_algorithm_refused',
      'a MAC',
      () => new CompactSign(Buffer.from('{}')).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32)),
    ],
    ['token_malformed', 'words', () => 'header.payload.signature'],
    ['token_malformed', 'nothing', () => ''],
    ['token_malformed', 'no alg', () => compact({ kid: 'ES256-1' }, CLAIMS, 'AAAA')],
    [
      'token_malformed',
      'a critical header',
      () => compact({ alg: 'ES256', crit: ['x'], x: 1 }, CLAIMS, 'AA'),
    ],
    ...['null', '[]', '"text"', '7', '{', ''].map((payload): [string, string, () => Promise<string>] => [
      'token_malformed',
      `the claims ${payload}`,
      () => signedJwt(payload),
    ]),
    [
      'token_malformed',
      'claims that are no UTF-8',
      () => signedJwt(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    ],
    [
      'token_malformed',
      'claims that are not encoded',
      async () => {
        const payload = JSON.stringify(CLAIMS);
        const header = { alg: 'ES256', kid: 'ES256-1', crit: ['b64'], b64: false };
        const jws = await new FlattenedSign(Buffer.from(payload)).setProtectedHeader(header).sign(key());
        return [jws.protected, payload, jws.signature].join('.');
      },
    ],
  ])('%s: %s', async (code, _, jwt) => {
    expect(await verified(await jwt())).toEqual(refused(code));
  });

  test('a token of more than 65,536 characters, which sends no request', async () => {
    const jwtOf = (length: number) => `${compact({ alg: 'ES256', kid: 'x' }, {})}`.padEnd(length, 'A');
    expect(await verified(jwtOf(65_537))).toEqual({
      code: 'token_malformed',
      problems: ['expected at most 65536 characters'],
    });
    expect(await verified('no token')).toEqual(refused('token_malformed'));
    expect(issuer.requests).toEqual([]);
    expect(await verified(jwtOf(65_536))).toEqual(refused('token_key_unknown'));
  });

  test('a header that says b64, and not that it is critical, changes nothing', async () => {
    for (const header of [{ b64: true, crit: ['b64'] }, { b64: false }, { crit: ['b64'], b64: true }]) {
      expect(await verified(await signedJwt('{"a":1}', key(), header))).toEqual({ a: 1 });
    }
  });
});

describe('a token without key id', () => {
  test('is tried with each key that may fit', async () => {
    const other = await signingKey('ES256', 'other');
    const short: JWK = { kty: 'RSA', n: 'AQAB', e: 'AQAB' };
    issuer.publish(publicPart(strangers), publicPart(other), publicPart(key()), short);
    expect(await verified(await sign(CLAIMS, key(), { kid: undefined }))).toEqual(CLAIMS);
    const unknown = await signingKey('ES256', 'unknown');
    expect(await verified(await sign(CLAIMS, unknown, { kid: undefined }))).toEqual(
      refused('token_signature_wrong'),
    );
  });

  test('is tried with the next key where one cannot be used', async () => {
    const rsa = publicPart(key('RS256'));
    const short = { ...rsa, kid: 'short', n: (rsa.n ?? '').slice(0, 86) };
    issuer.publish(short, { ...rsa, kid: 'good' });
    expect(await verified(await sign(CLAIMS, key('RS256'), { kid: undefined }))).toEqual(CLAIMS);
  });

  test('is refused at once where it says what nobody knows', async () => {
    issuer.publish(publicPart(strangers), publicPart(key()));
    const jwt = compact({ alg: 'ES256', crit: ['x'], x: 1 }, CLAIMS, 'AAAA');
    expect(await verified(jwt)).toEqual(refused('token_malformed'));
  });
});

describe('a key that cannot be used', () => {
  test('is the issuer’s fault, and not the token’s', async () => {
    const rsa = publicPart(key('RS256'));
    issuer.publish({ ...rsa, n: (rsa.n ?? '').slice(0, 86) });
    expect(await verified(await sign(CLAIMS, key('RS256')))).toEqual({
      code: 'keys_unavailable',
      cause: 'key_unusable',
    });
  });
});

describe('the keys', () => {
  test('are asked for again by a token of an unknown key, at most once in 30 seconds', async () => {
    expect(await verified(await sign(CLAIMS, key()))).toEqual(CLAIMS);
    expect(keysAsked()).toBe(1);
    issuer.publish(publicPart(key()), { ...publicPart(strangers), kid: 'new' });
    expect(await verified(await sign(CLAIMS, strangers, { kid: 'new' }))).toEqual(CLAIMS);
    expect(keysAsked()).toBe(2);
    expect(await verified(await sign(CLAIMS, strangers, { kid: 'made up' }))).toEqual(
      refused('token_key_unknown'),
    );
    expect(keysAsked()).toBe(2);
  });

  test('are not asked for again by a wrong signature of a known key', async () => {
    expect(await verified(await sign(CLAIMS, strangers))).toEqual(refused('token_signature_wrong'));
    expect(keysAsked()).toBe(1);
  });

  test('are of the issuer alone', async () => {
    const [other] = issuers.slice(-1) as [StaticIssuer];
    other.publish(publicPart(strangers));
    await expect(
      verifySignature(await sign(CLAIMS, strangers), other.issuer, AUDIENCES),
    ).resolves.toBeDefined();
    expect(await verified(await sign(CLAIMS, strangers))).toEqual(refused('token_signature_wrong'));
  });
});

describe('a login', () => {
  const now = Math.floor(Date.now() / 1_000);

  async function loginWith(claims: object, otherClaims: Record<string, unknown>) {
    const payload = { iss: issuer.issuer, sub: 'ada', aud: 'client', iat: now, exp: now + 60, ...claims };
    const id_token = await sign(payload, key());
    const event = eventOf({ access_token: 'a', token_type: 'Bearer', id_token, expires_in: 60 });
    event.idToken.otherClaims = otherClaims;
    return v.parse(OpenIdUserLoggedInEvent, event);
  }
  const verify = (event: OpenIdUserLoggedInEvent) =>
    verifyIdToken(event, {
      openidIssuers: new Map([[issuer.issuer, { ...AUDIENCES, jwks_uri: `${issuer.issuer}/jwks` }]]),
      clockSkewSeconds: 60,
    });

  test('has the claims of its token, also those that the event left out', async () => {
    const event = await loginWith({ email: 'a@x.example', nonce: 'n' }, { nonce: 'n' });
    await verify(event);
    expect(event.id_token.other_claims).toEqual({ email: 'a@x.example', nonce: 'n' });
    expect(issuer.requests).toEqual(['keySet']);
  });

  test('is refused where its token is signed, and not for now', async () => {
    const event = await loginWith({ exp: now - 61 }, { email: 'x' });
    await expect(verify(event)).rejects.toMatchObject({ code: 'token_expired' });
    expect(event.id_token.other_claims).toEqual({ email: 'x' });
  });
});
