/** ID tokens of a real provider, and those that it would never issue, through the built bundle. */
import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CompactEncrypt, CompactSign, decodeJwt, generateSecret } from 'jose';
import { type CheckedLogins, checkedLogins, TELLTALE, withCheckedLogins } from '../support/checkedLogins.ts';
import { customHandler } from '../support/customHandler.ts';
import {
  eventOf,
  logInByCode,
  logInImplicitly,
  type OpenIdEvent,
  type Tokens,
} from '../support/openIdLogin.ts';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import {
  ALGORITHMS,
  compact,
  publicPart,
  type SigningKey,
  sign,
  signingKey,
  signingKeys,
} from '../support/signingKeys.ts';
import { overHttp } from '../support/wire.ts';

let keys: Record<string, SigningKey>;
let strangersKey: SigningKey;
/** Told to put profile claims into its ID tokens. */
let provider: OpenIdProvider;
/** Has them for UserInfo alone, as it is; one key of its own under a name of the first one's, one the same. */
let other: OpenIdProvider;
let tokens: Tokens;
/** With a handler that lets everybody in. */
let logins: CheckedLogins;
/** With the default handler. */
let byDefault: CheckedLogins;

beforeAll(async () => {
  keys = await signingKeys();
  strangersKey = await signingKey('ES256');
  provider = await openIdProvider(Object.values(keys), { conformIdTokenClaims: false });
  other = await openIdProvider([key('RS256'), strangersKey]);
  tokens = await logInByCode(provider);
  const OPENID_HANDLER_MODULE = await customHandler(TELLTALE);
  logins = await checkedLogins([provider, other], { OPENID_HANDLER_MODULE });
  byDefault = await checkedLogins([provider, other]);
});
afterAll(async () => {
  await Promise.all([logins.stop(), byDefault.stop(), provider.close(), other.close()]);
});

const key = (alg: string) => keys[alg] as SigningKey;
const now = () => Math.floor(Date.now() / 1_000);
const realClaims = () => decodeJwt(tokens.id_token);
const realEvent = () => eventOf(tokens);

/** Any value at all; one that is undefined is left out. */
type Claims = Record<string, unknown>;

/** A token of the same login with other claims, signed by the provider's own key; and its event. */
async function issued(claims: Claims, header: object = {}, by = key('ES256')): Promise<OpenIdEvent> {
  const id_token = await sign({ ...realClaims(), ...claims }, by, header);
  const { idToken } = realEvent();
  // What the token lacks, the event must have all the same.
  const event = eventOf({ ...tokens, id_token });
  return {
    ...event,
    idToken: {
      ...event.idToken,
      exp: Number.isInteger(claims.exp ?? null) ? event.idToken.exp : idToken.exp,
      iat: Number.isInteger(claims.iat ?? null) ? event.idToken.iat : idToken.iat,
    },
  };
}

/** The real event, with something changed in what it says of its token. */
function changed(change: (idToken: OpenIdEvent['idToken']) => void): OpenIdEvent {
  const event = realEvent();
  change(event.idToken);
  return event;
}

const withToken = (idTokenJwt: string): OpenIdEvent => ({ ...realEvent(), idTokenJwt });

describe('a login at a real provider', () => {
  test.each(ALGORITHMS)('is accepted, its ID token signed by %s', async (alg) => {
    const event = eventOf(await logInByCode(provider, { alg }));
    expect(event.idToken.nonce).not.toBeNull();
    expect(await byDefault.send(event)).toMatchObject({
      reason: 'authorized',
      answer: { first_name: 'Ada', last_name: 'Lovelace of ada', email: 'ada@example.org' },
    });
    expect(await byDefault.send(overHttp(event))).toMatchObject({ reason: 'authorized', status: 200 });
  });

  test.each(ALGORITHMS)('is accepted with its own access token alone, by an at_hash of %s', async (alg) => {
    const [implicit, another] = [await logInImplicitly(provider, { alg }), await logInImplicitly(provider)];
    expect(decodeJwt(implicit.id_token)).toHaveProperty('at_hash');
    expect(await byDefault.send(eventOf(implicit))).toMatchObject({ reason: 'authorized' });
    const mixed = eventOf({ ...implicit, access_token: another.access_token });
    expect(await byDefault.send(mixed)).toMatchObject({ reason: 'token_access_token_differs' });
  });

  test('with the profile at UserInfo alone: passes the check, and is for a handler that asks there', async () => {
    const event = eventOf(await logInByCode(other));
    expect(event.idToken.otherClaims).not.toHaveProperty('email');
    expect(await byDefault.send(event)).toMatchObject({ reason: 'profile_incomplete' });
    const asksUserInfo = {
      OPENID_HANDLER_MODULE: 'handlers/userinfo-profile',
      USERINFO_ISSUER: other.issuer,
    };
    await withCheckedLogins([other], asksUserInfo, async ({ send }) => {
      expect(await send(event)).toMatchObject({ reason: 'authorized', answer: { email: 'ada@example.org' } });
    });
  });

  test('with claims of UserInfo merged into the event: refused, because nobody signed them', async () => {
    const event = eventOf(await logInByCode(other));
    Object.assign(event.idToken.otherClaims, { email: 'ada@example.org', given_name: 'Ada' });
    expect(await byDefault.send(event)).toMatchObject({
      reason: 'token_claims_differ',
      record: { claims: { names: ['email', 'given_name'], others: 0 } },
    });
  });
});

describe('is accepted', () => {
  test.each<[string, () => OpenIdEvent | Promise<OpenIdEvent>]>([
    ['a claim fewer in the event', () => changed(({ otherClaims }) => delete otherClaims.address)],
    ['typ application/jwt', () => issued({}, { typ: 'application/jwt' })],
    ['a claim with the name of a part of every object', () => issued({ constructor: 'x', toString: ['y'] })],
    [
      'claims of the token under their own names too',
      () => changed(({ otherClaims }) => Object.assign(otherClaims, realClaims())),
    ],
  ])('%s', async (_, event) => {
    expect(await logins.send(await event())).toMatchObject({ reason: 'authorized', handlerRan: true });
  });
});

describe('is refused', () => {
  const withIssuer = (event: OpenIdEvent, iss: string) => ({ ...event, idToken: { ...event.idToken, iss } });
  const withHeader = (header: object, signature?: string) =>
    withToken(compact(header, realClaims(), signature));
  const publicPem = () =>
    createPublicKey({ key: publicPart(key('RS256')) as never, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
  const text = (value: string) => Buffer.from(value).toString('base64url');

  const REFUSED: Record<string, Record<string, () => OpenIdEvent | Promise<OpenIdEvent>>> = {
    token_issuer_refused: {
      'an issuer that is not listed': () => changed((idToken) => (idToken.iss = 'https://evil.example')),
      'a token of an unlisted issuer under the name of a listed one': async () =>
        withIssuer(await issued({ iss: 'https://evil.example' }), provider.issuer),
      'a token of one issuer under the name of another that has the same key': async () =>
        withIssuer(await issued({}, {}, key('RS256')), other.issuer),
    },
    token_audience_refused: {
      'a real login at a client of somebody else': async () =>
        eventOf(await logInByCode(provider, { clientId: 'client-of-others' })),
    },
    token_signature_wrong: {
      'another key under the same id': () => issued({}, {}, strangersKey),
      'another key without id': () => issued({}, { kid: undefined }, strangersKey),
      'a key that the token brings along': () => issued({}, { jwk: publicPart(strangersKey) }, strangersKey),
      'a token of one issuer under the name of another that has a key of that name': async () =>
        withIssuer(await issued({}), other.issuer),
      'other claims under the same signature': () => {
        const [header, , signature] = tokens.id_token.split('.');
        const claims = text(JSON.stringify({ ...realClaims(), sub: 'eve' }));
        const event = withToken([header, claims, signature].join('.'));
        event.idToken.sub = 'eve';
        return event;
      },
      'no signature': () => withToken(tokens.id_token.replace(/[^.]*$/, '')),
    },
    token_key_unknown: {
      'another key under its own id': () => issued({}, { kid: 'ours' }, strangersKey),
      'a key that the token says where to fetch': () =>
        issued({}, { kid: 'x', jku: `${other.issuer}/jwks`, x5u: `${other.issuer}/x` }, strangersKey),
      'an algorithm other than the key’s own': () =>
        issued({}, { alg: 'PS256' }, { ...key('RS256'), alg: 'PS256' }),
    },
    token_algorithm_refused: {
      'alg none': () => withHeader({ alg: 'none' }),
      'a MAC by the public key': async () =>
        withToken(
          await new CompactSign(Buffer.from(JSON.stringify(realClaims())))
            .setProtectedHeader({ alg: 'HS256', kid: 'RS256-1' })
            .sign(Buffer.from(publicPem())),
        ),
    },
    token_claims_differ: {
      'an address that is verified by the event alone': async () => {
        const event = eventOf(await logInByCode(provider, { person: 'unverified' }));
        event.idToken.otherClaims.email_verified = true;
        return event;
      },
      'the event of one person with the token of another': async () =>
        withToken((await logInByCode(provider, { person: 'eve' })).id_token),
    },
    token_malformed: {
      'a claim nested too deeply, which the event leaves out': async () => {
        const event = await issued({ deep: JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) });
        delete event.idToken.otherClaims.deep;
        return event;
      },
      'an encrypted token': async () =>
        withToken(
          await new CompactEncrypt(Buffer.from(tokens.id_token))
            .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' })
            .encrypt(await generateSecret('A256GCM')),
        ),
      'a critical extension that nobody knows': () =>
        withHeader({ alg: 'ES256', kid: 'ES256-1', crit: ['exp'], exp: 1 }, 'AAAA'),
      'a large header': () => withToken(`${'x'.repeat(200_000)}.e30.AAAA`),
      'a signature that is no base64url': () => withHeader({ alg: 'ES256', kid: 'ES256-1' }, '!!!!'),
      'a JSON serialization': () => withToken('{"payload":"e30","signatures":[]}'),
    },
  };
  const rows = Object.entries(REFUSED).flatMap(([reason, events]) =>
    Object.entries(events).map(([what, makeEvent]) => [reason, what, makeEvent] as const),
  );

  test.each(rows)('%s: %s', async (reason, _, makeEvent) => {
    const event = await makeEvent();
    const refusal = { type: 'ErrorResponse', reason, handlerRan: false };
    expect(await logins.send(overHttp(event))).toMatchObject({ ...refusal, status: 422 });
    expect(await logins.send(event)).toMatchObject({ ...refusal, status: null });
  });
});

test('clocks may differ by as many seconds as the setting says', async () => {
  await withCheckedLogins([provider], { CLOCK_SKEW_SECONDS: '30' }, async ({ send }) => {
    expect(await send(await issued({ exp: now() - 20 }))).toMatchObject({ reason: 'authorized' });
    expect(await send(await issued({ exp: now() - 30 }))).toMatchObject({ reason: 'token_expired' });
  });
});

test('a claim that the event leaves out is none that the token did not say', async () => {
  const event = eventOf(await logInByCode(provider, { person: 'unverified' }));
  expect(await byDefault.send(event)).toMatchObject({ reason: 'email_unverified' });
  delete event.idToken.otherClaims.email_verified;
  expect(await byDefault.send(event)).toMatchObject({ reason: 'email_unverified' });
});

test('without the check, any token passes and nobody is asked', async () => {
  provider.requests.length = 0;
  await withCheckedLogins([provider], { OPENID_TOKEN_CHECK: 'off' }, async ({ send, output }) => {
    expect(await send(withToken('header.payload.signature'))).toMatchObject({ reason: 'authorized' });
    expect(provider.requests).toEqual([]);
    expect(JSON.parse(output().split('\n')[0] ?? '')).toMatchObject({ openidTokenCheck: 'off' });
  });
  expect(JSON.parse(byDefault.output().split('\n')[0] ?? '')).toMatchObject({
    event: 'cold_start',
    openidTokenCheck: 'on',
    issuers: expect.arrayContaining([provider.issuer]),
  });
});

test('no log holds what a token or a claim says', async () => {
  const MARKER = 'MARKER-1f0c';
  const marked = (name: string) => `${MARKER}-${name}`;
  const claims = {
    sub: marked('sub'),
    nonce: marked('nonce'),
    email: marked('email'),
    at_hash: marked('hash'),
  };
  const settings = { AWS_LAMBDA_LOG_LEVEL: 'TRACE', OPENID_HANDLER_MODULE: await customHandler(TELLTALE) };
  await withCheckedLogins([provider], settings, async ({ send, output }) => {
    const differing = await issued({ ...claims, at_hash: undefined, [`${MARKER}@example.org`]: 1 });
    Object.assign(differing.idToken.otherClaims, { email: marked('other'), [`${MARKER}@example.org`]: 2 });
    const events = [
      await issued(claims),
      await issued({ ...claims, exp: 1 }),
      await issued({ ...claims, azp: marked('azp') }),
      await issued({ ...claims, aud: marked('aud') }),
      await issued({ ...claims, iat: marked('iat') }),
      await issued(claims, { kid: marked('kid') }),
      await issued(claims, { typ: marked('typ') }),
      await issued(claims, {}, strangersKey),
      { ...(await issued(claims)), accessToken: marked('access'), refreshToken: marked('refresh') },
      withToken(marked('jwt')),
      withToken(compact({ alg: marked('alg') }, claims)),
      differing,
    ];
    for (const event of events) {
      expect(await send(event)).toMatchObject({ reason: expect.stringMatching(/^token_/) });
      expect(output()).not.toContain(event.idTokenJwt);
      for (const part of event.idTokenJwt.split('.')) if (part) expect(output()).not.toContain(part);
    }
    expect(output()).not.toContain(MARKER);
    expect((await send(differing)).record.claims).toEqual({ names: ['email'], others: 1 });
  });
});
