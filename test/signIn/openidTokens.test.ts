import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { refusalOf } from '../support/openIdSignIn.ts';
import {
  asPage,
  CLIENT,
  never,
  type Script,
  SECRET,
  scriptedOpenIdProvider,
  tokenResponse,
  withoutEnd,
} from '../support/scriptedOpenIdProvider.ts';
import { sendJson } from '../support/servers.ts';
import { compact, publicPart, sign, signingKey } from '../support/signingKeys.ts';

let provider: Awaited<ReturnType<typeof scriptedOpenIdProvider>>;

beforeAll(async () => {
  provider = await scriptedOpenIdProvider();
});
afterAll(() => provider.close());
beforeEach(() => provider.play({}));

test('The event has the type of the token as the provider spells it', async () => {
  const { captured } = await provider.signIn();
  expect(captured.events?.plain).toMatchObject({ tokenType: 'Bearer' });
});

test('A provider on this machine may speak plain HTTP', async () => {
  const { idToken, userInfo, captured } = await provider.signIn();
  expect(idToken.sub).toBe('ada');
  expect(userInfo).toEqual({ sub: 'ada', email: 'ada@example.org' });
  expect(captured.events).not.toBeNull();
});

const error = (status: number, error: string, error_description: string): Script => ({
  token: (response) => sendJson(response, { error, error_description }, status),
});
const ago = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;

describe('A token response', () => {
  test.each<[string, Script, RegExp, RegExp | null]>([
    [
      'says that the code is over',
      error(400, 'invalid_grant', 'Code not valid.'),
      /^The code was used/,
      /Code not valid$/,
    ],
    [
      'repeats what is secret',
      error(401, 'invalid_client', `${SECRET} of ada@example.org for the-code`),
      /the secret may be replaced/,
      /^invalid_client: … of … for …$/,
    ],
    [
      'says of credentials what others say of the client',
      error(401, 'unauthorized_client', 'Invalid client or Invalid client credentials'),
      /the secret may be replaced/,
      /^unauthorized_client: Invalid client/,
    ],
    [
      'has its error beside a challenge',
      {
        token: (response) =>
          sendJson(response, { error: 'invalid_client', error_description: 'no' }, 401, {
            'www-authenticate': 'Basic realm="x"',
          }),
      },
      /the secret may be replaced/,
      /^invalid_client: no$/,
    ],
    [
      'is a fault',
      { token: (response) => response.writeHead(502).end('<p>') },
      /responds with status 502/,
      null,
    ],
    ['is a page', { token: asPage }, /without an OAuth error/, null],
    [
      'has no ID token',
      { token: (response) => sendJson(response, tokenResponse(undefined)) },
      /no ID token/,
      null,
    ],
    ['never ends', { token: never }, /did not respond in time/, null],
    ['has no end', { token: withoutEnd }, /sent more than 1048576 bytes/, null],
    ['has no nonce', { claims: { nonce: undefined } }, /nonce is missing or different/, null],
    ['is for another client', { claims: { aud: 'another' } }, /aud is not as expected/, null],
    ['is old by this clock', { claims: { exp: ago(300) } }, /expired 5 minutes ago: set the clocks/, null],
    [
      'is new by this clock',
      { claims: { nbf: ago(-300) } },
      /becomes valid in [45] minutes: set the clocks/,
      null,
    ],
    ['is signed by nobody known', { jwks: (response) => sendJson(response, { keys: [] }) }, /jwks_uri/, null],
    ['has no subject', { claims: { sub: undefined } }, /cannot be used \(JWT "sub".*report it/, null],
    [
      'is signed with a secret',
      { token: async (response) => sendJson(response, tokenResponse(await withSecret())) },
      /RS256 or ES256/,
      null,
    ],
    [
      'is encrypted',
      { token: (response) => sendJson(response, tokenResponse('eyJhbGciOiJSU0EifQ.a.b.c.d')) },
      /not encrypt them/,
      null,
    ],
    [
      'is nested too deeply',
      { claims: { deep: JSON.parse('['.repeat(500) + ']'.repeat(500)) } },
      /nested too deeply/,
      null,
    ],
  ])('that %s is refused', async (_, script, ours, providerMessage) => {
    const refused = await refusalOf(provider.signIn(script, { timeoutMs: 1_000 }));
    expect(refused.fix).toMatch(ours);
    if (providerMessage) expect(refused.providerMessage).toMatch(providerMessage);
    else expect(refused.providerMessage).toBeNull();
    const all = `${refused.message} ${refused.stack} ${JSON.stringify(refused)}`;
    for (const secret of [SECRET, 'the-code', 'an access token', 'eyJ']) expect(all).not.toContain(secret);
    expect(refused.cause).toBeUndefined();
  });
});

function withSecret(): Promise<string> {
  const claims = { iss: provider.issuer, sub: 'ada', aud: CLIENT };
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32));
}

describe('UserInfo', () => {
  test.each<[string, Script, string, RegExp]>([
    ['is not there', { metadata: { userinfo_endpoint: undefined } }, 'userinfo_missing', /has no UserInfo/],
    [
      'is of somebody else',
      { userinfo: (response) => sendJson(response, { sub: 'eve' }) },
      'userinfo_subject_differs',
      /sub/,
    ],
    [
      'is refused',
      {
        userinfo: (response) =>
          sendJson(response, {}, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }),
      },
      'userinfo_failed',
      /the provider says invalid_token\.$/,
    ],
    ['is a fault', { userinfo: (response) => sendJson(response, {}, 500) }, 'userinfo_failed', /status 500/],
    [
      'is signed with a key that nobody has',
      {
        userinfo: (response) =>
          response
            .setHeader('content-type', 'application/jwt')
            .end(compact({ alg: 'RS256' }, { sub: 'ada' }, 'c2ln')),
      },
      'userinfo_signed',
      /signed or encrypted \(application\/jwt\)/,
    ],
    [
      'is nested too deeply',
      {
        userinfo: (response) =>
          response
            .setHeader('content-type', 'application/json')
            .end(`{"sub":"ada","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      },
      'userinfo_failed',
      /nested too deeply/,
    ],
  ])('that %s leaves the login, with a finding', async (_, script, code, message) => {
    const { userInfo, captured, idToken, sources } = await provider.signIn(script, { timeoutMs: 1_000 });
    expect(userInfo).toBeNull();
    expect(idToken.sub).toBe('ada');
    expect(sources.every((one) => one.idToken && !one.userInfo)).toBe(true);
    expect(captured.findings).toContainEqual(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test('that is signed is read here, and by no look-up', async () => {
    const key = await signingKey('RS256', 'of-userinfo');
    const { userInfo, captured } = await provider.signIn({
      metadata: { userinfo_signing_alg_values_supported: ['RS256'] },
      jwks: (response) => sendJson(response, { keys: [publicPart(key), provider.key] }),
      userinfo: async (response) =>
        response
          .setHeader('content-type', 'application/jwt')
          .end(await sign({ sub: 'ada', email: 'ada@example.org' }, key)),
    });
    expect(userInfo).toMatchObject({ sub: 'ada', email: 'ada@example.org' });
    expect(captured.findings.map(({ code }) => code)).toContain('userinfo_signed');
  });

  test('that has another value says so', async () => {
    const { captured, sources } = await provider.signIn({
      claims: { email_verified: true, email: 'ada@example.com' },
    });
    expect(sources).toContainEqual({ name: 'email', idToken: true, userInfo: true, isSame: false });
    const finding = captured.findings.find(({ code }) => code === 'claims_differ');
    expect(finding?.message).toMatch(/different values for: email\./);
    expect(JSON.stringify(captured.findings)).not.toContain('ada@');
  });
});
