/** Sign-ins at a real OpenID provider: what becomes a login, and which callbacks are taken for its end. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { OpenIdSignIns } from '../../tools/signIn/openid.ts';
import { UnknownState } from '../../tools/signIn/refusals.ts';
import { DECLINES, openIdProvider } from '../support/openIdProvider.ts';
import {
  clientsAt,
  OF_ANOTHER_ADDRESS,
  OF_ONE_SCOPE,
  REDIRECT,
  refusalOf,
  SECRET,
} from '../support/openIdSignIn.ts';
import { Person } from '../support/person.ts';
import { signingKey } from '../support/signingKeys.ts';
import { codes } from './samlSignIn.ts';

const keys = [await signingKey('RS256')];
const full = { clients: clientsAt(REDIRECT), conformIdTokenClaims: false };
const provider = await openIdProvider(keys, full);
afterAll(() => provider.close());

const { issuer } = provider;
const environment = () => ({ OPENID_ISSUERS: JSON.stringify({ [issuer]: { audiences: ['none'] } }) });
const signIns = () => new OpenIdSignIns({ redirectUri: REDIRECT, environment });
const asked = (clientId = 'none', clientSecret: string | null = null) => ({ issuer, clientId, clientSecret });

/** What the provider sends the browser back with. */
async function back(url: string, person = 'ada'): Promise<URLSearchParams> {
  const start = new URL(url);
  start.searchParams.set('login_hint', person);
  return (await new Person().leave(start, REDIRECT)).searchParams;
}

/** A sign-in that waits, and its right callback. */
async function waiting(person?: string, changes: object = {}) {
  const openid = signIns();
  const { url, warning } = await openid.start({ ...asked(), ...changes });
  const callback = await back(url, person);
  return { openid, url: new URL(url), warning, callback, finish: () => openid.finish(callback) };
}

describe('A sign-in', () => {
  test.each([
    ['none', null],
    ['client_secret_basic', SECRET],
    ['client_secret_post', SECRET],
  ])('of a client that authenticates by %s gives the event and its claims', async (clientId, secret) => {
    const { url, warning, finish } = await waiting('ada', asked(clientId, secret));
    expect(warning).toBeNull();
    const query = Object.fromEntries(url.searchParams);
    expect(query).toMatchObject({
      ...{ redirect_uri: REDIRECT, scope: 'openid email profile', response_type: 'code' },
      ...{ code_challenge_method: 'S256', client_id: clientId },
    });
    const { captured, idToken, userInfo, sources } = await finish();
    const otherClaims = { email: 'ada@example.org', given_name: 'Ada' };
    const ofEvent = { iss: issuer, aud: [clientId], sub: 'ada', otherClaims };
    const events = { plain: { tokenType: 'Bearer', idToken: ofEvent }, known: { tokenType: 'Bearer' } };
    expect(captured).toMatchObject({ functionName: 'openidLoggedIn', where: 'signed in', events });
    expect(idToken).toMatchObject({ sub: 'ada', nonce: query.nonce });
    expect(userInfo).toMatchObject({ sub: 'ada', email: 'ada@example.org' });
    expect(sources).toContainEqual({ name: 'email', idToken: true, userInfo: true, isSame: true });
    expect(sources).toContainEqual({ name: 'aud', idToken: true, userInfo: false, isSame: false });
  });

  test('says which profile claims only UserInfo has', async () => {
    provider.change(keys, { ...full, conformIdTokenClaims: true });
    const { captured, sources, idToken } = await (await waiting()).finish();
    provider.change(keys, full);
    expect(idToken).not.toHaveProperty('email');
    expect(sources).toContainEqual({ name: 'email', idToken: false, userInfo: true, isSame: false });
    expect(captured.findings).toContainEqual({
      ...{ code: 'claims_in_userinfo_only', level: 'warning' },
      message: expect.stringMatching(/email, email_verified, given_name, family_name/),
      change: expect.stringMatching(/Keycloak.*docs\/look-ups\.md/),
    });
  });

  test('has the findings of the token, whose signature is checked', async () => {
    const { finish } = await waiting('unverified', asked('client_secret_post', SECRET));
    const { captured } = await finish();
    expect(codes(captured)).toContain('token_audience_refused');
    expect(codes(captured, 'note')).not.toContain('signature_not_checked');
  });

  test('asks for a refresh token where the scopes have offline_access', async () => {
    const { finish } = await waiting('ada', { scopes: 'openid  email offline_access' });
    const { captured } = await finish();
    expect(captured.events?.plain).toMatchObject({ refreshToken: expect.any(String) });
  });

  test.each([
    ['nobody is asked for', {}, null],
    ['somebody else is to sign in', { somebodyElse: true }, 'login'],
    ['and with a refresh token', { somebodyElse: true, scopes: 'openid offline_access' }, 'login consent'],
  ])('has a prompt as wished: %s', async (_, wished, prompt) => {
    const { url } = await signIns().start({ ...asked(), ...wished });
    expect(new URL(url).searchParams.get('prompt')).toBe(prompt);
  });

  test('is one of three at once, finished in any order', async () => {
    const openid = signIns();
    const people = ['ada', 'grace', 'mary'];
    const started = await Promise.all(people.map(() => openid.start(asked())));
    const callbacks = await Promise.all(started.map(({ url }, index) => back(url, people[index])));
    const ended = await Promise.all(callbacks.toReversed().map((one) => openid.finish(one)));
    expect(ended.map(({ idToken }) => idToken.sub)).toEqual(people.toReversed());
  });
});

/** In the words of the provider, and in ours. */
async function refusedBy(promise: Promise<unknown>, said: RegExp, fix: RegExp) {
  const refused = await refusalOf(promise);
  expect(refused.providerMessage).toMatch(said);
  expect(refused.fix).toMatch(fix);
  return refused;
}

describe('A callback', () => {
  test('that comes twice is refused', async () => {
    const { finish } = await waiting();
    await finish();
    await expect(finish()).rejects.toBeInstanceOf(UnknownState);
  });

  test('with the state twice is refused', async () => {
    const { callback, finish } = await waiting();
    callback.append('state', callback.get('state') ?? '');
    await expect(finish()).rejects.toBeInstanceOf(UnknownState);
  });

  test.each([
    ['without a state', ''],
    ['with a guessed state', 'state=guessed&code=1'],
    ['with an error and a guessed state', 'state=guessed&error=access_denied&error_description=pay+me'],
  ])('%s is refused, and the sign-in that waits goes on', async (_, query) => {
    const { openid, finish } = await waiting();
    const message = expect.stringMatching(/^No sign-in is waiting for this callback/);
    const refused = await refusalOf(openid.finish(new URLSearchParams(query)));
    expect(refused).toMatchObject({ message, providerMessage: null });
    expect((await finish()).idToken.sub).toBe('ada');
  });

  test('with the code of another sign-in is refused', async () => {
    const [mine, other] = [await waiting(), await waiting('grace')];
    mine.callback.set('code', other.callback.get('code') ?? '');
    await refusedBy(mine.finish(), /^invalid_grant/, /start the sign-in again/);
  });

  test('of another issuer is refused (RFC 9207)', async () => {
    const { callback, finish } = await waiting();
    callback.set('iss', 'https://other.example.org');
    expect((await refusalOf(finish())).fix).toMatch(/^The callback is not a response of this provider/);
  });

  test('without consent says so in both words', async () => {
    const { finish } = await waiting(DECLINES);
    const said = /^access_denied: the person declined$/;
    const { message, fix } = await refusedBy(finish(), said, /^The person or a rule of the provider refused/);
    expect(message).toBe(`The provider says: access_denied: the person declined. ${fix}`);
  });
});

const ADDRESS_LAST = /exactly this redirect address for it: http:\/\/localhost:3003\/callback\/openid$/;

test.each([
  ['unknown', /invalid_client/, /^Check the client id/],
  [OF_ANOTHER_ADDRESS, /invalid_redirect_uri .* the client's registered/, ADDRESS_LAST],
  [OF_ONE_SCOPE, /^invalid_scope: requested scope is not allowed$/, /Requested: openid email profile\.$/],
])('What is refused of the client %s is said before a browser opens', async (clientId, said, fix) => {
  await refusedBy(signIns().start(asked(clientId)), said, fix);
});

test.each([
  ['that is wrong, sent in the body,', 'client_secret_post', 'wrong', /the secret/],
  ['that is left out', 'client_secret_basic', null, /If the client has a secret, give it/],
])('A secret %s is refused in both words', async (_, clientId, secret, fix) => {
  const { finish } = await waiting('ada', asked(clientId, secret));
  const refused = await refusedBy(finish(), /^invalid_client/, fix);
  expect(JSON.stringify(refused)).not.toContain('wrong');
});
