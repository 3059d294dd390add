/** An OpenID provider as its discovery document describes it, and a client there. */
import * as client from 'openid-client';
import { isLoopbackHttp } from '../../lib/issuers.ts';
import { discoveryRefusal, otherIssuer, SignInRefused } from './refusals.ts';
import { boundedFetch } from './requests.ts';

export interface OpenIdClient {
  /** As ID tokens have it: https, or http on this machine's loopback. */
  issuer: string;
  clientId: string;
  /** Null or left out for a public client. */
  clientSecret?: string | null | undefined;
  /** With spaces between them. Default: `openid email profile`. */
  scopes?: string | undefined;
  /** Whether the provider asks who signs in where somebody is signed in. Default: no. */
  somebodyElse?: boolean | undefined;
}

/**
 * @returns a configuration for each authentication method that the client may use at the token endpoint
 * @throws {SignInRefused}
 */
export async function configurationsOf(
  { issuer, clientId, clientSecret }: OpenIdClient,
  timeoutMs: number,
): Promise<[client.Configuration, ...client.Configuration[]]> {
  const server = await discovered(issuerUrl(issuer), issuer, clientId, timeoutMs);
  const [first, ...others] = authenticationsOf(server, clientSecret || null).map((authentication) => {
    const configuration = new client.Configuration(server, clientId, undefined, authentication);
    configuration[client.customFetch] = boundedFetch;
    configuration.timeout = timeoutMs / 1_000;
    if (isLoopbackHttp(issuer)) client.allowInsecureRequests(configuration);
    // Without these, openid-client trusts TLS and leaves the signature of the ID token unchecked.
    client.enableNonRepudiationChecks(configuration);
    return configuration;
  });
  if (first) return [first, ...others];
  throw new SignInRefused(
    'The provider accepts no client secret at its token endpoint (token_endpoint_auth_methods_supported): register a public client, and sign in without a secret.',
  );
}

const WELL_KNOWN = '/.well-known/';
/** What a sign-in uses (OpenID Connect Discovery 1.0 section 3). */
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/** Its issuer is exactly the one that is given (OpenID Connect Discovery 1.0 section 4.3). */
async function discovered(
  url: URL,
  issuer: string,
  clientId: string,
  timeoutMs: number,
): Promise<client.ServerMetadata> {
  try {
    const found = await client.discovery(url, clientId, undefined, client.None(), {
      [client.customFetch]: boundedFetch,
      timeout: timeoutMs / 1_000,
      execute: isLoopbackHttp(issuer) ? [client.allowInsecureRequests] : [],
    });
    const server = found.serverMetadata();
    if (server.issuer !== issuer) throw otherIssuer(server.issuer);
    const missing = ENDPOINTS.find((name) => !isPublishable(String(server[name]), issuer));
    if (missing === undefined) return server;
    throw new SignInRefused(
      `The discovery document has no ${missing} with an https address: check that the issuer is an OpenID provider.`,
    );
  } catch (error) {
    throw discoveryRefusal(error, url);
  }
}

/** Whether a provider may name an address: one elsewhere names no plain http on this machine. */
export function isPublishable(address: string, issuer: string): boolean {
  const isLocal = isLoopbackHttp(address) && isLoopbackHttp(issuer);
  return isLocal || URL.parse(address)?.protocol === 'https:';
}

/** @throws {SignInRefused} */
function issuerUrl(issuer: string): URL {
  const url = URL.parse(issuer);
  const isSecure = url?.protocol === 'https:' || isLoopbackHttp(issuer);
  if (url === null || !isSecure || url.search + url.hash + url.username + url.password !== '') {
    throw new SignInRefused(
      'Give the issuer as it is in iss of ID tokens: an https URL without query, or http on localhost for a provider on this machine.',
    );
  }
  if (!url.pathname.includes(WELL_KNOWN)) return url;
  throw new SignInRefused(`Give the issuer without ${WELL_KNOWN} and the text after it.`);
}

/** Without the field, a provider takes client_secret_basic (OpenID Connect Discovery 1.0 section 3). */
const DEFAULT_METHODS = ['client_secret_basic'];

/** Discovery does not say which method the client is registered with: where both are offered, both are tried. */
function authenticationsOf(
  { token_endpoint_auth_methods_supported: offered = DEFAULT_METHODS }: client.ServerMetadata,
  secret: string | null,
): client.ClientAuth[] {
  if (secret === null) return [client.None()];
  const methods: [name: string, method: client.ClientAuth][] = [
    ['client_secret_basic', client.ClientSecretBasic(secret)],
    ['client_secret_post', client.ClientSecretPost(secret)],
  ];
  return methods.filter(([name]) => offered.includes(name)).map(([, method]) => method);
}
