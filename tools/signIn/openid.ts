/**
 * Sign-ins at one's own OpenID provider: authorization code with PKCE, state and nonce (OpenID Connect Core 3.1, RFC 7636). The
 * caller opens an address in a browser, and brings what the browser brings back. Nothing is written, and all stays in memory.
 */
import * as client from 'openid-client';
import { KINDS } from '../../lib/kinds.ts';
import { findingsFor } from '../capture/findings.ts';
import { readToken } from '../capture/idToken.ts';
import { inOrder } from '../shared/finding.ts';
import { promptForSomebodyElse } from '../shared/providers.ts';
import { Pending } from './callback.ts';
import { configurationsOf, type OpenIdClient } from './openidProvider.ts';
import { probeOpenId, type Started } from './probe.ts';
import { oauthErrorIn, type Refused, SignInRefused, signInRefusal, UnknownState } from './refusals.ts';
import { askUserInfo, claimFindings, refuseDeep, sourcesOf } from './userInfo.ts';

export interface OpenIdOptions {
  redirectUri: string;
  /** Of each request to the provider, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  environment: (functionName: string) => NodeJS.ProcessEnv;
}

export type OpenIdSignedIn = Awaited<ReturnType<OpenIdSignIns['finish']>>;

interface Waiting extends Refused {
  configurations: readonly client.Configuration[];
  verifier: string;
  nonce: string;
}

/** What a capture cannot check, and openid-client has checked: the signature, the issuer and the audience. */
const CHECKED = ['signature_not_checked', 'issuers_not_configured'];
const TIMEOUT_MS = 10_000;
const SCOPES = 'openid email profile';

export class OpenIdSignIns {
  readonly #redirectUri: string;
  readonly #timeoutMs: number;
  readonly #environment: OpenIdOptions['environment'];
  readonly #waiting = new Pending<Waiting>();

  constructor({ redirectUri, timeoutMs = TIMEOUT_MS, environment }: OpenIdOptions) {
    this.#redirectUri = redirectUri;
    this.#timeoutMs = timeoutMs;
    this.#environment = environment;
  }

  /**
   * Reads the discovery document, and sends the authorization request once without a person: a provider that does not know
   * the client or its redirect address says so at once, and never sends a browser back.
   *
   * @throws {SignInRefused}
   */
  async start(asked: OpenIdClient): Promise<Started> {
    const scopes = usableScopes(asked);
    const configurations = await configurationsOf(asked, this.#timeoutMs);
    const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()];
    const waiting = {
      configurations,
      issuer: asked.issuer,
      verifier,
      nonce,
      redirectUri: this.#redirectUri,
      scopes,
      hasSecret: Boolean(asked.clientSecret),
      secrets: [asked.clientSecret ?? '', verifier, nonce],
    };
    const state = this.#waiting.put(waiting);
    const prompt = promptOf(asked, scopes);
    const url = client.buildAuthorizationUrl(configurations[0], {
      redirect_uri: this.#redirectUri,
      scope: scopes,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(prompt !== '' && { prompt }),
    }).href;
    const refused = { ...waiting, secrets: [...waiting.secrets, state] };
    try {
      return { url, warning: await probeOpenId(url, refused, this.#timeoutMs) };
    } catch (error) {
      this.#waiting.take(state);
      throw error;
    }
  }

  /**
   * @param parameters of the callback's address
   * @throws {UnknownState} for a callback that belongs to no sign-in that waits
   * @throws {SignInRefused} where there is no login: then the sign-in is over
   */
  async finish(parameters: URLSearchParams) {
    const [state = '', ...others] = parameters.getAll('state');
    const waiting = others.length === 0 ? this.#waiting.take(state) : null;
    if (waiting === null) throw new UnknownState();
    const { configuration, tokens } = await redeemed(parameters, state, waiting);
    const idToken: Partial<client.IDToken> = tokens.claims() ?? {};
    const { userInfo, findings: ofUserInfo } = await askUserInfo(configuration, tokens.access_token, idToken);
    const sources = sourcesOf(idToken, userInfo);
    // openid-client writes it in lower case, and most providers do not.
    const token_type = tokens.token_type.replace('bearer', 'Bearer');
    const found = { kind: 'token response', tokens: { ...tokens, token_type } } as const;
    const captured = readToken(found, this.#environment(KINDS.OpenID.functionName));
    const findings = inOrder([
      ...captured.findings.filter(({ code }) => !CHECKED.includes(code)),
      ...findingsFor(waiting.issuer, [...ofUserInfo, ...claimFindings(sources)]),
    ]);
    return {
      /** In both forms, with all findings: the event has only the claims of the ID token. */
      captured: { ...captured, where: 'signed in', findings },
      /** Claims, of a token whose signature was checked. */
      idToken,
      /** Null where there are none: then a finding says why. */
      userInfo,
      sources,
    };
  }
}

function usableScopes({ clientId, scopes = SCOPES }: OpenIdClient): string {
  if (clientId.trim() === '') throw new SignInRefused('Give the client id.');
  const all = scopes.split(/[\s,]+/).filter(Boolean);
  if (all.includes('openid')) return all.join(' ');
  throw new SignInRefused('Add openid to the scopes: without it, a provider issues no ID token.');
}

/** Values of `prompt`, with spaces between them (OpenID Connect Core 3.1.2.1); empty for none. */
function promptOf({ issuer, somebodyElse = false }: OpenIdClient, scopes: string): string {
  const prompts = somebodyElse ? [promptForSomebodyElse(issuer)] : [];
  // OpenID Connect Core 11: without it, a provider leaves the refresh token out.
  if (scopes.split(' ').includes('offline_access')) prompts.push('consent');
  return prompts.join(' ');
}

/**
 * The tokens for the code. Where the provider does not accept the client by one authentication method, the next one is
 * tried.
 *
 * @throws {SignInRefused} with the first refusal
 */
async function redeemed(parameters: URLSearchParams, state: string, waiting: Waiting) {
  const { configurations, redirectUri, verifier, nonce, secrets } = waiting;
  const callback = new URL(`${redirectUri}?${parameters}`);
  const checks = { pkceCodeVerifier: verifier, expectedNonce: nonce, expectedState: state };
  const refused = { ...waiting, secrets: [...secrets, state, parameters.get('code') ?? ''] };
  let first: SignInRefused | null = null;
  for (const configuration of configurations) {
    try {
      const tokens = await client.authorizationCodeGrant(configuration, callback, checks);
      refuseDeep(tokens.claims());
      return { configuration, tokens };
    } catch (error) {
      const ofProvider = await oauthErrorIn(error);
      first ??= await signInRefusal(error, refused);
      if (ofProvider?.error !== 'invalid_client') break;
    }
  }
  throw first;
}
