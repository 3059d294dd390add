/** A real OpenID provider (oidc-provider) over HTTP on loopback, with a page on which a person signs in or declines. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';
import { logIn, settings } from './openIdProvider.ts';
import { clientsAt } from './openIdSignIn.ts';
import { signingKey } from './signingKeys.ts';

export interface OpenIdPages {
  issuer: string;
  /** Every token that it gave out. */
  issued: string[];
  close(): Promise<void>;
}

interface Pages {
  /** Of all clients but those that are there to be refused. */
  redirectUri: string;
  /** Whether it keeps profile claims for UserInfo. */
  isThin?: boolean;
}

export async function openIdPages({ redirectUri, isThin = false }: Pages): Promise<OpenIdPages> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    ...settings([await signingKey('RS256')], new Map()),
    clients: clientsAt(redirectUri),
    conformIdTokenClaims: isThin,
  });
  const issued: string[] = [];
  provider.on('grant.success', ({ body }) => {
    const { id_token, access_token } = body as Record<string, string>;
    issued.push(`${id_token}`, `${access_token}`);
  });
  const callback = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    interact(provider, request, response).catch(() => response.writeHead(500).end());
  });
  return {
    issuer,
    issued,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const PAGE = `<!doctype html><title>Provider</title>
<h1>Sign in</h1>
<form method="post">
  <label>Name <input name="person"></label>
  <button>Sign in</button>
  <button name="person" value="declines" formnovalidate>Decline</button>
</form>`;

async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    return;
  }
  // A button is after the field.
  const person = new URLSearchParams(await text(request)).getAll('person').at(-1);
  await logIn(provider, request, response, person);
}
