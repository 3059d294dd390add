import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { settings, TELLTALE, withCheckedLogins } from '../support/checkedLogins.ts';
import { customHandler } from '../support/customHandler.ts';
import { eventOf, logInByCode, type OpenIdEvent } from '../support/openIdLogin.ts';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { withProbe } from '../support/probe.ts';
import { httpServer, sendJson } from '../support/servers.ts';
import { type SigningKey, sign, signingKey } from '../support/signingKeys.ts';

const DISCOVERY = '/.well-known/openid-configuration';
const AUTHORIZED = { reason: 'authorized' };
const UNAVAILABLE = {
  type: 'ErrorResponse',
  reason: 'keys_unavailable',
  record: { status: 500 },
  handlerRan: false,
};

let key: SigningKey;
let newKey: SigningKey;
let provider: OpenIdProvider;
let event: OpenIdEvent;
let lenient: { OPENID_HANDLER_MODULE: string };

beforeAll(async () => {
  key = await signingKey('RS256');
  newKey = await signingKey('RS256', 'RS256-2');
  provider = await openIdProvider([key]);
  event = eventOf(await logInByCode(provider));
  lenient = { OPENID_HANDLER_MODULE: await customHandler(TELLTALE) };
});
beforeEach(() => {
  provider.requests.length = 0;
});
afterEach(() => {
  provider.answer(null);
  provider.change([key]);
});
afterAll(() => provider.close());

/** A token of the provider's under a key id that it never published. */
async function ofUnknownKey(by = key, kid = 'made up'): Promise<OpenIdEvent> {
  return { ...event, idTokenJwt: await sign(decodeJwt(event.idTokenJwt), by, { kid }) };
}

const asked = () => ({ discovery: provider.count(DISCOVERY), keys: provider.count('/jwks') });

describe('keys', () => {
  test('are asked for once, and kept for the logins after', async () => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      for (let login = 0; login < 3; login++) expect(await send(event)).toMatchObject(AUTHORIZED);
      expect(asked()).toEqual({ discovery: 1, keys: 1 });
    });
  });
});

describe('a key that is not known', () => {
  test.each([
    ['on a cold process', false],
    ['right after the old ones were fetched', true],
  ])('is accepted once the provider has it: %s', async (_, isWarm) => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      if (isWarm) expect(await send(event)).toMatchObject(AUTHORIZED);
      provider.change([newKey, key]);
      const ofNewKey = eventOf(await logInByCode(provider));
      provider.requests.length = 0;
      expect(await send(ofNewKey)).toMatchObject(AUTHORIZED);
      expect(await send(event)).toMatchObject(AUTHORIZED);
      expect(provider.count('/jwks')).toBe(1);
    });
  });

  test('takes the place of one that is withdrawn', async () => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      expect(await send(event)).toMatchObject(AUTHORIZED);
      provider.change([newKey]);
      expect(await send(eventOf(await logInByCode(provider)))).toMatchObject(AUTHORIZED);
      expect(await send(event)).toMatchObject({ reason: 'token_key_unknown', handlerRan: false });
    });
  });
});

describe('a provider that is down', () => {
  test('hangs: an error in time, and the next login succeeds when it is back', async () => {
    // Shorter than a try, and long enough for the next login.
    const env = { ...lenient, HANDLER_TIMEOUT_MS: '2500' };
    await withCheckedLogins([provider], env, async ({ send }) => {
      provider.answer(() => {});
      expect(await send(event)).toMatchObject({ ...UNAVAILABLE, record: { cause: 'deadline' } });
      provider.answer(null);
      expect(await send(event)).toMatchObject(AUTHORIZED);
    });
  });

  test('refuses connections: the same; and with the keys that are kept, logins go on', async () => {
    await withCheckedLogins([provider], lenient, async ({ send }) => {
      await provider.whileDown(async () => {
        const expected = { ...UNAVAILABLE, record: { cause: 'lookup_connection_failed' } };
        expect(await send(event)).toMatchObject(expected);
      });
      expect(await send(event)).toMatchObject(AUTHORIZED);
      await provider.whileDown(async () => {
        expect(await send(event)).toMatchObject(AUTHORIZED);
        // Nothing is known of such a token, good or bad.
        expect(await send(await ofUnknownKey())).toMatchObject(UNAVAILABLE);
        expect(await send(event)).toMatchObject(AUTHORIZED);
      });
    });
  });

  test('has a certificate that is not trusted', async () => {
    const { OPENID_ISSUERS } = await settings([provider]);
    const env = { ...lenient, OPENID_ISSUERS: OPENID_ISSUERS ?? '' };
    await withCheckedLogins([], env, async ({ send }) => {
      const cause = 'lookup_connection_failed';
      expect(await send(event)).toMatchObject({ ...UNAVAILABLE, record: { cause } });
      expect(provider.requests).toEqual([]);
    });
  });
});

describe('UserInfo', () => {
  const issuers = (url: string) => ({ op: 'userInfo', options: { issuers: [url], allowHttp: true } });

  test('adds claims to the event of a handler, and none to the log', async () => {
    const server = await httpServer(({ url }, response) => {
      if (url === DISCOVERY)
        sendJson(response, { issuer: server.url, userinfo_endpoint: `${server.url}/me` });
      else sendJson(response, { sub: 'subject-1', nickname: 'Countess' });
    });
    await withProbe({}, async ({ ask, output }) => {
      const { result } = await ask(issuers(server.url), server.url);
      expect(result).toMatchObject({ nickname: 'Countess', email: 'ada@example.org' });
      expect(output()).not.toContain('Countess');
    });
    await server.close();
  });

  test('that refuses the access token: the record says why', async () => {
    const refusal = 'Bearer realm="x", error="invalid_token", error_description="Ada"';
    const server = await httpServer(({ url }, response) => {
      if (url === DISCOVERY)
        sendJson(response, { issuer: server.url, userinfo_endpoint: `${server.url}/me` });
      else sendJson(response, {}, 401, { 'www-authenticate': refusal });
    });
    await withProbe({}, async ({ ask, records }) => {
      await ask({ ...issuers(server.url), catches: false }, server.url);
      expect(records().at(-1)).toMatchObject({
        reason: 'lookup_status',
        lookUpStatus: 401,
        problems: ['the access token was refused: invalid_token'],
      });
    });
    await server.close();
  });
});
