/** Logins at a real provider, through a real relying party (openid-client), and the events that the service makes of them. */
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { browse, type Fetch, fetchTrusting } from './browser.ts';
import { type OpenIdProvider, REDIRECT_URI } from './openIdProvider.ts';

export interface Tokens {
  access_token: string;
  token_type: string;
  id_token: string;
  expires_in: number;
  refresh_token?: string | undefined;
}

export interface LoginOptions {
  /** The algorithm that ID tokens are signed with: each has a client of its own. */
  alg?: string;
  clientId?: string;
  /** Who logs in. */
  person?: string;
}

const SCOPE = 'openid email profile address offline_access';

/** By authorization code, with PKCE and nonce; the relying party has found nothing wrong with the ID token. */
export async function logInByCode(
  { issuer, ca }: OpenIdProvider,
  { alg = 'RS256', clientId = `client-${alg}`, person = 'ada' }: LoginOptions = {},
): Promise<Tokens> {
  const fetch = fetchTrusting(ca);
  const ourselves = { client_id: clientId, id_token_signed_response_alg: alg };
  const config = await client.discovery(new URL(issuer), ourselves.client_id, ourselves, client.None(), {
    [client.customFetch]: fetch as client.CustomFetch,
  });
  client.enableNonRepudiationChecks(config);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedNonce = client.randomNonce();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    prompt: 'consent',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: expectedNonce,
    state: expectedState,
    login_hint: person,
  });
  const callback = await browse(url, REDIRECT_URI, fetch);
  const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true };
  const tokens = await client.authorizationCodeGrant(config, callback, checks);
  return withIdToken(tokens);
}

/** By implicit flow, whose ID tokens have an `at_hash`. */
export async function logInImplicitly(
  { issuer, ca }: OpenIdProvider,
  { alg = 'RS256', clientId = `client-${alg}`, person = 'ada' }: LoginOptions = {},
): Promise<Tokens> {
  const fetch: Fetch = fetchTrusting(ca);
  const url = new URL(`${issuer}/auth`);
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'id_token token',
    scope: SCOPE.replace(' offline_access', ''),
    nonce: client.randomNonce(),
    login_hint: person,
  }).toString();
  const { hash } = await browse(url, REDIRECT_URI, fetch);
  const { expires_in, ...tokens } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return withIdToken({ ...tokens, expires_in: Number(expires_in) });
}

function withIdToken(tokens: Partial<Tokens>): Tokens {
  const { access_token = '', token_type = '', id_token, expires_in = 0, refresh_token } = tokens;
  if (id_token === undefined) throw new Error(`no ID token: ${JSON.stringify(tokens)}`);
  return { access_token, token_type, id_token, expires_in, refresh_token };
}

/** The event in its wire form, as it follows from tokens. */
export function eventOf({
  access_token,
  token_type,
  id_token,
  expires_in,
  refresh_token = undefined,
}: Tokens) {
  const { iss = '', sub = '', aud = [], exp = 0, iat = 0, nonce, ...otherClaims } = decodeJwt(id_token);
  return {
    accessToken: access_token,
    tokenType: token_type,
    idToken: {
      iss,
      sub,
      aud: [aud].flat(),
      exp,
      iat,
      nonce: (nonce ?? null) as string | null,
      otherClaims: otherClaims as Record<string, unknown>,
    },
    idTokenJwt: id_token,
    expiresIn: expires_in,
    refreshToken: refresh_token ?? null,
  };
}

export type OpenIdEvent = ReturnType<typeof eventOf>;
