import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CustomFetch } from 'openid-client';
import { fetchTrusting } from '../support/browser.ts';
import { freePort } from '../support/freePort.ts';
import { REDIRECT, refusalOf } from '../support/openIdSignIn.ts';
import {
  asPage,
  never,
  type Script,
  SECRET,
  scriptedOpenIdProvider,
  signIns,
  withoutEnd,
} from '../support/scriptedOpenIdProvider.ts';
import { httpServer, httpsServer, sendJson } from '../support/servers.ts';

let provider: Awaited<ReturnType<typeof scriptedOpenIdProvider>>;

beforeAll(async () => {
  provider = await scriptedOpenIdProvider();
});
afterAll(() => provider.close());
beforeEach(() => provider.play({}));

describe('An issuer', () => {
  test.each([
    ['is no URL', 'sso.example.org', /^Give the issuer as it is in iss of ID tokens/],
    ['is plain HTTP elsewhere', 'http://sso.example.org', /https URL/],
    ['has a query', 'https://sso.example.org/?a=1', /without query/],
    ['has a password', 'https://me:secret@sso.example.org', /^Give the issuer as it is in iss of ID tokens/],
    [
      'is the address of the document',
      'https://sso.example.org/.well-known/openid-configuration',
      /^Give the issuer without \/.well-known\//,
    ],
    [
      'is a name that nobody has',
      'https://sso.invalid',
      /^sso\.invalid cannot be reached \(E\w+\): the name of the host is not found: /,
    ],
  ])('that %s is refused', async (_, issuer, ours) => {
    const refused = await refusalOf(signIns().start(provider.asked({ issuer })));
    expect(refused.fix).toMatch(ours);
    expect(refused.message).not.toContain('secret');
  });

  test('where nobody listens is refused', async () => {
    const issuer = `http://127.0.0.1:${await freePort()}`;
    expect((await refusalOf(signIns().start(provider.asked({ issuer })))).fix).toMatch(
      /cannot be reached \(ECONNREFUSED\)/,
    );
  });

  test.each([['/'], ['/realms/campus']])('with %s at its end is another one', async (end) => {
    const { fix } = await refusalOf(signIns().start(provider.asked({ issuer: provider.issuer + end })));
    expect(fix).toContain(`is of the issuer ${provider.issuer}: give exactly this issuer`);
  });

  test.each([
    ['', /Give the client id/],
    ['   ', /Give the client id/],
  ])('wants a client id, found %j', async (clientId, ours) => {
    expect((await refusalOf(signIns().start(provider.asked({ clientId })))).fix).toMatch(ours);
  });

  test('wants the scope openid', async () => {
    const { fix } = await refusalOf(signIns().start(provider.asked({ scopes: 'email profile' })));
    expect(fix).toMatch(/^Add openid to the scopes/);
  });

  test('whose certificate is not trusted names NODE_EXTRA_CA_CERTS', async () => {
    const server = await httpsServer((_, response) => void response.end());
    try {
      const { fix } = await refusalOf(signIns().start(provider.asked({ issuer: server.url })));
      expect(fix).toMatch(/^localhost:\d+ .* the certificate is not trusted: .*NODE_EXTRA_CA_CERTS .*\.$/);
    } finally {
      await server.close();
    }
  });
});

test('An issuer whose port serves no TLS is told so, and not that its certificate is untrusted', async () => {
  const issuer = provider.issuer.replace('http:', 'https:');
  const { fix } = await refusalOf(signIns().start(provider.asked({ issuer })));
  expect(fix).toMatch(/cannot be reached \(ERR_SSL_\w+\): TLS failed: check that this port serves https/);
  expect(fix).not.toMatch(/NODE_EXTRA_CA_CERTS|trusted/);
});

describe('A discovery document', () => {
  test.each<[string, Script, RegExp]>([
    [
      'is not there',
      { discovery: (response) => sendJson(response, {}, 404) },
      /responds with status 404: check/,
    ],
    [
      'is somewhere else',
      { discovery: (response) => response.writeHead(301, { location: 'https://sso.example.org' }).end() },
      /responds with status 301/,
    ],
    ['is a page', { discovery: asPage }, /is not a discovery document/],
    ['has no issuer', { metadata: { issuer: undefined } }, /is not a discovery document/],
    [
      'is of another issuer',
      { metadata: { issuer: 'https://a.example.org' } },
      /issuer https:\/\/a\.example\.org:/,
    ],
    [
      'has a placeholder for the tenant',
      { metadata: { issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' } },
      /give the issuer of your tenant/,
    ],
    ['has no token endpoint', { metadata: { token_endpoint: undefined } }, /has no token_endpoint/],
    [
      'has a script for a page',
      { metadata: { authorization_endpoint: 'javascript:alert(1)' } },
      /authorization_endp/,
    ],
    [
      'offers neither secret',
      { metadata: { token_endpoint_auth_methods_supported: ['private_key_jwt'] } },
      /accepts no client secret/,
    ],
    ['has no end', { discovery: withoutEnd }, /sent more than 1048576 bytes/],
    ['never ends', { discovery: never }, /did not respond in time/],
  ])('that %s is refused', async (_, script, ours) => {
    provider.play(script);
    const openid = signIns({ timeoutMs: 1_000 });
    expect((await refusalOf(openid.start(provider.asked({ clientSecret: SECRET })))).fix).toMatch(ours);
  });
});

test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
  'A provider elsewhere whose %s is plain http on this machine is refused before anything is sent there',
  async (name) => {
    const local = await httpServer((_, response) => void response.end());
    const server = await httpsServer((_, response) => {
      const { url: issuer } = server;
      const endpoints = { authorization_endpoint: issuer, token_endpoint: issuer, jwks_uri: issuer };
      sendJson(response, { issuer, ...endpoints, [name]: local.url });
    });
    try {
      const openid = signIns({ fetch: fetchTrusting(server.ca) as CustomFetch });
      const refused = await refusalOf(openid.start(provider.asked({ issuer: server.url })));
      expect(refused.fix).toContain(`has no ${name} with an https address`);
      expect(local.requests).toEqual([]);
    } finally {
      await Promise.all([local.close(), server.close()]);
    }
  },
);

describe('A page of the provider that is no page to sign in', () => {
  test.each<[string, number, string, object]>([
    [
      'names the redirect address',
      400,
      '<head><title>t</title></head><body><p>Invalid parameter:\n <b>redirect_uri</b></p>',
      {
        providerMessage: 'Invalid parameter: redirect_uri',
        fix: expect.stringContaining(`exactly this redirect address for it: ${REDIRECT}`),
      },
    ],
    ['does not know the client', 400, '<p>Client not found.', { providerMessage: 'Client not found.' }],
  ])('%s: the sign-in is refused', async (_, status, page, refused) => {
    provider.play({ authorize: (response) => response.writeHead(status).end(page) });
    expect(await refusalOf(signIns().start(provider.asked()))).toMatchObject(refused);
  });

  test('is an error of OAuth: the sign-in is refused', async () => {
    const json = { error: 'unauthorized_client', error_description: 'not for this client' };
    provider.play({ authorize: (response) => sendJson(response, json, 400) });
    expect((await refusalOf(signIns().start(provider.asked()))).providerMessage).toBe(
      'unauthorized_client: not for this client',
    );
  });

  test('is a sentence of Keycloak in the place of a code: the cure is that of invalid_client', async () => {
    provider.play({ authorize: (response) => sendJson(response, { error: 'Client not found.' }, 400) });
    const { providerMessage, fix } = await refusalOf(signIns().start(provider.asked()));
    expect([providerMessage, fix]).toEqual([
      'Client not found.',
      expect.stringMatching(/^Check the client id/),
    ]);
  });

  test('says nothing of the client: it is shown as a warning', async () => {
    provider.play({ authorize: (response) => response.writeHead(403).end('<p>Are you a human?') });
    const { warning, url } = await signIns().start(provider.asked());
    expect(warning).toMatch(
      /with status 403: Are you a human\?\. If it does so in your browser too: Check the client/,
    );
    expect(url).toContain(provider.issuer);
  });

  test.each<[string, Script['authorize']]>([
    ['never ends', never],
    ['is a fault', (response) => response.writeHead(503).end()],
    [
      'wants a person to sign in',
      (response) => response.writeHead(303, { location: `${REDIRECT}?error=login_required` }).end(),
    ],
  ])('%s: the browser may see another one', async (_, authorize = never) => {
    provider.play({ authorize });
    expect((await signIns({ timeoutMs: 1_000 }).start(provider.asked())).warning).toBeNull();
  });
});
