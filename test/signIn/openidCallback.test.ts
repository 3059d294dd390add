import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UnknownState } from '../../tools/signIn/refusals.ts';
import { DECLINES } from '../support/openIdProvider.ts';
import { OF_ANOTHER_ADDRESS, OF_ONE_SCOPE, openIdSignIn, refusalOf } from '../support/openIdSignIn.ts';

let at: Awaited<ReturnType<typeof openIdSignIn>>;

beforeAll(async () => {
  at = await openIdSignIn();
});
afterAll(() => at.provider.close());

describe('A callback', () => {
  test('that comes twice is refused', async () => {
    const openid = at.signIns();
    const callback = await at.back((await openid.start(at.asked())).url);
    await openid.finish(callback);
    await expect(openid.finish(callback)).rejects.toBeInstanceOf(UnknownState);
  });

  test.each([
    ['without a state', ''],
    ['with a guessed state', 'state=guessed&code=1'],
    ['with an error and a guessed state', 'state=guessed&error=access_denied&error_description=pay+me'],
  ])('%s is refused, and the sign-in that waits goes on', async (_, query) => {
    const openid = at.signIns();
    const { url } = await openid.start(at.asked());
    const { message, providerMessage } = await refusalOf(openid.finish(new URLSearchParams(query)));
    expect(message).toMatch(/^No sign-in is waiting for this callback/);
    expect(providerMessage).toBeNull();
    expect((await openid.finish(await at.back(url))).idToken.sub).toBe('ada');
  });

  test('with the state twice is refused', async () => {
    const openid = at.signIns();
    const callback = await at.back((await openid.start(at.asked())).url);
    callback.append('state', callback.get('state') ?? '');
    await expect(openid.finish(callback)).rejects.toBeInstanceOf(UnknownState);
  });

  test('with the code of another sign-in is refused', async () => {
    const openid = at.signIns();
    const mine = await at.back((await openid.start(at.asked())).url);
    const providerMessage = await at.back((await openid.start(at.asked())).url, 'grace');
    mine.set('code', providerMessage.get('code') ?? '');
    const refused = await refusalOf(openid.finish(mine));
    expect(refused.providerMessage).toMatch(/^invalid_grant/);
    expect(refused.fix).toMatch(/start the sign-in again/);
  });

  test('of another issuer is refused (RFC 9207)', async () => {
    const openid = at.signIns();
    const callback = await at.back((await openid.start(at.asked())).url);
    callback.set('iss', 'https://other.example.org');
    expect((await refusalOf(openid.finish(callback))).fix).toMatch(
      /^The callback is not a response of this provider/,
    );
  });

  test('without consent says so in both words', async () => {
    const openid = at.signIns();
    const { url } = await openid.start(at.asked());
    const refused = await refusalOf(openid.finish(await at.back(url, DECLINES)));
    expect(refused.providerMessage).toBe('access_denied: the person declined');
    expect(refused.fix).toMatch(/^The person or a rule of the provider refused/);
    expect(refused.message).toBe(`The provider says: ${refused.providerMessage}. ${refused.fix}`);
  });

  test.each([
    ['login_required', /sign in there in this browser first/],
    ['interaction_required', /sign in there in this browser first/],
    ['server_error', /see its log/],
    ['something_new', /^See the log of the provider about something_new\.$/],
    ['constructor', /^See the log of the provider about constructor\.$/],
    ['__proto__', /^See the log of the provider about __proto__\.$/],
  ])('with %s says what to do', async (error, ours) => {
    const openid = at.signIns();
    const state = new URL((await openid.start(at.asked())).url).searchParams.get('state') ?? '';
    const callback = new URLSearchParams({ state, error, iss: at.provider.issuer });
    expect(await refusalOf(openid.finish(callback))).toMatchObject({
      providerMessage: error,
      fix: expect.stringMatching(ours),
    });
  });
});

const ADDRESS_LAST = /exactly this redirect address for it: http:\/\/localhost:3003\/callback\/openid$/;

describe('What the provider refuses before anybody signs in', () => {
  test.each([
    ['a client that it does not know', { clientId: 'unknown' }, /invalid_client/, /^Check the client id/],
    [
      'another redirect address',
      { clientId: OF_ANOTHER_ADDRESS },
      /invalid_redirect_uri .* the client's registered/,
      ADDRESS_LAST,
    ],
    [
      'a scope',
      { clientId: OF_ONE_SCOPE },
      /^invalid_scope: requested scope is not allowed$/,
      /Requested: openid email profile\.$/,
    ],
  ])('%s is said before a browser opens', async (_, changes, providerMessage, ours) => {
    const refused = await refusalOf(at.signIns().start({ ...at.asked(), ...changes }));
    expect(refused.providerMessage).toMatch(providerMessage);
    expect(refused.fix).toMatch(ours);
  });
});

describe('A secret', () => {
  test.each([
    ['that is wrong', 'client_secret_basic', 'wrong'],
    ['that is wrong, sent in the body,', 'client_secret_post', 'wrong'],
    ['that is left out', 'client_secret_basic', null],
  ])('%s is refused in both words', async (_, clientId, secret) => {
    const openid = at.signIns();
    const { url } = await openid.start(at.asked(clientId, secret));
    const refused = await refusalOf(openid.finish(await at.back(url)));
    expect(refused.providerMessage).toMatch(/^invalid_client/);
    expect(refused.fix).toMatch(secret === null ? /If the client has a secret, give it/ : /the secret/);
    expect(JSON.stringify(refused)).not.toContain('wrong');
  });
});
