/** What a SAML provider says to a request to sign in before the browser leaves. */
import type { ServerResponse } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { generate } from 'selfsigned';
import type { SamlProvider } from '../../tools/signIn/metadata.ts';
import { SignInRefused } from '../../tools/signIn/refusals.ts';
import { SamlSignIns } from '../../tools/signIn/saml.ts';
import { withoutEnd } from '../support/scriptedOpenIdProvider.ts';
import { httpServer, type LocalServer, sendJson } from '../support/servers.ts';

type Answer = (response: ServerResponse) => void;

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

const page =
  (status: number, text: string): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(text);
const keycloak =
  (error: string): Answer =>
  (response) =>
    sendJson(response, { error }, 400);

test.each<[what: string, answer: Answer, providerMessage: string, fix: string]>([
  ['nobody registered us', keycloak('Invalid Request'), 'Invalid Request', `entity ID ${ENTITY_ID}`],
  [
    'nobody registered us, at Entra',
    page(400, '<p>AADSTS700016: Application was not found'),
    'AADSTS700016: Application was not found',
    `entity ID ${ENTITY_ID}`,
  ],
  ['our ACS is another', keycloak('Invalid redirect uri'), 'Invalid redirect uri', ACS],
  ['our key is another', keycloak('Invalid requester'), 'Invalid requester', 'register our metadata again'],
  [
    'the client is off',
    keycloak('Login requester not enabled'),
    'Login requester not enabled',
    `Turn the client ${ENTITY_ID} on`,
  ],
])('where %s, the sign-in is refused with the cure', async (_, given, providerMessage, ours) => {
  answer = given;
  const refused = await signIns.probe(provider).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SignInRefused);
  expect(refused).toMatchObject({ providerMessage, fix: expect.stringContaining(ours) });
});

test.each<[what: string, answer: Answer, warning: string]>([
  ['refuses in other words', page(403, '<p>Robots stay out'), 'with status 403: Robots stay out. If it'],
  ['fails', page(500, ''), 'with status 500: an empty page. If it'],
  [
    'names a person, and would clear the terminal',
    keycloak('\u001b[2JStay out, ada@example.org'),
    'with status 400: [2JStay out, …. If it',
  ],
  ['refuses at length', keycloak('a '.repeat(500_000)), 'a a …. If it'],
])('a provider that %s may do otherwise in a browser', async (_, given, warning) => {
  answer = given;
  expect(await signIns.probe(provider)).toContain(warning);
});

test.each<[what: string, answer: Answer]>([
  ['a page to sign in', page(200, '<form>Invalid Request')],
  ['a redirect', (response) => response.writeHead(302, { location: 'http://localhost:1/' }).end()],
  ['nothing in time', () => {}],
  ['a page without end', withoutEnd],
  ['no response', (response) => response.destroy()],
])('after %s, the browser goes on', async (_, given) => {
  answer = given;
  expect(await signIns.probe(provider)).toBeNull();
});

test('the request that is sent without a person is another one than that of the browser', async () => {
  answer = page(200, '');
  await signIns.probe(provider);
  const url = await signIns.start(provider);
  expect(server.requests).toHaveLength(1);
  const [first, browsers] = [`${server.url}${server.requests[0]?.path}`, url].map((address) => {
    const { searchParams } = new URL(address);
    const deflated = Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64');
    const [, id] = / ID="(\w+)"/.exec(inflateRawSync(deflated).toString()) ?? [];
    return { id, state: searchParams.get('RelayState') };
  });
  expect(first?.id).toMatch(/^_\w{40}$/);
  expect(browsers?.id).toMatch(/^_\w{40}$/);
  expect(first?.id).not.toBe(browsers?.id);
  expect(first?.state).not.toBe(browsers?.state);
});

test('nothing is sent in plain http to another machine', async () => {
  answer = keycloak('Invalid Request');
  // It leads to this machine, and is no address of its loopback.
  const ssoUrl = provider.ssoUrl.replace('localhost', '0.0.0.0');
  expect(await signIns.probe({ ...provider, ssoUrl })).toBeNull();
  expect(server.requests).toEqual([]);
});
