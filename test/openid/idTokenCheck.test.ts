/** ID tokens of a real provider are accepted by the built function, and those that it would never issue leave no trace. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type CheckedLogins, checkedLogins, withCheckedLogins } from '../support/checkedLogins.ts';
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
/** Has them for UserInfo alone, as it is. */
let other: OpenIdProvider;
let tokens: Tokens;
let logins: CheckedLogins;

beforeAll(async () => {
  keys = await signingKeys();
  strangersKey = await signingKey('ES256');
  provider = await openIdProvider(Object.values(keys), { conformIdTokenClaims: false });
  other = await openIdProvider([key('RS256')]);
  tokens = await logInByCode(provider);
  logins = await checkedLogins([provider, other]);
});
afterAll(async () => {
  await Promise.all([logins.stop(), provider.close(), other.close()]);
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
    expect(await logins.send(event)).toMatchObject({
      reason: 'authorized',
      answer: { first_name: 'Ada', last_name: 'Lovelace of ada', email: 'ada@example.org' },
    });
    expect(await logins.send(overHttp(event))).toMatchObject({ reason: 'authorized', status: 200 });
  });

  test.each(ALGORITHMS)('is accepted with its own access token alone, by an at_hash of %s', async (alg) => {
    const [implicit, another] = [await logInImplicitly(provider, { alg }), await logInImplicitly(provider)];
    expect(decodeJwt(implicit.id_token)).toHaveProperty('at_hash');
    expect(await logins.send(eventOf(implicit))).toMatchObject({ reason: 'authorized' });
    const mixed = eventOf({ ...implicit, access_token: another.access_token });
    expect(await logins.send(mixed)).toMatchObject({ reason: 'token_access_token_differs' });
  });

  test('with the profile at UserInfo alone: passes the check, and is for a handler that asks there', async () => {
    const event = eventOf(await logInByCode(other));
    expect(event.idToken.otherClaims).not.toHaveProperty('email');
    expect(await logins.send(event)).toMatchObject({ reason: 'profile_incomplete' });
    const asks = { OPENID_HANDLER_MODULE: 'handlers/userinfo-profile', USERINFO_ISSUER: other.issuer };
    await withCheckedLogins([other], asks, async ({ send, output }) => {
      expect(await send(event)).toMatchObject({ reason: 'authorized', answer: { email: 'ada@example.org' } });
      expect(output()).not.toContain('Lovelace');
    });
  });
});

test('no log holds what a token or a claim says', async () => {
  const MARKER = 'MARKER-1f0c';
  const marked = (name: string) => `${MARKER}-${name}`;
  const names = ['sub', 'nonce', 'email', 'at_hash'];
  const claims = Object.fromEntries(names.map((name) => [name, marked(name)]));
  await withCheckedLogins([provider], { AWS_LAMBDA_LOG_LEVEL: 'TRACE' }, async ({ send, output }) => {
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
