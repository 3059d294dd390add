/** ID tokens of a real provider are accepted by the built function, and those that it would never issue leave no trace. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { startFunction } from '../../tools/local/process/functionProcess.ts';
import { answerOf, login, type RunningFunction, running, withFunction } from '../support/bundle.ts';
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
import type { Claims } from './logins.ts';

let keys: Record<string, SigningKey>;
let strangersKey: SigningKey;
/** Told to put profile claims into its ID tokens. */
let provider: OpenIdProvider;
/** Has them for UserInfo alone, as it is. */
let other: OpenIdProvider;
let tokens: Tokens;
let checked: Record<string, string>;
let fn: RunningFunction;

beforeAll(async () => {
  keys = await signingKeys();
  strangersKey = await signingKey('ES256');
  provider = await openIdProvider(Object.values(keys), { conformIdTokenClaims: false });
  other = await openIdProvider([key('RS256')]);
  tokens = await logInByCode(provider);
  const audiences = ALGORITHMS.map((alg) => `client-${alg}`);
  checked = {
    OPENID_TOKEN_CHECK: 'on',
    OPENID_ISSUERS: JSON.stringify({ [provider.issuer]: { audiences }, [other.issuer]: { audiences } }),
    NODE_EXTRA_CA_CERTS: await customHandler(provider.ca, '.pem'),
  };
  fn = running(startFunction({ name: 'openidLoggedIn', env: checked }));
});
afterAll(async () => {
  await Promise.all([fn.stop(), provider.close(), other.close()]);
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
    const event = eventOf(await logInByCode(provider, alg));
    expect(event.idToken.nonce).not.toBeNull();
    expect(await answerOf(fn, event)).toMatchObject({
      record: { reason: 'authorized' },
      answer: { first_name: 'Ada', last_name: 'Lovelace of ada', email: 'ada@example.org' },
    });
  });

  test.each(ALGORITHMS)('is accepted with its own access token alone, by an at_hash of %s', async (alg) => {
    const [implicit, another] = [await logInImplicitly(provider, alg), await logInImplicitly(provider)];
    expect(decodeJwt(implicit.id_token)).toHaveProperty('at_hash');
    expect(await answerOf(fn, eventOf(implicit))).toMatchObject({ record: { reason: 'authorized' } });
    const mixed = eventOf({ ...implicit, access_token: another.access_token });
    const { record } = await answerOf(fn, mixed);
    expect(record).toMatchObject({ reason: 'token_access_token_differs' });
  });

  test('with the profile at UserInfo alone: passes the check, and is for a handler that asks there', async () => {
    const event = eventOf(await logInByCode(other));
    expect(event.idToken.otherClaims).not.toHaveProperty('email');
    expect(await answerOf(fn, event)).toMatchObject({ record: { reason: 'profile_incomplete' } });
    const asks = { OPENID_HANDLER_MODULE: 'handlers/userinfo-profile', USERINFO_ISSUER: other.issuer };
    const asked = await login('openidLoggedIn', event, { env: { ...checked, ...asks } });
    expect(asked).toMatchObject({ record: { reason: 'authorized' }, answer: { email: 'ada@example.org' } });
    expect(asked.output).not.toContain('Lovelace');
  });
});

test('no log holds what a token or a claim says', async () => {
  const MARKER = 'MARKER-1f0c';
  const marked = (name: string) => `${MARKER}-${name}`;
  const names = ['sub', 'nonce', 'email', 'at_hash'];
  const claims = Object.fromEntries(names.map((name) => [name, marked(name)]));
  const env = { ...checked, AWS_LAMBDA_LOG_LEVEL: 'TRACE' };
  await withFunction('openidLoggedIn', { env }, async (tracing) => {
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
      const { record, output } = await answerOf(tracing, event);
      expect(record).toMatchObject({ reason: expect.stringMatching(/^token_/) });
      for (const part of event.idTokenJwt.split('.')) if (part) expect(output).not.toContain(part);
    }
    const { record, output } = await answerOf(tracing, differing);
    expect(output).not.toContain(MARKER);
    expect(record?.claims).toEqual({ names: ['email'], others: 1 });
  });
});
