/** An OpenID provider over plain HTTP on loopback that answers as a test says: for what no real provider does. */
import type { ServerResponse } from 'node:http';
import { type OpenIdOptions, OpenIdSignIns } from '../../tools/signIn/openid.ts';
import { REDIRECT } from './openIdSignIn.ts';
import { httpServer, sendJson } from './servers.ts';
import { publicPart, sign, signingKey } from './signingKeys.ts';

export const CLIENT = 'the-client';
export const SECRET = 'a-secret-that-is-shown-nowhere';

type Answer = (response: ServerResponse) => void;

/** What is answered in the place of the usual. */
export type Script = Partial<Record<'discovery' | 'authorize' | 'token' | 'userinfo' | 'jwks', Answer>> & {
  /** What the discovery document has beside the usual; undefined leaves a field out. */
  metadata?: Record<string, unknown>;
  /** What the ID token has beside the usual. */
  claims?: Record<string, unknown>;
};

export async function scriptedOpenIdProvider() {
  const key = await signingKey('RS256');
  let script: Script = {};
  /** Of the last authorization request. */
  let nonce: string | undefined;

  const idToken = () => {
    const now = Math.floor(Date.now() / 1_000);
    const usual = { iss: server.url, sub: 'ada', aud: CLIENT, iat: now, exp: now + 60, nonce };
    return sign({ ...usual, ...script.claims }, key);
  };
  const discovery: Answer = (response) =>
    sendJson(response, {
      issuer: server.url,
      authorization_endpoint: `${server.url}/authorize`,
      token_endpoint: `${server.url}/token`,
      userinfo_endpoint: `${server.url}/userinfo`,
      jwks_uri: `${server.url}/jwks`,
      ...script.metadata,
    });
  const usual: Record<string, Answer> = {
    authorize: (response) => response.end('a page to sign in'),
    token: async (response) => sendJson(response, tokenResponse(await idToken())),
    userinfo: (response) => sendJson(response, { sub: 'ada', email: 'ada@example.org' }),
    jwks: (response) => sendJson(response, { keys: [publicPart(key)] }),
  };
  const server = await httpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    nonce = searchParams.get('nonce') ?? nonce;
    const name = pathname.slice(1);
    const answer = name in usual ? { ...usual, ...script }[name] : (script.discovery ?? discovery);
    (answer as Answer)(response);
  });
  /** Goes on so. */
  const play = (next: Script) => {
    script = next;
  };
  const asked = (changes: object = {}) => ({ issuer: server.url, clientId: CLIENT, ...changes });
  return {
    issuer: server.url,
    /** Of its ID tokens. */
    key: publicPart(key),
    close: server.close,
    play,
    asked,
    /** A sign-in during which the provider answers so. */
    async signIn(next: Script = {}, options: Partial<OpenIdOptions> = {}) {
      play(next);
      const openid = signIns(options);
      const { url } = await openid.start(asked({ clientSecret: SECRET }));
      const state = new URL(url).searchParams.get('state') ?? '';
      return openid.finish(new URLSearchParams({ state, code: 'the-code' }));
    },
  };
}

export function tokenResponse(id_token: unknown) {
  return { access_token: 'an access token', token_type: 'Bearer', expires_in: 60, id_token };
}

/** With no settings. */
export function signIns(options: Partial<OpenIdOptions> = {}) {
  return new OpenIdSignIns({ redirectUri: REDIRECT, environment: () => ({}), ...options });
}

export const asPage: Answer = (response) =>
  void response.setHeader('content-type', 'text/html').end('<p>Hello');
/** More than any limit. */
export const withoutEnd: Answer = (response) => {
  const isMore = () => !response.destroyed && response.write(Buffer.alloc(65_536, ' '));
  while (isMore());
  response.on('drain', () => {
    while (isMore());
  });
};
/** Longer than any limit. */
export const never: Answer = (response) => void response.write('{');
