/** A real OpenID provider (oidc-provider) on loopback: its keys are the test's, and so are its bad days. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js';
import { selfSigned, started } from './servers.ts';
import { ALGORITHMS, type SigningKey } from './signingKeys.ts';
import { trust } from './trust.ts';

export const REDIRECT_URI = 'https://service.example.net/openid/callback';

/** Who does not consent. */
export const DECLINES = 'declines';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export type OpenIdProvider = Awaited<ReturnType<typeof openIdProvider>>;

/** One for all: of several with the same name, a client takes the first that it trusts. */
let certificate: ReturnType<typeof selfSigned> | undefined;

/**
 * It has a client for each algorithm, `client-RS256` and so on. `login_hint` names the person who signs in.
 *
 * @param hasPages whether it is there for a browser: over plain HTTP, with a page on which a person signs in
 */
export async function openIdProvider(
  keys: SigningKey[],
  configuration: Configuration = {},
  { hasPages = false } = {},
) {
  certificate ??= selfSigned();
  const { key, cert } = await certificate;
  const distrust = trust(cert);
  const requests: string[] = [];
  const issued: string[] = [];
  let provider: Provider;
  let instead: Handle | null = null;
  const respond: Handle = (request, response) => {
    requests.push(new URL(request.url ?? '/', 'https://localhost').pathname);
    if (instead !== null) instead(request, response);
    else if (!request.url?.startsWith('/interaction/')) provider.callback()(request, response);
    else if (hasPages && request.method === 'GET')
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE);
    else logIn(provider, request, response).catch(() => response.writeHead(500).end());
  };
  const server = hasPages ? http.createServer(respond) : https.createServer({ key, cert }, respond);
  let running = await started(server);
  const { port } = running;
  const issuer = `${hasPages ? 'http' : 'https'}://localhost:${port}`;
  const change = (newKeys: SigningKey[], newConfiguration = configuration) => {
    provider = new Provider(issuer, { ...settings(newKeys), ...newConfiguration });
    provider.on('grant.success', ({ body }) => {
      const { id_token, access_token } = body as Record<string, string>;
      issued.push(`${id_token}`, `${access_token}`);
    });
  };
  change(keys);

  return {
    issuer,
    /** Its certificate, which this process trusts until it is closed. */
    ca: cert,
    /** The paths that were asked for, in order. */
    requests,
    /** Every token that it gave out. */
    issued,
    /** Goes on with other keys or another configuration, as the same issuer. */
    change,
    /** Answers every request so, until it is said otherwise; null is the provider again. */
    answer(handle: Handle | null) {
      instead = handle;
    },
    /** Refuses connections for as long as `use` runs. */
    async whileDown(use: () => Promise<void>) {
      await running.close();
      await use();
      running = await started(server, port);
    },
    close() {
      distrust();
      return running.close();
    },
  };
}

const person = (id: string) => ({
  sub: id,
  email: `${id}@example.org`,
  email_verified: id !== 'unverified',
  given_name: 'Ada',
  family_name: `Lovelace of ${id}`,
  address: { country: 'GB', locality: `London of ${id}` },
});

const KEPT = [
  ...['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken'],
  ...['Interaction', 'RefreshToken', 'Session'],
];

function settings(keys: SigningKey[]): Configuration {
  const algorithms = ALGORITHMS.filter((name) => keys.some(({ alg }) => alg === name));
  const client = (client_id: string, alg: (typeof ALGORITHMS)[number]) => ({
    client_id,
    redirect_uris: [REDIRECT_URI],
    response_types: ['code' as const, 'id_token token' as const],
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    token_endpoint_auth_method: 'none' as const,
    id_token_signed_response_alg: alg,
  });
  return {
    jwks: { keys: keys as JWK[] },
    clients: algorithms.map((alg) => client(`client-${alg}`, alg)),
    enabledJWA: { idTokenSigningAlgValues: ALGORITHMS },
    responseTypes: ['code', 'id_token token'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
      address: ['address'],
    },
    findAccount: (_, id) => ({ accountId: id, claims: () => person(id) }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    // Its own page comes with a notice on the console.
    renderError(context, out) {
      context.type = 'html';
      context.body = Object.entries(out)
        .map(([name, text]) => `<pre>${name}: ${text}</pre>`)
        .join('');
    },
    // It keeps what it has through a change of keys.
    adapter: (name) => new MemoryAdapter(name),
    cookies: { keys: ['a key for the cookies of one test'] },
    ttl: Object.fromEntries(KEPT.map((name) => [name, 3_600])),
  };
}

const PAGE = `<!doctype html><title>Provider</title>
<h1>Sign in</h1>
<form method="post">
  <label>Name <input name="person"></label>
  <button>Sign in</button>
</form>`;

/** Ends what a page that asks for a password and for consent begins. */
async function logIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  // Without a page, nothing is sent.
  const named = new URLSearchParams(await text(request)).get('person');
  const accountId = named ?? String(params.login_hint);
  if (accountId === DECLINES) {
    const declined = { error: 'access_denied', error_description: 'the person declined' };
    return provider.interactionFinished(request, response, declined);
  }
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}
