/** What a provider says to a request to sign in before the browser leaves. */
import type { ServerResponse } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import type { SamlProvider } from '../../tools/signIn/metadata.ts';
import { SamlSignIns } from '../../tools/signIn/saml.ts';
import { REDIRECT, refusalOf } from '../support/openIdSignIn.ts';
import {
  never,
  signIns as openIdSignIns,
  scriptedOpenIdProvider,
  withoutEnd,
} from '../support/scriptedOpenIdProvider.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';

type Answer = (response: ServerResponse) => void;

const page =
  (status: number, text: string): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(text);
const json =
  (content: object): Answer =>
  (response) =>
    sendJson(response, content, 400);

describe('of OpenID Connect', () => {
  let provider: Awaited<ReturnType<typeof scriptedOpenIdProvider>>;
  beforeAll(async () => {
    provider = await scriptedOpenIdProvider();
  });
  afterAll(() => provider.close());

  function start(authorize: Answer) {
    provider.play({ authorize });
    return openIdSignIns({ timeoutMs: 1_000 }).start(provider.asked());
  }

  const NAMES_ADDRESS = '<head><title>t</title></head><body><p>Invalid parameter:\n <b>redirect_uri</b></p>';
  const NOT_ALLOWED = { error: 'unauthorized_client', error_description: 'not for this client' };
  test.each<[string, Answer, string, RegExp]>([
    [
      'a page names the redirect address',
      page(400, NAMES_ADDRESS),
      'Invalid parameter: redirect_uri',
      new RegExp(`exactly this redirect address for it: ${REDIRECT}$`),
    ],
    ['a page does not know the client', page(400, '<p>Client not found.'), 'Client not found.', /^Check the/],
    ['there is an error of OAuth', json(NOT_ALLOWED), 'unauthorized_client: not for this client', /^Allow/],
    [
      'there is a sentence of Keycloak',
      json({ error: 'Client not found.' }),
      'Client not found.',
      /^Check the client id/,
    ],
  ])('the sign-in is refused where %s', async (_, authorize, said, fix) => {
    const refused = await refusalOf(start(authorize));
    expect(refused.providerMessage).toBe(said);
    expect(refused.fix).toMatch(fix);
  });

  test('a page that says nothing of the client is shown as a warning', async () => {
    const { warning, url } = await start(page(403, '<p>Are you a human?'));
    expect(warning).toMatch(
      /with status 403: Are you a human\?\. If it does so in your browser too: Check the client/,
    );
    expect(url).toContain(provider.issuer);
  });

  test.each<[string, Answer]>([
    ['that never ends', never],
    ['that is a fault', page(503, '')],
    [
      'that wants a person to sign in',
      (response) => response.writeHead(303, { location: `${REDIRECT}?error=login_required` }).end(),
    ],
  ])('the browser may see another page than one %s', async (_, authorize) => {
    expect((await start(authorize)).warning).toBeNull();
  });
});

describe('of SAML', () => {
  const ENTITY_ID = 'http://localhost:3003/saml/metadata';
  const ACS = 'http://localhost:3003/callback/saml';
  let answer: Answer;
  let server: LocalServer;
  let provider: SamlProvider;
  let signIns: SamlSignIns;
  beforeAll(async () => {
    const { private: privateKey, cert: certificate } = await generate();
    server = await httpServer((_, response) => answer(response));
    provider = {
      entityId: `${server.url}/realms/campus`,
      certificates: [certificate],
      ssoUrl: `${server.url}/sso`,
      wantsSignedRequests: false,
    };
    const key = { privateKey, certificate };
    const identity = { entityId: ENTITY_ID, acsUrl: ACS, signing: key, encryption: key };
    signIns = new SamlSignIns({ identity, environment: () => ({}), timeoutMs: 500 });
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.requests.length = 0;
  });

  function probe(given: Answer, of = provider) {
    answer = given;
    return signIns.probe(of);
  }

  const UNKNOWN_APP = 'AADSTS700016: Application was not found';
  test.each<[what: string, answer: Answer, said: string, fix: string]>([
    ['nobody registered us', json({ error: 'Invalid Request' }), 'Invalid Request', `entity ID ${ENTITY_ID}`],
    ['nobody registered us, at Entra', page(400, `<p>${UNKNOWN_APP}`), UNKNOWN_APP, `entity ID ${ENTITY_ID}`],
    ['our ACS is another', json({ error: 'Invalid redirect uri' }), 'Invalid redirect uri', ACS],
    [
      'our key is another',
      json({ error: 'Invalid requester' }),
      'Invalid requester',
      'register our metadata again',
    ],
    [
      'the client is off',
      json({ error: 'Login requester not enabled' }),
      'Login requester not enabled',
      `Turn the client ${ENTITY_ID} on`,
    ],
  ])('where %s, the sign-in is refused with what to change', async (_, given, said, fix) => {
    const refused = await refusalOf(probe(given));
    expect(refused.providerMessage).toBe(said);
    expect(refused.fix).toContain(fix);
  });

  const HOSTILE = { error: '\u001b[2JStay out, ada@example.org' };
  test.each<[what: string, answer: Answer, warning: string]>([
    ['refuses in other words', page(403, '<p>Robots stay out'), 'with status 403: Robots stay out. If it'],
    ['fails', page(500, ''), 'with status 500: an empty page. If it'],
    ['names a person, and would clear the terminal', json(HOSTILE), 'with status 400: [2JStay out, …. If it'],
    ['refuses at length', json({ error: 'a '.repeat(500_000) }), 'a a …. If it'],
  ])('a provider that %s may do otherwise in a browser', async (_, given, warning) => {
    expect(await probe(given)).toContain(warning);
  });

  test.each<[what: string, answer: Answer]>([
    ['a page to sign in', page(200, '<form>Invalid Request')],
    ['a redirect', (response) => response.writeHead(302, { location: 'http://localhost:1/' }).end()],
    ['nothing in time', () => {}],
    ['a page without end', withoutEnd],
    ['no response', (response) => response.destroy()],
  ])('after %s, the browser goes on', async (_, given) => {
    expect(await probe(given)).toBeNull();
  });

  test('the request that is sent without a person is another one than that of the browser', async () => {
    await probe(page(200, ''));
    const addresses = [`${server.url}${server.requests[0]?.path}`, signIns.start(provider)];
    const [first, browsers] = addresses.map((address) => {
      const { searchParams } = new URL(address);
      const deflated = Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64');
      const [, id] = / ID="(_\w{40})"/.exec(inflateRawSync(deflated).toString()) ?? [];
      return { id, state: searchParams.get('RelayState') };
    });
    expect(server.requests).toHaveLength(1);
    expect([first?.id, browsers?.id]).toEqual([expect.any(String), expect.any(String)]);
    expect(first?.id).not.toBe(browsers?.id);
    expect(first?.state).not.toBe(browsers?.state);
  });

  test('nothing is sent in plain http to another machine', async () => {
    // It leads to this machine, and is no address of its loopback.
    const ssoUrl = provider.ssoUrl.replace('localhost', '0.0.0.0');
    expect(await probe(json({ error: 'Invalid Request' }), { ...provider, ssoUrl })).toBeNull();
    expect(server.requests).toEqual([]);
  });
});
