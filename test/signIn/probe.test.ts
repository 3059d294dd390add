/** What a provider says to a request to sign in before the browser leaves. */
import type { ServerResponse } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import { SamlSignIns } from '../../tools/signIn/saml.ts';
import { REDIRECT, refusalOf } from '../support/openIdSignIn.ts';
import {
  never,
  signIns as openIdSignIns,
  scriptedOpenIdProvider,
} from '../support/scriptedOpenIdProvider.ts';
import { httpServer, sendJson } from '../support/servers.ts';

type Answer = (response: ServerResponse) => void;

const page = (status: number, text: string) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'text/html' }).end(text);
const json = (content: object) => (response: ServerResponse) => sendJson(response, content, 400);

async function refusedBy(promise: Promise<unknown>, providerMessage: string, fix: RegExp): Promise<void> {
  expect(await refusalOf(promise)).toMatchObject({ providerMessage, fix: expect.stringMatching(fix) });
}

const scripted = await scriptedOpenIdProvider();
let answer: Answer;
const server = await httpServer((_, response) => answer(response));
const key = await generate();
afterAll(() => Promise.all([scripted.close(), server.close()]));

describe('of OpenID Connect', () => {
  function start(authorize: Answer) {
    scripted.play({ authorize });
    return openIdSignIns({ timeoutMs: 1_000 }).start(scripted.asked());
  }

  const NAMES_ADDRESS = '<head><title>t</title></head><body><p>Invalid parameter:\n <b>redirect_uri</b></p>';
  const WRONG_ADDRESS = 'Invalid parameter: redirect_uri';
  const REGISTER = new RegExp(`exactly this redirect address for it: ${REDIRECT}$`);
  const NOT_FOUND = 'Client not found.';
  const NOT_ALLOWED = { error: 'unauthorized_client', error_description: 'not for this client' };
  test.each<[string, Answer, string, RegExp]>([
    ['a page names the redirect address', page(400, NAMES_ADDRESS), WRONG_ADDRESS, REGISTER],
    ['a page does not know the client', page(400, `<p>${NOT_FOUND}`), NOT_FOUND, /^Check the/],
    ['there is an error of OAuth', json(NOT_ALLOWED), 'unauthorized_client: not for this client', /^Allow/],
    ['there is a sentence of Keycloak', json({ error: NOT_FOUND }), NOT_FOUND, /^Check the client id/],
  ])('the sign-in is refused where %s', async (_, authorize, said, fix) => {
    await refusedBy(start(authorize), said, fix);
  });

  test('a page that says nothing of the client is shown as a warning', async () => {
    const { warning, url } = await start(page(400, '<p>Are you a human?'));
    const asked = 'with status 400: Are you a human?. If it does so in your browser too: Check the client';
    expect(warning).toContain(asked);
    expect(url).toContain(scripted.issuer);
  });

  const location = `${REDIRECT}?error=login_required`;
  test.each<[string, Answer]>([
    ['that never ends', never],
    ['that is a fault', page(503, '')],
    ['that wants a person to sign in', (response) => response.writeHead(303, { location }).end()],
  ])('the browser may see another page than one %s', async (_, authorize) => {
    expect((await start(authorize)).warning).toBeNull();
  });
});

describe('of SAML', () => {
  const ENTITY_ID = 'http://localhost:3003/saml/metadata';
  const ACS = 'http://localhost:3003/callback/saml';
  const addresses = { entityId: `${server.url}/realms/campus`, ssoUrl: `${server.url}/sso` };
  const provider = { ...addresses, certificates: [key.cert], wantsSignedRequests: false };
  const own = { privateKey: key.private, certificate: key.cert };
  const identity = { entityId: ENTITY_ID, acsUrl: ACS, signing: own, encryption: own };
  const signIns = new SamlSignIns({ identity, environment: () => ({}), timeoutMs: 500 });
  beforeEach(() => {
    server.requests.length = 0;
  });

  function probe(given: Answer, of = provider) {
    answer = given;
    return signIns.probe(of);
  }

  const UNKNOWN_APP = 'AADSTS700016: Application was not found';
  test.each<[said: string, fix: string, answer?: Answer]>([
    [UNKNOWN_APP, `entity ID ${ENTITY_ID}`, page(400, `<p>${UNKNOWN_APP}`)],
    // What Keycloak says.
    ['Invalid Request', `entity ID ${ENTITY_ID}`],
    ['Invalid redirect uri', ACS],
    ['Invalid requester', 'register our metadata again'],
    ['Login requester not enabled', `Turn the client ${ENTITY_ID} on`],
  ])('the sign-in is refused with what to change: %s', async (error, fix, given = json({ error })) => {
    await refusedBy(probe(given), error, new RegExp(fix));
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
    expect([first?.id === browsers?.id, first?.state === browsers?.state]).toEqual([false, false]);
  });

  test('nothing is sent in plain http to another machine', async () => {
    // It leads to this machine, and is no address of its loopback.
    const ssoUrl = provider.ssoUrl.replace('localhost', '0.0.0.0');
    expect(await probe(json({ error: 'Invalid Request' }), { ...provider, ssoUrl })).toBeNull();
    expect(server.requests).toEqual([]);
  });
});
