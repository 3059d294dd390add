/** ID tokens of a real provider, and those that it would never issue, through the built bundle. */
import { createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CompactEncrypt, CompactSign, decodeJwt, FlattenedSign, generateSecret } from 'jose';
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

/** A token whose times have a fraction, and an event that rounds them, also where it repeats them. */
async function withFraction(fraction: number): Promise<OpenIdEvent> {
  const { exp = 0, iat = 0 } = realClaims();
  const event = await issued({ exp: exp + fraction, iat: iat - fraction });
  const times = { exp: Math.round(exp + fraction), iat: Math.round(iat - fraction) };
  Object.assign(event.idToken, times);
  Object.assign(event.idToken.otherClaims, times, { aud: event.idToken.aud, nonce: event.idToken.nonce });
  return event;
}

describe('is accepted', () => {
  test.each<[string, () => OpenIdEvent | Promise<OpenIdEvent>]>([
    ['a claim fewer in the event', () => changed(({ otherClaims }) => delete otherClaims.address)],
    ['no other claims in the event', () => changed((idToken) => (idToken.otherClaims = {}))],
    ['no nonce in the event', () => changed((idToken) => (idToken.nonce = null))],
    ['no nonce in either', () => issued({ nonce: undefined })],
    ['aud as a list of one', () => issued({ aud: ['client-RS256'] })],
    ['azp of a listed client', () => issued({ azp: 'client-PS256' })],
    [
      'several audiences, all listed, and azp',
      () => issued({ aud: ['client-RS256', 'client-PS256'], azp: 'client-RS256' }),
    ],
    [
      'audiences in another order',
      async () => {
        const event = await issued({ aud: ['client-RS256', 'client-PS256'], azp: 'client-RS256' });
        event.idToken.aud.reverse();
        return event;
      },
    ],
    ['fractions of a second, which the event does not have', () => withFraction(0.4)],
    ['fractions that the event rounds up', () => withFraction(0.6)],
    ['typ JWT', () => issued({}, { typ: 'JWT' })],
    ['typ application/jwt', () => issued({}, { typ: 'application/jwt' })],
    ['a time before which it is not valid that is past', () => issued({ nbf: now() - 5 })],
    ['a token of nearly 64 KB', () => issued({ long: 'x'.repeat(46_000) })],
    ['an old token that has not expired', () => issued({ iat: now() - 30 * 86_400 })],
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
  type Refused = [code: string, what: string, event: () => OpenIdEvent | Promise<OpenIdEvent>];

  const HS256 = (secret: string | Uint8Array, kid: string | undefined) =>
    new CompactSign(Buffer.from(JSON.stringify(realClaims())))
      .setProtectedHeader({ alg: 'HS256', ...(kid && { kid }) })
      .sign(Buffer.from(secret));
  const publicRsa = () => publicPart(key('RS256'));
  const publicPem = (type: 'spki' | 'pkcs1') =>
    createPublicKey({ key: publicRsa() as never, format: 'jwk' })
      .export({ type, format: 'pem' })
      .toString();

  const issuers: Refused[] = [
    [
      'token_issuer_refused',
      'an issuer that is not listed',
      () => changed((idToken) => (idToken.iss = 'https://evil.example')),
    ],
    [
      'token_issuer_refused',
      'a listed issuer with a slash more',
      () => changed((idToken) => (idToken.iss += '/')),
    ],
    [
      'token_issuer_refused',
      'the name of something that every object has',
      () => changed((idToken) => (idToken.iss = '__proto__')),
    ],
    [
      'token_issuer_refused',
      'a token of one issuer under the name of another that has the same key',
      async () => withIssuer(await issued({}, {}, key('RS256')), other.issuer),
    ],
    [
      'token_signature_wrong',
      'a token of one issuer under the name of another that has a key of that name',
      async () => withIssuer(await issued({}, {}, key('ES256')), other.issuer),
    ],
    [
      'token_key_unknown',
      'a token of one issuer under the name of another that has no such key',
      async () => withIssuer(await issued({}, {}, key('PS256')), other.issuer),
    ],
    ['token_issuer_refused', 'a token of an unlisted issuer', () => withIss('https://evil.example')],
    ['token_issuer_refused', 'a token of a list of issuers', () => withIss([provider.issuer])],
    ['token_malformed', 'a token of no issuer', () => withIss(undefined)],
  ];

  const withIssuer = (event: OpenIdEvent, iss: string) => ({ ...event, idToken: { ...event.idToken, iss } });
  const withIss = async (iss: unknown) => withIssuer(await issued({ iss }), provider.issuer);

  const audiences: Refused[] = [
    [
      'token_audience_refused',
      'a real login at a client of somebody else',
      async () => eventOf(await logInByCode(provider, { clientId: 'client-of-others' })),
    ],
    [
      'token_audience_refused',
      'an unlisted audience under a listed name in the event',
      async () => withAud(await issued({ aud: 'client-of-others' }), ['client-RS256']),
    ],
    [
      'token_audience_refused',
      'an unlisted audience among listed ones',
      () => issued({ aud: ['client-RS256', 'client-of-others'], azp: 'client-RS256' }),
    ],
    ['token_audience_refused', 'no audience', () => issued({ aud: [] })],
    [
      'token_audience_refused',
      'an audience that is no text',
      async () => withAud(await issued({ aud: ['client-RS256', 7], azp: 'client-RS256' }), ['client-RS256']),
    ],
    [
      'token_audience_refused',
      'an audience that starts like a listed one',
      () => issued({ aud: 'client-RS256-and-more' }),
    ],
    ['token_audience_refused', 'an audience in capitals', () => issued({ aud: 'CLIENT-RS256' })],
    [
      'token_malformed',
      'a token without audience',
      async () => withAud(await issued({ aud: undefined }), ['client-RS256']),
    ],
    [
      'token_azp_refused',
      'several audiences without azp',
      () => issued({ aud: ['client-RS256', 'client-PS256'] }),
    ],
    ['token_azp_refused', 'an unlisted azp', () => issued({ azp: 'client-of-others' })],
    ['token_azp_refused', 'an azp of null', () => issued({ azp: null })],
    ['token_azp_refused', 'a list as azp', () => issued({ azp: ['client-RS256'] })],
  ];

  const withAud = (event: OpenIdEvent, aud: string[]) => ({ ...event, idToken: { ...event.idToken, aud } });

  const signatures: Refused[] = [
    ['token_signature_wrong', 'another key under the same id', () => issued({}, {}, strangersKey)],
    ['token_key_unknown', 'another key under its own id', () => issued({}, { kid: 'ours' }, strangersKey)],
    ['token_signature_wrong', 'another key without id', () => issued({}, { kid: undefined }, strangersKey)],
    [
      'token_signature_wrong',
      'a key that the token brings along',
      () => issued({}, { jwk: publicPart(strangersKey) }, strangersKey),
    ],
    [
      'token_key_unknown',
      'a key that the token says where to fetch',
      () => issued({}, { kid: 'x', jku: `${other.issuer}/jwks`, x5u: `${other.issuer}/x` }, strangersKey),
    ],
    [
      'token_key_unknown',
      'a key’s id that is no text',
      () => withToken(`${compact({ alg: 'ES256', kid: { a: 1 } }, realClaims())}AAAA`),
    ],
    [
      'token_signature_wrong',
      'other claims under the same signature',
      () => {
        const [header, , signature] = tokens.id_token.split('.');
        const claims = Buffer.from(JSON.stringify({ ...realClaims(), sub: 'eve' })).toString('base64url');
        const event = withToken([header, claims, signature].join('.'));
        event.idToken.sub = 'eve';
        return event;
      },
    ],
    ['token_signature_wrong', 'no signature', () => withToken(tokens.id_token.replace(/[^.]*$/, ''))],
    [
      'token_signature_wrong',
      'an ES256 signature of zeros',
      () =>
        withToken(
          compact({ alg: 'ES256', kid: 'ES256-1' }, realClaims(), Buffer.alloc(64).toString('base64url')),
        ),
    ],
    [
      'token_key_unknown',
      'an algorithm other than the key’s own',
      () => issued({}, { alg: 'PS256' }, { ...key('RS256'), alg: 'PS256' }),
    ],
    ['token_algorithm_refused', 'alg none', () => withToken(compact({ alg: 'none' }, realClaims()))],
    ['token_algorithm_refused', 'alg NONE', () => withToken(compact({ alg: 'nOnE' }, realClaims()))],
    [
      'token_algorithm_refused',
      'alg none with a key’s id and a signature',
      () => withToken(compact({ alg: 'none', kid: 'RS256-1' }, realClaims(), tokens.id_token.split('.')[2])),
    ],
    ['token_malformed', 'no alg', () => withToken(compact({ kid: 'RS256-1' }, realClaims(), 'AAAA'))],
    ...(['spki', 'pkcs1'] as const).map(
      (type): Refused => [
        'token_algorithm_refused',
        `HS256 by the public key as ${type}`,
        async () => withToken(await HS256(publicPem(type), 'RS256-1')),
      ],
    ),
    [
      'token_algorithm_refused',
      'HS256 by the public key as JWK',
      async () => withToken(await HS256(JSON.stringify(publicRsa()), 'RS256-1')),
    ],
    [
      'token_algorithm_refused',
      'HS256 by the public key’s modulus, without id',
      async () => withToken(await HS256(Buffer.from(publicRsa().n ?? '', 'base64url'), undefined)),
    ],
  ];

  const times: Refused[] = [
    ['token_expired', 'an expired token', () => issued({ exp: now() - 61 })],
    ['token_expired', 'a token that expired in 1970', () => issued({ exp: 0 })],
    ['token_expired', 'a token that expired before', () => issued({ exp: -1 })],
    ['token_not_yet_valid', 'nbf ahead', () => issued({ nbf: now() + 120 })],
    ['token_not_yet_valid', 'iat ahead', () => issued({ iat: now() + 120 })],
    ['token_malformed', 'no exp', () => issued({ exp: undefined })],
    ['token_malformed', 'no iat', () => issued({ iat: undefined })],
    ['token_malformed', 'exp as text', () => issued({ exp: String(now() + 60) })],
    ['token_malformed', 'exp of null', () => issued({ exp: null })],
    ['token_malformed', 'iat as text', () => issued({ iat: String(now()) })],
    ['token_malformed', 'nbf as text', () => issued({ nbf: '0' })],
    ['token_malformed', 'no sub', () => issued({ sub: undefined })],
  ];

  const kinds: Refused[] = [
    [
      'token_malformed',
      'a claim nested too deeply, which the event leaves out',
      async () => {
        const event = await issued({ deep: JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) });
        delete event.idToken.otherClaims.deep;
        return event;
      },
    ],
    ['token_malformed', 'a token of more than 64 KB', () => issued({ long: 'x'.repeat(49_000) })],
    ['token_type_refused', 'a logout token', () => issued({ events: {} })],
    ['token_type_refused', 'a type that is no text', () => issued({}, { typ: { toString: 1 } as never })],
    ['token_type_refused', 'an access token', () => issued({}, { typ: 'at+jwt' })],
    [
      'token_type_refused',
      'an access token by its whole type',
      () => issued({}, { typ: 'application/at+jwt' }),
    ],
    ['token_type_refused', 'a logout token', () => issued({}, { typ: 'logout+jwt' })],
    ['token_type_refused', 'a type of null', () => issued({}, { typ: null })],
    ['token_type_refused', 'an empty type', () => issued({}, { typ: '' })],
  ];

  const differing: Refused[] = [
    ['token_claims_differ', 'another sub', () => changed((idToken) => (idToken.sub = 'eve'))],
    ['token_claims_differ', 'an empty sub', () => changed((idToken) => (idToken.sub = ''))],
    ['token_claims_differ', 'a later exp', () => changed((idToken) => idToken.exp++)],
    ['token_claims_differ', 'an earlier iat', () => changed((idToken) => idToken.iat--)],
    [
      'token_claims_differ',
      'another exp among the other claims',
      () => changed(({ exp, otherClaims }) => (otherClaims.exp = exp + 1)),
    ],
    [
      'token_claims_differ',
      'another nonce among the other claims',
      () => changed(({ otherClaims }) => (otherClaims.nonce = 'x')),
    ],
    ['token_claims_differ', 'another aud', () => changed((idToken) => (idToken.aud = ['client-PS256']))],
    ['token_claims_differ', 'one aud more', () => changed(({ aud }) => aud.push('client-PS256'))],
    ['token_claims_differ', 'no aud', () => changed((idToken) => (idToken.aud = []))],
    ['token_claims_differ', 'another nonce', () => changed((idToken) => (idToken.nonce += 'x'))],
    ['token_claims_differ', 'an empty nonce', () => changed((idToken) => (idToken.nonce = ''))],
    ...[undefined, null, ['nonce-1']].map(
      (nonce): Refused => [
        'token_claims_differ',
        `a nonce in the event, and in the token ${JSON.stringify(nonce) ?? 'none'}`,
        async () => {
          const event = await issued({ nonce });
          event.idToken.nonce = 'nonce-1';
          return event;
        },
      ],
    ),
    [
      'token_claims_differ',
      'another e-mail address',
      () => changed(({ otherClaims }) => (otherClaims.email = 'eve@example.org')),
    ],
    [
      'token_claims_differ',
      'an address that is verified by the event alone',
      async () => {
        const event = eventOf(await logInByCode(provider, { person: 'unverified' }));
        event.idToken.otherClaims.email_verified = true;
        return event;
      },
    ],
    [
      'token_claims_differ',
      'a change below a claim',
      () => changed(({ otherClaims }) => Object.assign(otherClaims.address as object, { country: 'US' })),
    ],
    [
      'token_claims_differ',
      'an entry fewer below a claim',
      () => changed(({ otherClaims }) => delete (otherClaims.address as { country?: string }).country),
    ],
    [
      'token_claims_differ',
      'a list in the place of a text',
      () => changed(({ otherClaims }) => (otherClaims.email = [otherClaims.email])),
    ],
    [
      'token_claims_differ',
      'a claim of null that the token lacks',
      () => changed(({ otherClaims }) => (otherClaims.groups = null)),
    ],
    [
      'token_claims_differ',
      'a claim that every object has',
      () => changed(({ otherClaims }) => Object.assign(otherClaims, { constructor: 'admin' })),
    ],
    [
      'token_claims_differ',
      'another sub among the other claims',
      () => changed(({ otherClaims }) => (otherClaims.sub = 'eve')),
    ],
    [
      'token_claims_differ',
      'the event of one person with the token of another',
      async () => withToken((await logInByCode(provider, { person: 'eve' })).id_token),
    ],
    [
      'token_claims_differ',
      'the event of one login with the token of another of the same person',
      async () => withToken((await logInByCode(provider)).id_token),
    ],
    [
      'token_access_token_differs',
      'the access token of another login',
      async () => {
        const [one, another] = [await logInImplicitly(provider), await logInImplicitly(provider)];
        return eventOf({ ...one, access_token: another.access_token });
      },
    ],
    ['token_access_token_differs', 'an empty at_hash', () => issued({ at_hash: '' })],
    ['token_access_token_differs', 'an at_hash that is no text', () => issued({ at_hash: ['x'] })],
  ];

  const encrypted = async () => {
    const secret = await generateSecret('A256GCM');
    return new CompactEncrypt(Buffer.from(tokens.id_token))
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' })
      .encrypt(secret);
  };
  const text = (value: string) => Buffer.from(value).toString('base64url');

  const garbage: Refused[] = [
    ['', ''],
    ['a dot', '.'],
    ['two dots', '..'],
    ['four dots', '....'],
    ['words', 'header.payload.signature'],
    ['a large text', 'x'.repeat(200_000)],
    ['a large header', `${'x'.repeat(200_000)}.${text('{}')}.AAAA`],
    ['a header of null', `${text('null')}.${text('{}')}.AAAA`],
    ['a header that is a list', `${text('[]')}.${text('{}')}.AAAA`],
    ['a header that is nested deeply', `${text('['.repeat(100_000))}.${text('{}')}.AAAA`],
    ['a header that is no UTF-8', `${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.e30.AAAA`],
    ['characters of no alphabet', '\u{1F600}.\u0000.\ud800'],
    ['a signature that is no base64url', `${compact({ alg: 'ES256', kid: 'ES256-1' }, {})}!!!!`],
    ['a JSON serialization', '{"payload":"e30","signatures":[]}'],
  ].map(([what = '', jwt = '']): Refused => ['token_malformed', `garbage: ${what}`, () => withToken(jwt)]);

  const extensions: Refused[] = [
    ['token_malformed', 'an encrypted token', async () => withToken(await encrypted())],
    [
      'token_malformed',
      'a critical extension that nobody knows',
      () => issuedRaw({ alg: 'ES256', kid: 'ES256-1', crit: ['exp'], exp: 1 }),
    ],
    [
      'token_malformed',
      'an empty list of critical extensions',
      () => issuedRaw({ alg: 'ES256', kid: 'ES256-1', crit: [] }),
    ],
    [
      'token_malformed',
      'a payload that is not encoded',
      async () => {
        const header = { alg: 'ES256', kid: 'ES256-1', crit: ['b64'], b64: false };
        const payload = JSON.stringify(realClaims()).replaceAll('.', '\\u002e');
        const jws = new FlattenedSign(Buffer.from(payload)).setProtectedHeader(header);
        const { protected: encoded, signature } = await jws.sign(key('ES256'));
        return withToken([encoded, payload, signature].join('.'));
      },
    ],
    ...['null', '[]', '"text"', '{', '7'].map(
      (payload): Refused => [
        'token_malformed',
        `claims that are no object: ${payload}`,
        async () => {
          const jws = new CompactSign(Buffer.from(payload)).setProtectedHeader({
            alg: 'ES256',
            kid: 'ES256-1',
          });
          return withToken(await jws.sign(key('ES256')));
        },
      ],
    ),
  ];

  /** A header that jose does not sign. */
  const issuedRaw = (header: object) => withToken(compact(header, realClaims(), 'AAAA'));

  test.each([
    ...[...issuers, ...audiences, ...signatures, ...times],
    ...[...kinds, ...differing, ...garbage, ...extensions],
  ])('%s: %s', async (reason, _, makeEvent) => {
    const event = await makeEvent();
    const refusal = { type: 'ErrorResponse', reason, handlerRan: false };
    expect(await logins.send(overHttp(event))).toMatchObject({ ...refusal, status: 422 });
    expect(await logins.send(event)).toMatchObject({ ...refusal, status: null });
  });
});

describe.each([30, 0])('clocks may differ by %i seconds', (skew) => {
  let skewed: CheckedLogins;
  beforeAll(async () => {
    skewed = await checkedLogins([provider], { CLOCK_SKEW_SECONDS: String(skew) });
  });
  afterAll(() => skewed.stop());

  test.each<[what: string, claims: () => Claims, reason: string]>([
    ['that expired in between', () => ({ exp: now() - skew + 10 }), 'authorized'],
    ['that expired before', () => ({ exp: now() - skew }), 'token_expired'],
    ['issued in between', () => ({ iat: now() + skew - 10 }), 'authorized'],
    ['issued later', () => ({ iat: now() + skew + 10 }), 'token_not_yet_valid'],
    ['valid from in between', () => ({ nbf: now() + skew - 10 }), 'authorized'],
    ['valid from later', () => ({ nbf: now() + skew + 10 }), 'token_not_yet_valid'],
  ])('a token %s', async (_, claims, reason) => {
    expect(await skewed.send(await issued(claims()))).toMatchObject({ reason });
  });
});

test('a claim that the event leaves out is none that the token did not say', async () => {
  const event = eventOf(await logInByCode(provider, { person: 'unverified' }));
  expect(await byDefault.send(event)).toMatchObject({ reason: 'email_unverified' });
  delete event.idToken.otherClaims.email_verified;
  expect(await byDefault.send(event)).toMatchObject({ reason: 'email_unverified' });
});

test('of many claims that the token lacks, a hundred are counted and the names of some shown', async () => {
  const event = realEvent();
  for (let index = 0; index < 5_000; index++) event.idToken.otherClaims[`claim-${index}`] = 1;
  const { reason, record } = await logins.send(event);
  expect(reason).toBe('token_claims_differ');
  expect(record.claims).toMatchObject({ names: expect.arrayContaining(['claim-1']), others: 40 });
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
