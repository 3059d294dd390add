import http from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CustomFetch } from 'openid-client';
import { signInByOpenid } from '../../tools/cli/signInOpenid.ts';
import { UnusableInput } from '../../tools/shared/commandLine.ts';
import { browse, fetchTrusting } from '../support/browser.ts';
import { freePort } from '../support/freePort.ts';
import { DECLINES, type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { refusalOf } from '../support/openIdSignIn.ts';
import { signingKey } from '../support/signingKeys.ts';

const SECRET = 'a-secret-that-is-shown-nowhere';

let provider: OpenIdProvider;
let port: number;

beforeAll(async () => {
  port = await freePort();
  const client = {
    client_id: 'ours',
    client_secret: SECRET,
    redirect_uris: [`http://localhost:${port}/callback/openid`],
    application_type: 'native' as const,
  };
  provider = await openIdProvider([await signingKey('RS256')], {
    clients: [client],
    conformIdTokenClaims: false,
  });
});
afterAll(() => provider.close());

/** The command, until it has printed its address. */
function command(changes: object = {}) {
  const printed: string[] = [];
  const address = Promise.withResolvers<string>();
  const fetch = fetchTrusting(provider.ca) as CustomFetch;
  const login = signInByOpenid({
    ...{ issuer: provider.issuer, clientId: 'ours', clientSecret: SECRET, port, fetch },
    environment: () => ({}),
    print(line) {
      printed.push(line);
      const [url] = /^https:.*\/auth\?.*$/m.exec(line) ?? [];
      if (url !== undefined) address.resolve(url);
    },
    ...changes,
  });
  login.catch(address.reject);
  return { login, address: address.promise, printed };
}

/** What the provider sends the browser back to. */
async function callback(address: string, person: string): Promise<string> {
  const url = new URL(address);
  url.searchParams.set('login_hint', person);
  return (await browse(url, `http://localhost:${port}/`, fetchTrusting(provider.ca))).href;
}

function get(url: string, { host = `localhost:${port}`, method = 'GET' } = {}) {
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>(
    (resolve, reject) => {
      const { pathname, search } = new URL(url);
      const options = { host: '127.0.0.1', port, path: pathname + search, method, headers: { host } };
      const request = http.request(options, async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      request.on('error', reject).end();
    },
  );
}

describe('The command', () => {
  test('prints what to register and the address, and gives the login', async () => {
    const { login, address, printed } = command();
    const url = await callback(await address, 'ada');
    const { status, headers, text } = await get(url);
    const captured = await login;
    expect(captured.events?.plain).toMatchObject({ idToken: { sub: 'ada' } });
    expect(status).toBe(200);
    expect(text).toMatch(/Signed in.*You can close this window/);
    expect(text).not.toMatch(/ada|code|state/);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(printed.join('\n')).toContain(
      `exactly this redirect address for it: http://localhost:${port}/callback/openid`,
    );
    expect(printed.join('\n')).not.toContain(SECRET);
    await expect(get(url)).rejects.toThrow('ECONNREFUSED');
  });

  test('goes on waiting after requests that are not for it', async () => {
    const { login, address } = command();
    const url = await callback(await address, 'ada');
    const code = new URL(url).searchParams.get('code') ?? '';
    const at = (path: string) => `http://localhost:${port}${path}`;
    expect((await get(url, { host: 'evil.example.org' })).status).toBe(421);
    expect((await get(url, { host: `localhost.evil.example.org:${port}` })).status).toBe(421);
    expect((await get(url, { method: 'POST' })).status).toBe(404);
    expect((await get(at('/'))).status).toBe(404);
    expect((await get(at(`/callback/openid?state=guessed&code=${code}`))).status).toBe(400);
    expect((await get(at('/callback/openid?state=guessed&error=access_denied'))).text).toMatch(
      /No sign-in is waiting/,
    );
    expect((await get(url)).status).toBe(200);
    expect((await login).functionName).toBe('openidLoggedIn');
  });

  test('ends with both words where the person declines', async () => {
    const { login, address } = command();
    const refused = refusalOf(login);
    const { status, text } = await get(await callback(await address, DECLINES));
    expect(status).toBe(400);
    expect(text).not.toMatch(/declined|denied/);
    expect((await refused).message).toMatch(
      /^The provider says: access_denied: the person declined\. The person or a rule of the provider refused/,
    );
  });

  test('ends with the words of the provider before anybody signs in', async () => {
    const { login, address } = command({ clientId: 'unknown' });
    address.catch(() => {});
    expect((await refusalOf(login)).theirs).toMatch(/invalid_client/);
  });

  test('ends where nobody signs in', async () => {
    const { login, address } = command({ waitMs: 300 });
    const ended = expect(login).rejects.toThrow(/^nobody signed in within 0 seconds/);
    await address;
    await ended;
  });

  test('says which port is taken', async () => {
    const { login, address } = command();
    await address;
    const other = command();
    other.address.catch(() => {});
    await expect(other.login).rejects.toThrow(UnusableInput);
    await expect(other.login).rejects.toThrow(`port ${port} is taken: choose another with --port`);
    await get(await callback(await address, 'ada'));
    await login;
  });
});
