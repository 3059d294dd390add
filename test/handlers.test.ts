/** The worked handlers, through the built bundle; those that ask other systems, against servers of their protocols. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { sampleEvent } from '../tools/local/events.ts';
import { handlerSetting } from '../tools/shared/functions.ts';
import { type FunctionName, login, withFunction } from './support/bundle.ts';
import { customHandler } from './support/customHandler.ts';
import { projectSamples } from './support/projectSamples.ts';
import { proxyTo } from './support/proxy.ts';
import { httpsServer, type LocalServer, sendJson } from './support/servers.ts';
import { openIdEvent, samlEvent } from './support/wire.ts';

let server: LocalServer & { ca: string };
const open: Pick<LocalServer, 'close'>[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

const SAMPLES = await projectSamples();
const HANDLERS = new Set(SAMPLES.flatMap(({ expected }) => expected?.handler ?? []));
const FOREIGN_ISSUER = 'https://idp.elsewhere.example';

test('there are worked handlers', () => expect(HANDLERS.size).toBeGreaterThan(10));

describe.each([...HANDLERS])('%s', (handler) => {
  const own = SAMPLES.filter(({ expected }) => expected?.handler === handler);

  test('has a sample event that attacks it, and refuses it', () => {
    const types = own.map(({ expected }) => expected?.answer.type);
    expect(types.some((type) => type !== 'AuthorizedUserResponse')).toBe(true);
  });

  test('lets nobody in from an issuer that it does not list', async () => {
    const kind = own[0]?.functionName as FunctionName;
    const events = SAMPLES.filter(({ functionName }) => functionName === kind)
      .map(({ event }) => fromElsewhere(event))
      .filter((event) => event !== null);
    expect(events.length).toBeGreaterThan(20);
    await withFunction(kind, { env: handlerSetting(kind, handler) }, async (fn) => {
      for (const event of events) expect(await fn.invoke(event)).toMatchObject({ type: 'ForbiddenResponse' });
    });
  });
});

/** The same login by another issuer; null for one in an HTTP envelope. */
function fromElsewhere(event: unknown): unknown {
  const { idToken, assertion } = event as { idToken?: object; assertion?: object };
  if (idToken) return { ...(event as object), idToken: { ...idToken, iss: FOREIGN_ISSUER } };
  return assertion ? { assertion: { ...assertion, assertionIssuer: FOREIGN_ISSUER } } : null;
}

async function serve(handle: Parameters<typeof httpsServer>[0]) {
  server = await httpsServer(handle);
  open.push(server);
  return { NODE_EXTRA_CA_CERTS: await customHandler(server.ca, '.pem') };
}

describe('orcid-email asks ORCID', () => {
  const entry = (email: string, verified = true, primary = false) => ({
    email,
    verified,
    primary,
    visibility: 'public',
  });

  test.each<[string, object, object]>([
    [
      'the primary address',
      { email: [entry('a@example.org'), entry('ada@example.org', true, true)] },
      { type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' },
    ],
    [
      'the first verified one, where the primary one is not',
      { email: [entry('p@example.org', false, true), entry('ada@example.org'), entry('b@example.org')] },
      { email: 'ada@example.org' },
    ],
    [
      'none that is not verified',
      { email: [entry('p@example.org', false, true)] },
      { type: 'ErrorResponse', message: expect.stringContaining('set its visibility to "Everyone"') },
    ],
    [
      'none where none is public',
      { email: [] },
      { type: 'ErrorResponse', message: expect.stringContaining('At orcid.org') },
    ],
    [
      'none out of another answer',
      { emails: [] },
      { type: 'ErrorResponse', message: expect.stringContaining('another system did not respond') },
    ],
  ])('for %s', async (_, record, expected) => {
    const env = await serve((_, response) =>
      sendJson(response, { ...record, path: '/0000-0001-5109-3700/email' }),
    );
    const settings = {
      ...env,
      OPENID_HANDLER_MODULE: 'handlers/orcid-email',
      ORCID_API_URL: `${server.url}/v3.0`,
    };
    const { answer } = await login('openidLoggedIn', await sampleEvent('openidLoggedIn', 'orcid'), {
      env: settings,
    });
    expect(answer).toMatchObject(expected);
    expect(server.requests).toMatchObject([
      { path: '/v3.0/0000-0001-5109-3700/email', headers: { accept: 'application/json' } },
    ]);
  });

  test.each([
    ['https://orcid.org', '0000-0001-5109-3700/../x'],
    ['https://orcid.org', 'subject-1'],
    ['https://orcid.org', ''],
    [FOREIGN_ISSUER, '0000-0001-5109-3700'],
  ])('never of %s about %j', async (iss, sub) => {
    const env = await serve((_, response) => sendJson(response, {}));
    const event = openIdEvent();
    Object.assign(event.idToken, { iss, sub });
    const settings = { ...env, OPENID_HANDLER_MODULE: 'handlers/orcid-email', ORCID_API_URL: server.url };
    expect((await login('openidLoggedIn', event, { env: settings })).answer.type).toBe('ForbiddenResponse');
    expect(server.requests).toEqual([]);
  });
});

test('userinfo-profile finds at UserInfo what the ID token leaves out, for the people of its issuer alone', async () => {
  const env = await serve((request, response) => {
    if (request.url === '/me')
      return sendJson(response, {
        sub: 'subject-1',
        name: 'Ada Lovelace',
        email: 'ada@example.org',
        email_verified: true,
      });
    return sendJson(response, { issuer: server.url, userinfo_endpoint: `${server.url}/me` });
  });
  const event = openIdEvent();
  Object.assign(event.idToken, { iss: server.url, otherClaims: {} });
  const settings = {
    ...env,
    OPENID_HANDLER_MODULE: 'handlers/userinfo-profile',
    USERINFO_ISSUER: server.url,
  };
  await withFunction('openidLoggedIn', { env: settings }, async (fn) => {
    const foreign = structuredClone(event);
    foreign.idToken.iss = FOREIGN_ISSUER;
    expect(await fn.invoke(foreign)).toMatchObject({ type: 'ForbiddenResponse' });
    expect(server.connections()).toBe(0);
    const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
    expect(await fn.invoke(event)).toMatchObject(ada);
    expect(fn.records().at(-1)).toMatchObject({ reason: 'authorized' });
  });
});

describe('entra-groups', () => {
  const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';
  const OTHER_TENANT = '9122040d-6c67-4c5b-b112-36a304b66dad';
  const HOSTS = ['login.microsoftonline.com', 'graph.microsoft.com'];
  let isClientRefused = false;

  const settings = async () => {
    server = await httpsServer(
      (request, response) => {
        if (request.url?.endsWith('/oauth2/v2.0/token')) {
          if (isClientRefused) return sendJson(response, { error: 'invalid_client' }, 401);
          return sendJson(response, { access_token: 'graph-token', expires_in: 3600, token_type: 'Bearer' });
        }
        if (request.headers.authorization !== 'Bearer graph-token') return sendJson(response, {}, 401);
        sendJson(response, { value: ['2f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30', EDITORS] });
      },
      ...HOSTS,
    );
    const proxy = await proxyTo(Object.fromEntries(HOSTS.map((host) => [host, server.url])));
    open.push(server, proxy);
    return {
      ...proxy.env,
      NODE_EXTRA_CA_CERTS: await customHandler(server.ca, '.pem'),
      OPENID_HANDLER_MODULE: 'handlers/entra-groups',
      SECRETS_FILE: await customHandler(
        JSON.stringify({ 'login-hooks/entra-graph': { client_id: 'app', client_secret: 'SECRET' } }),
        '.json',
      ),
    };
  };

  test('asks Graph where there are too many; one token serves many logins', async () => {
    isClientRefused = false;
    await withFunction('openidLoggedIn', { env: await settings() }, async (fn) => {
      for (let login = 0; login < 2; login++) {
        expect(await fn.invoke(await sampleEvent('openidLoggedIn', 'entra-group-overage'))).toMatchObject({
          type: 'AuthorizedUserResponse',
          user_group_uuids: ['8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'],
        });
      }
      const hosts = server.requests.map(({ headers, path }) => [headers.host, path.split('/').at(-1)]);
      const graph = ['graph.microsoft.com', 'getMemberGroups'];
      expect(hosts).toEqual([['login.microsoftonline.com', 'token'], graph, graph]);
      expect(fn.output()).not.toMatch(/SECRET|graph-token/);
    });
  });

  test('asks nobody where the token has the groups', async () => {
    const { answer } = await login('openidLoggedIn', await sampleEvent('openidLoggedIn', 'entra-groups'), {
      env: await settings(),
    });
    expect(answer).toMatchObject({ user_group_uuids: ['8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11'] });
    expect(server.requests).toEqual([]);
  });

  test.each([
    ['another tenant', { iss: `https://login.microsoftonline.com/${OTHER_TENANT}/v2.0` }, {}, 'Forbidden'],
    ['another tenant in the claims', {}, { tid: OTHER_TENANT }, 'Error'],
    ['nobody in particular', {}, { oid: undefined }, 'Error'],
  ])('asks nobody for %s', async (_, token, claims, refusal) => {
    const event = (await sampleEvent('openidLoggedIn', 'entra-group-overage')) as ReturnType<
      typeof openIdEvent
    >;
    Object.assign(event.idToken, token);
    Object.assign(event.idToken.otherClaims, claims);
    const { answer } = await login('openidLoggedIn', event, { env: await settings() });
    expect(answer.type).toBe(`${refusal}Response`);
    expect(server.connections()).toBe(0);
  });

  test('fails closed where Graph cannot be asked', async () => {
    isClientRefused = true;
    const { answer, records } = await login(
      'openidLoggedIn',
      await sampleEvent('openidLoggedIn', 'entra-group-overage'),
      { env: await settings() },
    );
    expect(answer.type).toBe('ErrorResponse');
    expect(records.at(-1)).toMatchObject({ reason: 'lookup_status', lookUpStatus: 401 });
  });
});

describe('directory-lookup', () => {
  test('takes the profile from the directory, keeps it, and asks for a refused token again, not too often', async () => {
    const secrets = await customHandler('{"login-hooks/directory-token":"old"}', '.json');
    let token = 'old';
    const env = await serve((request, response) => {
      if (request.headers.authorization !== `Bearer ${token}`) return sendJson(response, {}, 401);
      if (request.url !== '/api/people/_name-id-1') return sendJson(response, {}, 404);
      return sendJson(response, {
        givenName: 'Ada',
        sn: 'Lovelace',
        mail: 'ada@example.org',
        department: 'Analysis',
      });
    });
    const settings = {
      ...env,
      SAML_HANDLER_MODULE: 'handlers/directory-lookup',
      DIRECTORY_URL: `${server.url}/api`,
      SECRETS_FILE: secrets,
      DIRECTORY_ISSUER: 'https://idp.example.org/saml',
    };
    await withFunction('samlLoggedIn', { env: settings }, async (fn) => {
      const expected = {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.org',
        affiliation: 'Analysis',
      };
      expect(await fn.invoke(samlEvent())).toMatchObject(expected);
      expect(await fn.invoke(samlEvent())).toMatchObject(expected);
      expect(server.requests).toHaveLength(1);
      const foreign = samlEvent();
      foreign.assertion.assertionIssuer = FOREIGN_ISSUER;
      expect(await fn.invoke(foreign)).toMatchObject({ type: 'ForbiddenResponse' });
      const stranger = samlEvent();
      stranger.assertion.assertionSubject.subjectNameID.nameIDValue = 'somebody else';
      expect(await fn.invoke(stranger)).toMatchObject({ type: 'ForbiddenResponse' });
      token = 'new';
      stranger.assertion.assertionSubject.subjectNameID.nameIDValue = 'a third';
      expect(await fn.invoke(stranger)).toMatchObject({ type: 'ErrorResponse' });
      expect(server.requests.slice(2).map(({ headers }) => headers.authorization)).toEqual([
        'Bearer old',
        'Bearer old',
      ]);
    });
  });
});
