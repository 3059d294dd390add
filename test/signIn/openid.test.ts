import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Captured } from '../../tools/capture/captured.ts';
import { openIdSignIn, REDIRECT, SECRET } from '../support/openIdSignIn.ts';

let at: Awaited<ReturnType<typeof openIdSignIn>>;

beforeAll(async () => {
  at = await openIdSignIn();
});
afterAll(() => at.provider.close());

const codes = ({ findings }: Captured) => findings.map(({ code }) => code);

describe('A sign-in', () => {
  test.each([
    ['none', null],
    ['client_secret_basic', SECRET],
    ['client_secret_post', SECRET],
  ])('of a client that authenticates by %s gives the event and its claims', async (clientId, secret) => {
    const openid = at.signIns();
    const { url, warning } = await openid.start(at.asked(clientId, secret));
    expect(warning).toBeNull();
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(query).toMatchObject({
      ...{ redirect_uri: REDIRECT, scope: 'openid email profile', response_type: 'code' },
      ...{ code_challenge_method: 'S256', client_id: clientId },
    });
    const { captured, idToken, userInfo, sources } = await openid.finish(await at.back(url));
    expect(captured).toMatchObject({
      kind: 'token response',
      functionName: 'openidLoggedIn',
      where: 'signed in',
    });
    expect(captured.events?.plain).toMatchObject({
      tokenType: 'Bearer',
      idToken: {
        iss: at.provider.issuer,
        aud: [clientId],
        sub: 'ada',
        otherClaims: { email: 'ada@example.org', given_name: 'Ada' },
      },
    });
    expect(captured.events?.known).toMatchObject({ tokenType: 'Bearer' });
    expect(idToken).toMatchObject({ sub: 'ada', nonce: query.nonce });
    expect(userInfo).toMatchObject({ sub: 'ada', email: 'ada@example.org' });
    expect(sources).toContainEqual({ name: 'email', idToken: true, userInfo: true, isSame: true });
    expect(sources).toContainEqual({ name: 'aud', idToken: true, userInfo: false, isSame: false });
  });

  test('says which profile claims UserInfo alone has', async () => {
    await at.whileThin(async () => {
      const openid = at.signIns();
      const { url } = await openid.start(at.asked());
      const { captured, sources, idToken } = await openid.finish(await at.back(url));
      expect(idToken).not.toHaveProperty('email');
      expect(sources).toContainEqual({ name: 'email', idToken: false, userInfo: true, isSame: false });
      expect(captured.findings.find(({ code }) => code === 'claims_in_userinfo_only')).toMatchObject({
        level: 'warning',
        message: expect.stringMatching(/email, email_verified, given_name, family_name/),
        change: expect.stringMatching(/Keycloak.*docs\/look-ups\.md/),
      });
    });
  });

  test('has the findings of the token, whose signature is checked', async () => {
    const openid = at.signIns();
    const { url } = await openid.start(at.asked('client_secret_post', SECRET));
    const { captured } = await openid.finish(await at.back(url, 'unverified'));
    expect(codes(captured)).toContain('token_audience_refused');
    expect(codes(captured)).not.toContain('signature_not_checked');
  });

  test('asks for a refresh token where the scopes have offline_access', async () => {
    const openid = at.signIns();
    const { url } = await openid.start({ ...at.asked(), scopes: 'openid  email offline_access' });
    const { captured } = await openid.finish(await at.back(url));
    expect(captured.events?.plain).toMatchObject({ refreshToken: expect.any(String) });
  });

  test.each([
    ['nobody is asked for', {}, null],
    ['somebody else is to sign in', { somebodyElse: true }, 'login'],
    [
      'somebody else is, with a refresh token',
      { somebodyElse: true, scopes: 'openid offline_access' },
      'login consent',
    ],
  ])('has a prompt as wished: %s', async (_, wished, prompt) => {
    const { url } = await at.signIns().start({ ...at.asked(), ...wished });
    expect(new URL(url).searchParams.get('prompt')).toBe(prompt);
  });

  test('is one of three at once, finished in any order', async () => {
    const openid = at.signIns();
    const people = ['ada', 'grace', 'mary'];
    const started = await Promise.all(people.map(() => openid.start(at.asked())));
    const callbacks = await Promise.all(started.map(({ url }, index) => at.back(url, people[index])));
    const [mary, ada, grace] = await Promise.all(
      [callbacks[2], callbacks[0], callbacks[1]].map((one) => openid.finish(one ?? new URLSearchParams())),
    );
    expect([ada, grace, mary].map((one) => one?.idToken.sub)).toEqual(people);
  });
});
