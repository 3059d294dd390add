/** Logins at a real provider, through a real relying party (openid-client), and the events that the service makes of them. */
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import type { TokenResponse } from '../../tools/capture/serviceEvent.ts';
import { type OpenIdProvider, REDIRECT_URI } from './openIdProvider.ts';
import { Person } from './person.ts';

export type Tokens = TokenResponse & { id_token: string };

const SCOPE = 'openid email profile address';

/**
 * By authorization code, with PKCE and nonce; the relying party has found nothing wrong with the ID token.
 *
 * @param alg that ID tokens are signed with: each has a client of its own
 */
export async function logInByCode({ issuer }: OpenIdProvider, alg = 'RS256'): Promise<Tokens> {
  const metadata = { id_token_signed_response_alg: alg };
  const config = await client.discovery(new URL(issuer), `client-${alg}`, metadata, client.None());
  client.enableNonRepudiationChecks(config);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedNonce = client.randomNonce();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: `${SCOPE} offline_access`,
    prompt: 'consent',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    nonce: expectedNonce,
    state: expectedState,
    login_hint: 'ada',
  });
  const callback = await new Person().leave(url, REDIRECT_URI);
  const checks = { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true };
  return (await client.authorizationCodeGrant(config, callback, checks)) as Tokens;
}

/** By implicit flow, whose ID tokens have an `at_hash`. */
export async function logInImplicitly({ issuer }: OpenIdProvider, alg = 'RS256'): Promise<Tokens> {
  const url = new URL(`${issuer}/auth`);
  url.search = new URLSearchParams({
    client_id: `client-${alg}`,
    redirect_uri: REDIRECT_URI,
    response_type: 'id_token token',
    scope: SCOPE,
    nonce: client.randomNonce(),
    login_hint: 'ada',
  }).toString();
  const { hash } = await new Person().leave(url, REDIRECT_URI);
  const tokens = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return { ...tokens, expires_in: Number(tokens.expires_in) } as Tokens;
}

/** The event in its wire form, as it follows from tokens. */
export function eventOf({ access_token, token_type, id_token, expires_in, refresh_token }: Tokens) {
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
