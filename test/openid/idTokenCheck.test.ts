/** ID tokens of a real provider, and those that it would never issue, through the built bundle. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
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
  type SigningKey,
  sign,
  signingKey,
  signingKeys,
} from '../support/signingKeys.ts';
import { overHttp } from '../support/wire.ts';
import type { Claims } from './logins.ts';

let keys: Record<string, SigningKey>;
let strangersKey: SigningKey;
/** Told to put profile claims into its ID tokens. */
let provider: OpenIdProvider;
/** Has them for UserInfo alone, as it is; one key of its own under a name of the first one's, one the same. */
let other: OpenIdProvider;
let tokens: Tokens;
/** A handler that lets everybody in, and a function that has it. */
let lenient: { OPENID_HANDLER_MODULE: string };
let logins: CheckedLogins;
/** With the default handler. */
let byDefault: CheckedLogins;

beforeAll(async () => {
  keys = await signingKeys();
  strangersKey = await signingKey('ES256');
  provider = await openIdProvider(Object.values(keys), { conformIdTokenClaims: false });
  other = await openIdProvider([key('RS256'), strangersKey]);
  tokens = await logInByCode(provider);
  lenient = { OPENID_HANDLER_MODULE: await customHandler(TELLTALE) };
  logins = await checkedLogins([provider, other], lenient);
  byDefault = await checkedLogins([provider, other]);
});
afterAll(async () => {
  await Promise.all([logins.stop(), byDefault.stop(), provider.close(), other.close()]);
});

const key = (alg: string) => keys[alg] as SigningKey;

/** A token of the same login with other claims, signed by the provider's own key; and its event. */
async function issued(claims: Claims, header: object = {}, by = key('ES256')): Promise<OpenIdEvent> {
  const { idToken } = eventOf(tokens);
  const id_token = await sign({ ...decodeJwt(tokens.id_token), ...claims }, by, header);
  const event = eventOf({ ...tokens, id_token });
  // What the token says otherwise than an event can, the event must have all the same.
  if (!Number.isInteger(event.idToken.iat)) event.idToken.iat = idToken.iat;
  return event;
}

const withToken = (idTokenJwt: string): OpenIdEvent => ({ ...eventOf(tokens), idTokenJwt });

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
    const asks = { OPENID_HANDLER_MODULE: 'handlers/userinfo-profile', USERINFO_ISSUER: other.issuer };
    await withCheckedLogins([other], asks, async ({ send, output }) => {
      expect(await send(event)).toMatchObject({ reason: 'authorized', answer: { email: 'ada@example.org' } });
      expect(output()).not.toContain('Lovelace');
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

const loggedIn = async (how: object) => eventOf(await logInByCode(provider, how));

test.each<[string, string, () => Promise<OpenIdEvent>]>([
  [
    'token_issuer_refused',
    'a token of one issuer under the name of another that has the same key',
    async () => {
      const event = await issued({}, {}, key('RS256'));
      return { ...event, idToken: { ...event.idToken, iss: other.issuer } };
    },
  ],
  ['token_audience_refused', 'a client of somebody else', () => loggedIn({ clientId: 'client-of-others' })],
  ['token_signature_wrong', 'another key under the same id', () => issued({}, {}, strangersKey)],
  ['token_key_unknown', 'another key', () => issued({}, { kid: 'ours' }, strangersKey)],
  ['token_algorithm_refused', 'alg none', async () => withToken(compact({ alg: 'none' }, {}))],
  [
    'token_claims_differ',
    'another’s token',
    async () => withToken((await loggedIn({ person: 'eve' })).idTokenJwt),
  ],
  [
    'token_malformed',
    'a claim nested too deeply, which the event leaves out',
    async () => {
      const event = await issued({ deep: JSON.parse(`${'['.repeat(3_000)}${']'.repeat(3_000)}`) });
      delete event.idToken.otherClaims.deep;
      return event;
    },
  ],
])('is refused as %s: %s', async (reason, _, makeEvent) => {
  const event = await makeEvent();
  const refusal = { type: 'ErrorResponse', reason, handlerRan: false };
  expect(await logins.send(overHttp(event))).toMatchObject({ ...refusal, status: 422 });
  expect(await logins.send(event)).toMatchObject({ ...refusal, status: null });
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

describe('the keys of a provider', () => {
  const AUTHORIZED = { reason: 'authorized', handlerRan: true };
  const down = { type: 'ErrorResponse', reason: 'keys_unavailable', handlerRan: false };
  const UNAVAILABLE = { ...down, record: { status: 500, cause: 'lookup_connection_failed' } };

  test('serve the logins after, until a token has a new one', async () => {
    const event = eventOf(await logInByCode(other));
    other.requests.length = 0;
    await withCheckedLogins([other], lenient, async ({ send }) => {
      for (let login = 0; login < 3; login++) expect(await send(event)).toMatchObject(AUTHORIZED);
      expect(other.requests).toEqual(['/.well-known/openid-configuration', '/jwks']);
      other.change([await signingKey('RS256', 'RS256-2')]);
      expect(await send(eventOf(await logInByCode(other)))).toMatchObject(AUTHORIZED);
      expect(await send(event)).toMatchObject({ reason: 'token_key_unknown', handlerRan: false });
    });
  });

  test('that is down are an error, until it is back; with those that are kept, logins go on', async () => {
    const event = eventOf(await logInByCode(other));
    // Nothing is known of such a token, good or bad.
    const ofUnknownKey = { ...event, idTokenJwt: await sign({}, strangersKey, { kid: 'made up' }) };
    await withCheckedLogins([other], lenient, async ({ send }) => {
      await other.whileDown(async () => expect(await send(event)).toMatchObject(UNAVAILABLE));
      expect(await send(event)).toMatchObject(AUTHORIZED);
      await other.whileDown(async () => {
        expect(await send(event)).toMatchObject(AUTHORIZED);
        expect(await send(ofUnknownKey)).toMatchObject(UNAVAILABLE);
        expect(await send(event)).toMatchObject(AUTHORIZED);
      });
    });
  });
});

test('no log holds what a token or a claim says', async () => {
  const MARKER = 'MARKER-1f0c';
  const marked = (name: string) => `${MARKER}-${name}`;
  const names = ['sub', 'nonce', 'email', 'at_hash'];
  const claims = Object.fromEntries(names.map((name) => [name, marked(name)]));
  await withCheckedLogins(
    [provider],
    { ...lenient, AWS_LAMBDA_LOG_LEVEL: 'TRACE' },
    async ({ send, output }) => {
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
    },
  );
});
