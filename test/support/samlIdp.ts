/** Identity providers: samlp, which takes a real request and gives a really signed response; by itself, and over HTTP. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import samlp, { type AuthOptions } from 'samlp';
import { metadataOf } from './samlMetadata.ts';
import { httpServer, selfSigned } from './servers.ts';
import { type SigningMethod, signXml } from './signXml.ts';

export const MAIL = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress';
const GIVEN_NAME = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname';
const SURNAME = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
export const PERSON = { [MAIL]: 'ada@example.org', [GIVEN_NAME]: 'Ada', [SURNAME]: 'Lovelace' };

/** What an assertion says, and how it is signed; left out, what is right. */
export interface Issued extends Partial<AuthOptions> {
  claims?: Record<string, string | string[]>;
  nameIdFormat?: string;
}

/** How the provider responds; left out, as it should. */
export interface Wishes extends Issued {
  /** A refusal in place of an assertion. */
  error?: { code: string; description?: string };
  /** What happens to the response to this request on its way. */
  change?: (xml: string, requestId: string) => string | Promise<string>;
}

export type SamlProvider = Awaited<ReturnType<typeof samlProvider>>;

export async function samlProvider(issuer: string, acs: string) {
  const { key, cert } = await selfSigned('idp.example.org');

  /** The XML of the response to an AuthnRequest. */
  function respond(
    request: URL,
    { claims = PERSON, nameIdFormat = PERSISTENT, ...options }: Issued,
  ): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const answer = samlp.auth({
      ...{ issuer, key, cert, recipient: acs, destination: acs, lifetimeInSeconds: 300 },
      ...{ sessionIndex: '_session-1', signAssertion: true },
      ...options,
      getUserFromRequest: () => ({}),
      profileMapper: () => ({
        getClaims: () => claims,
        getNameIdentifier: () => ({ nameIdentifier: 'ada-1', nameIdentifierFormat: nameIdFormat }),
      }),
      getPostURL: (_audience, _request, _req, done) => done(null, acs),
      responseHandler: (response) => resolve(response.toString()),
    });
    answer({ method: 'GET', query: Object.fromEntries(request.searchParams) }, {}, reject);
    return promise;
  }

  return { cert, respond };
}

/** The form that the provider has the browser post. */
export interface Form {
  action: string;
  SAMLResponse: string;
  RelayState: string;
}

export type SamlIdp = Awaited<ReturnType<typeof samlIdp>>;

/** @param wishes for each sign-in, in its order */
export async function samlIdp(acs: string, wishes: () => Wishes) {
  const server = await httpServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  const entityId = `${server.url}/entity`;
  const provider = await samlProvider(entityId, acs);
  const { cert } = provider;

  async function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = new URL(url, server.url);
    if (asked.pathname === '/metadata') {
      response.end(metadata());
      return;
    }
    const SAMLResponse = Buffer.from(await respond(asked, wishes())).toString('base64');
    const form = { action: acs, SAMLResponse, RelayState: asked.searchParams.get('RelayState') ?? '' };
    const isBrowser = headers.accept?.includes('text/html');
    response.setHeader('content-type', isBrowser ? 'text/html; charset=utf-8' : 'application/json');
    response.end(isBrowser ? pageOf(form) : JSON.stringify(form));
  }

  async function respond(request: URL, { error, change = (xml) => xml, ...issued }: Wishes): Promise<string> {
    const asked = { method: 'GET' as const, query: Object.fromEntries(request.searchParams) };
    const { id } = await promisify(samlp.parseRequest)(asked);
    if (error) return refuse(asked, id, error);
    return change(await provider.respond(request, issued), id);
  }

  async function refuse(
    request: Parameters<typeof samlp.parseRequest>[0],
    id: string,
    error: Wishes['error'] & object,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const getPostURL = (_: unknown, done: (e: null, url: string) => void) => done(null, acs);
    const options = { issuer: entityId, destination: acs, inResponseTo: id, error, getPostURL };
    samlp.sendError(options)(request, { set: () => undefined, send: resolve }, reject);
    const [, value = ''] = /name="SAMLResponse"\s+value="([^"]*)"/.exec(await promise) ?? [];
    // samlp writes an attribute where SAML Core 3.2.2.3 has a text.
    return Buffer.from(value, 'base64')
      .toString()
      .replace(/<samlp:StatusMessage Value="([^"]*)"\/>/, '<samlp:StatusMessage>$1</samlp:StatusMessage>');
  }

  /** @param others certificates that it may sign with beside its own, which is the last */
  function metadata(others: string[] = [], roleAttributes = ''): string {
    const certificates = [...others, cert];
    return metadataOf({ entityId, certificates, ssoUrl: `${server.url}/sso`, roleAttributes });
  }

  return { entityId, address: server.url, cert, metadata, close: server.close };
}

const ASSERTION = "//*[local-name(.)='Assertion']";

/** @returns the response with its assertion signed by this key */
export function signedBy(
  xml: string,
  keys: { private: string; cert: string },
  method?: SigningMethod,
): string {
  const key = { privateKey: keys.private, publicCert: keys.cert };
  return signXml(xml, ASSERTION, `${ASSERTION}/*[1]`, key, method);
}

/** It posts the form by itself (SAML Bindings 3.5.4). Nothing in it needs to be escaped: it is base64 or base64url. */
function pageOf({ action, SAMLResponse, RelayState }: Form): string {
  return `<!doctype html><title>Provider</title>
<h1>Signing you in …</h1>
<form method="post" action="${action}">
  <input type="hidden" name="SAMLResponse" value="${SAMLResponse}">
  <input type="hidden" name="RelayState" value="${RelayState}">
  <button>Continue</button>
</form>
<script>document.forms[0].submit()</script>`;
}

/** What the browser posts after the person signed in. */
export async function signedInAt(url: string): Promise<Form> {
  return (await fetch(url)).json() as Promise<Form>;
}
