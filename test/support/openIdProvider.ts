/** A real OpenID provider (oidc-provider) over HTTPS on loopback: its keys are the test's, and so are its bad days. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import Provider, {
  type Adapter,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  type JWK,
} from 'oidc-provider';
import { selfSigned } from './servers.ts';
import { ALGORITHMS, type SigningKey } from './signingKeys.ts';

export const REDIRECT_URI = 'https://service.example.net/openid/callback';

/** Who does not consent. */
export const DECLINES = 'declines';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

export interface OpenIdProvider {
  issuer: string;
  /** The certificate to trust. */
  ca: string;
  /** The paths that were asked for, in order. */
  requests: string[];
  /** How often this path was asked for, since `requests` was emptied. */
  count(path: '/jwks' | '/.well-known/openid-configuration'): number;
  /** Goes on with other keys or another configuration, as the same issuer. */
  change(keys: SigningKey[], configuration?: Configuration): void;
  /** Answers every request so, until it is said otherwise; null is the provider again. */
  answer(handle: Handle | null): void;
  /** Refuses connections for as long as `use` runs. */
  whileDown(use: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** One for all: of several with the same name, a client takes the first that it trusts. */
let certificate: ReturnType<typeof selfSigned> | undefined;

/**
 * One client for each algorithm, `client-RS256` and so on, and `client-of-others`; whoever logs in is whom
 * `login_hint` names.
 */
export async function openIdProvider(
  keys: SigningKey[],
  configuration: Configuration = {},
): Promise<OpenIdProvider> {
  certificate ??= selfSigned();
  const { key, cert } = await certificate;
  const requests: string[] = [];
  const stored = new Map<string, AdapterPayload>();
  let handle: Handle;
  let instead: Handle | null = null;
  const server = https.createServer({ key, cert }, (request, response) => {
    requests.push(new URL(request.url ?? '/', 'https://localhost').pathname);
    (instead ?? handle)(request, response);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const port = await listen(0);
  const issuer = `https://localhost:${port}`;
  const change = (newKeys: SigningKey[], newConfiguration = configuration) => {
    handle = serve(new Provider(issuer, { ...settings(newKeys, stored), ...newConfiguration }));
  };
  change(keys);

  return {
    issuer,
    ca: cert,
    requests,
    count: (path) => requests.filter((asked) => asked === path).length,
    change,
    answer(handle) {
      instead = handle;
    },
    async whileDown(use) {
      await close();
      await use();
      await listen(port);
    },
    close,
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
  'AccessToken',
  'AuthorizationCode',
  'Grant',
  'IdToken',
  'Interaction',
  'RefreshToken',
  'Session',
];

/** What the provider is configured with; what it keeps is in `stored`. */
export function settings(keys: SigningKey[], stored: Map<string, AdapterPayload>): Configuration {
  return {
    jwks: { keys: keys as JWK[] },
    clients: [
      client('client-of-others', 'RS256'),
      ...ALGORITHMS.filter((name) => keys.some(({ alg }) => alg === name)).map((alg) =>
        client(`client-${alg}`, alg),
      ),
    ],
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
    adapter: (name) => adapter(name, stored),
    cookies: { keys: ['a key for the cookies of one test'] },
    ttl: Object.fromEntries(KEPT.map((name) => [name, 3_600])),
  };
}

function client(client_id: string, alg: (typeof ALGORITHMS)[number]): ClientMetadata {
  return {
    client_id,
    redirect_uris: [REDIRECT_URI],
    response_types: ['code', 'id_token token'],
    grant_types: ['authorization_code', 'refresh_token', 'implicit'],
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: alg,
  };
}

function serve(provider: Provider): Handle {
  const callback = provider.callback();
  return (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response);
    logIn(provider, request, response).catch(() => response.writeHead(500).end());
  };
}

/**
 * Ends what a page that asks for a password and for consent begins.
 *
 * @param person who logs in; left out: whom `login_hint` names
 */
export async function logIn(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  person?: string,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const accountId = person ?? String(params.login_hint);
  if (accountId === DECLINES) {
    const declined = { error: 'access_denied', error_description: 'the person declined' };
    return provider.interactionFinished(request, response, declined);
  }
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
  grant.addOIDCScope(String(params.scope));
  const result = { login: { accountId }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result);
}

/** Kept in memory, and through a change of keys. */
function adapter(name: string, stored: Map<string, AdapterPayload>): Adapter {
  const key = (id: string) => `${name}:${id}`;
  const find = (is: (payload: AdapterPayload) => boolean) => [...stored.values()].find(is);
  return {
    upsert: async (id, payload) => void stored.set(key(id), payload),
    find: async (id) => stored.get(key(id)),
    findByUid: async (uid) => find((payload) => payload.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => void Object.assign(stored.get(key(id)) ?? {}, { consumed: true }),
    destroy: async (id) => void stored.delete(key(id)),
    revokeByGrantId: async () => {},
  };
}
