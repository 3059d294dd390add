/** The probe handler as the handler and as its own shadow: a shadow changes nothing outside, and its caches are its own. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { customHandler } from '../support/customHandler.ts';
import { withProbe } from '../support/probe.ts';
import { PROBE_SDK } from '../support/probeBundle.ts';
import { type PlayedSecretsManager, playSecretsManager, version } from '../support/secretsManager.ts';
import { httpServer, httpsServer, type LocalServer, sendJson } from '../support/servers.ts';

const SHADOWED = { OPENID_SHADOW_HANDLER_MODULE: 'handlers/probe', SHADOW_TIMEOUT_MS: '5000' };

let servers: Pick<LocalServer | PlayedSecretsManager, 'close'>[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

function closing<TServer extends Pick<LocalServer, 'close'>>(server: TServer): TServer {
  servers.push(server);
  return server;
}

const eventsOf = (records: Record<string, unknown>[]) =>
  records.map(({ event }) => String(event)).filter((event) => event.startsWith('shadow_'));

test.each([
  ['GET', { op: 'lookUp', path: 'well' }, ['GET', 'GET'], 'shadow_same'],
  [
    'POST of JSON',
    { op: 'lookUp', path: 'well', options: { json: { a: 1 } } },
    ['POST'],
    'shadow_difference',
  ],
  [
    'POST of a form',
    { op: 'lookUp', path: 'well', options: { form: { a: '1' } } },
    ['POST'],
    'shadow_difference',
  ],
  ['PUT', { op: 'lookUp', path: 'well', options: { method: 'PUT', json: {} } }, ['PUT'], 'shadow_difference'],
  ['DELETE', { op: 'lookUp', path: 'well', options: { method: 'DELETE' } }, ['DELETE'], 'shadow_difference'],
  [
    'POST that is cached',
    { op: 'lookUp', path: 'well', options: { json: {}, cacheSeconds: 60 } },
    ['POST'],
    'shadow_difference',
  ],
])('of a login with %s, the other system sees the right requests', async (_, claims, methods, event) => {
  const server = closing(await httpServer((_, response) => sendJson(response, { ok: true })));
  await withProbe({ ...SHADOWED, PROBE_URL: server.url }, async ({ ask, records }) => {
    const { result } = await ask(claims);
    expect(result).toEqual({ ok: true });
    expect(server.requests.map(({ method }) => method)).toEqual(methods);
    expect(eventsOf(records())).toEqual([event]);
  });
});

test('a method that is refused has a reason of its own', async () => {
  const server = closing(await httpServer((_, response) => sendJson(response, { ok: true })));
  await withProbe({ ...SHADOWED, PROBE_URL: server.url }, async ({ ask, records }) => {
    await ask({ op: 'lookUp', path: 'well', options: { json: {} }, catches: false });
    expect(records()).toContainEqual(
      expect.objectContaining({ event: 'shadow_failed', shadowReason: 'lookup_method_refused' }),
    );
  });
});

test('a look-up that is cached is cached for each of them', async () => {
  const server = closing(
    await httpServer((_, response) => sendJson(response, { ok: true, n: server.requests.length })),
  );
  await withProbe({ ...SHADOWED, PROBE_URL: server.url }, async ({ ask }) => {
    const claims = { op: 'lookUp', path: 'well', options: { cacheSeconds: 60 } };
    for (let logins = 0; logins < 3; logins++) {
      expect((await ask(claims)).result).toEqual({ ok: true, n: 1 });
    }
    expect(server.requests).toHaveLength(2);
  });
});

test('a secret is fetched for each of them', async () => {
  const manager = closing(await playSecretsManager());
  manager.AWSCURRENT = version('SECRET', 1);
  await withProbe({ ...SHADOWED, ...manager.env }, async ({ ask }) => {
    for (let logins = 0; logins < 3; logins++) {
      expect((await ask({ op: 'secret', id: 'token' })).result).toBe('SECRET');
    }
    expect(manager.requests).toHaveLength(2);
  });
});

test('an access token is requested for each of them, with a secret of its own', async () => {
  const manager = closing(await playSecretsManager());
  manager.AWSCURRENT = version('{"client_id":"a","client_secret":"b"}', 1);
  const server = closing(
    await httpsServer((_, response) => {
      const access_token = `token-${server.requests.length}`;
      sendJson(response, { access_token, token_type: 'Bearer', expires_in: 3_600 });
    }),
  );
  const NODE_EXTRA_CA_CERTS = await customHandler(server.ca, '.pem');
  const env = { ...SHADOWED, ...manager.env, PROBE_URL: server.url, NODE_EXTRA_CA_CERTS };
  await withProbe(env, async ({ ask }) => {
    for (let logins = 0; logins < 3; logins++) {
      expect((await ask({ op: 'accessToken', id: 'client' })).message).toContain('token-1');
    }
    expect(server.requests).toHaveLength(2);
    expect(manager.requests).toHaveLength(2);
  });
});

describe('while the module of a shadow loads', () => {
  /** Answers with the numbers of the responses that it got, or with why it got none: of its load, then of its login. */
  const asking = (atLoad: string, atLogin = '') =>
    customHandler(`
    import { endpoint, lookUp, url, v } from '${PROBE_SDK}';
    const base = endpoint(process.env.PROBE_URL);
    const ask = (options) =>
      lookUp(url\`\${base}/well\`, v.object({ n: v.number() }), { allowHttp: true, ...options })
        .then(({ n }) => n, ({ code }) => code);
    const told = [${atLoad}];
    export default async () => ({ type: 'ErrorResponse', message: JSON.stringify([...told, ${atLogin}]) });`);

  const CACHED = 'await ask({ cacheSeconds: 60 })';

  test.each<[string, string, string, unknown[], string[]]>([
    ['a POST', '', 'await ask({ json: {} })', [], []],
    ['a DELETE', '', `await ask({ method: 'DELETE' })`, [], []],
    ['a GET', '', 'await ask({})', [], ['GET']],
    ['a POST, after one of the handler', 'await ask({ json: {} })', 'await ask({ json: {} })', [1], ['POST']],
    [
      'a POST in a timer',
      '',
      'await new Promise((done) => setTimeout(() => ask({ json: {} }).then(done), 1))',
      [],
      [],
    ],
  ])('its look-ups follow its rules: %s', async (_, real, shadow, result, methods) => {
    const server = closing(
      await httpServer((_, response) => sendJson(response, { n: server.requests.length })),
    );
    const env = {
      OPENID_HANDLER_MODULE: await asking(real),
      OPENID_SHADOW_HANDLER_MODULE: await asking(shadow),
      PROBE_URL: server.url,
    };
    await withProbe(env, async ({ ask }) => {
      expect((await ask({})).result).toEqual(result);
      expect(server.requests.map(({ method }) => method)).toEqual(methods);
    });
  });

  test.each([
    ['what the shadow caches is not the handler’s', '', CACHED, [2]],
    ['what the handler caches is not the shadow’s', CACHED, CACHED, [1, 1]],
  ])('%s', async (_, real, shadow, result) => {
    const server = closing(
      await httpServer((_, response) => sendJson(response, { n: server.requests.length })),
    );
    const env = {
      OPENID_HANDLER_MODULE: await asking(real, CACHED),
      OPENID_SHADOW_HANDLER_MODULE: await asking(shadow, CACHED),
      PROBE_URL: server.url,
    };
    await withProbe(env, async ({ ask }) => {
      for (let logins = 0; logins < 2; logins++) expect((await ask({})).result).toEqual(result);
      expect(server.requests).toHaveLength(2);
    });
  });
});
