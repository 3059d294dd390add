/** What an OpenID provider or openid-client objects to, in their words and in ours. */
import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { isJsonObject } from '../../lib/schema.ts';
import { quoted } from '../capture/findings.ts';
import { span } from '../capture/judging.ts';
import { providerWords } from './providerWords.ts';
import { SignInRefused } from './refused.ts';

/** Of the sign-in that is refused. */
export interface Refused {
  redirectUri: string;
  scopes: string;
  hasSecret: boolean;
  /** Texts that a provider may repeat, and that are shown nowhere. */
  secrets: readonly string[];
}

/** An error of OAuth (RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6). */
export interface OAuthError {
  error: string;
  error_description?: string | undefined;
}

/** @param error what discovery threw */
export function discoveryRefusal(error: unknown, issuer: URL): SignInRefused {
  const known = refusedIn(error);
  if (known) return known;
  const { code, cause } = error as { code?: string; cause?: { status?: number; body?: { issuer?: string } } };
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return otherIssuer(String(cause?.body?.issuer));
  const place = `${issuer.origin}${issuer.pathname.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const found =
    code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
      ? `responds with status ${cause?.status}`
      : 'is not a discovery document';
  return new SignInRefused({
    ours: `${quoted(place)} ${found}: check the issuer. Keycloak's is https://<host>/realms/<realm>; docs/providers.md has the others.`,
  });
}

export function otherIssuer(found: string): SignInRefused {
  return new SignInRefused({
    ours: `The discovery document is of the issuer ${quoted(found)}: give exactly this issuer. If it has a placeholder for the tenant, as Entra's "common" does, give the issuer of your tenant.`,
  });
}

/** @param error what openid-client threw for the callback or for what followed it */
export async function signInRefusal(error: unknown, refused: Refused): Promise<SignInRefused> {
  const known = refusedIn(error);
  if (known) return known;
  const theirs = await oauthErrorIn(error);
  if (theirs) return oauthRefusal(theirs, refused);
  return new SignInRefused({ ours: objectionIn(error) });
}

export function oauthRefusal(theirs: OAuthError, refused: Refused): SignInRefused {
  return new SignInRefused({ theirs: wordsOf(theirs, refused), ours: cureOf(theirs, refused) });
}

function wordsOf({ error, error_description: description }: OAuthError, { secrets }: Refused): string {
  const sentence = description?.trimEnd().replace(/\.$/, '');
  return providerWords(sentence ? `${error}: ${sentence}` : error, secrets);
}

export function refusedIn(error: unknown): SignInRefused | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof SignInRefused) return one;
  return null;
}

/** An error of the callback, or in the body of a response. */
export async function oauthErrorIn(error: unknown): Promise<OAuthError | null> {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return { error: error.error, error_description: error.error_description };
  }
  if (!(error instanceof WWWAuthenticateChallengeError)) return null;
  const [challenge] = error.cause;
  return oauthErrorOf(await bodyOf(error.response)) ?? oauthErrorOf(challenge?.parameters);
}

/** Null for anything else than an error of OAuth. */
export function oauthErrorOf(json: unknown): OAuthError | null {
  if (!isJsonObject(json) || typeof json.error !== 'string' || json.error === '') return null;
  const { error, error_description: description } = json;
  return { error, error_description: typeof description === 'string' ? description : undefined };
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return null;
  }
}

const AGAIN = 'start the sign-in again.';

function cureOf({ error, error_description: description = '' }: OAuthError, refused: Refused): string {
  if (/redirect[_ ]?ur[il]/i.test(`${error} ${description}`)) return registerRedirect(refused);
  // Keycloak says unauthorized_client of a wrong secret, and "Client not found." where others say invalid_client.
  const isOfClient = /credential|secret/i.test(description) || /client not found/i.test(error);
  const code = isOfClient ? 'invalid_client' : error;
  return (
    CURES.get(code)?.(refused) ?? `See the documentation or the log of the provider about ${quoted(error)}.`
  );
}

function registerRedirect({ redirectUri }: Refused): string {
  return `Register exactly this redirect address for the client: ${redirectUri}`;
}

const ASKS_THE_PERSON = () =>
  `The provider needs input from the person but may not ask for it: sign in there in this browser first, then ${AGAIN}`;
const OF_THE_PROVIDER = () => `The provider has a problem: see its log, or try again later.`;

const CURES = new Map(
  Object.entries<(refused: Refused) => string>({
    access_denied: () =>
      'The person or a rule of the provider refused: give consent, or assign the person to this client (Entra: "Users and groups"; Okta: "Assignments"; Google: test users of the consent screen).',
    invalid_scope: ({ scopes }) =>
      `Leave out the scope that is refused, or allow it for this client at the provider (Keycloak: "Client scopes"). Requested: ${quoted(scopes)}.`,
    invalid_client: ({ hasSecret }) =>
      hasSecret
        ? 'Check the client id and the secret: the secret may be replaced or expired. Of the value and the id that Entra shows, use the value.'
        : 'Check the client id. If the client has a secret, give it; if it should have none, make it a public client (Keycloak: "Client authentication" off; Entra: "Mobile and desktop applications").',
    unauthorized_client: () =>
      'Allow the authorization code flow for this client (Keycloak: "Standard flow"; Okta: grant type "Authorization Code").',
    unsupported_response_type: () =>
      'Allow the response type code for this client: the sign-in uses the authorization code flow.',
    invalid_grant: ({ redirectUri }) =>
      `The code was used, has expired, or was issued for another redirect address than ${redirectUri}: ${AGAIN}`,
    invalid_request: ({ redirectUri }) =>
      `Compare the client at the provider with the request: the redirect address ${redirectUri}, the response type code, PKCE with S256.`,
    invalid_token: () => `The provider does not accept the access token: ${AGAIN}`,
    login_required: ASKS_THE_PERSON,
    interaction_required: ASKS_THE_PERSON,
    consent_required: ASKS_THE_PERSON,
    account_selection_required: ASKS_THE_PERSON,
    server_error: OF_THE_PROVIDER,
    temporarily_unavailable: OF_THE_PROVIDER,
  }),
);

/** What openid-client throws: a message without values, and the details of what it compared. */
interface Objection {
  code?: string;
  message: string;
  status?: number;
  cause?: { message?: string; status?: number; cause?: Comparison };
}

interface Comparison {
  claim?: string;
  claims?: Record<string, unknown>;
  /** In seconds since 1970. */
  now?: number;
}

/** @returns what it objects to, and what to do */
export function objectionIn(error: unknown): string {
  const objection = error as Objection;
  const { code = '', cause } = objection;
  const detail = cause?.cause ?? {};
  const inFull = cause?.message ?? objection.message;
  const [, sentence] = OBJECTIONS.find(([pattern]) => pattern.test(`${code} ${inFull}`)) ?? [];
  if (sentence) return sentence(detail);
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    const status = cause?.status === undefined ? '' : ` with status ${cause.status}`;
    return `The provider responds${status} without an OAuth error: see its log.`;
  }
  return `The response of the provider cannot be used (${quoted(inFull)}): report it to the people who run the provider.`;
}

const OBJECTIONS: readonly (readonly [RegExp, (detail: Comparison) => string])[] = [
  [/TIMESTAMP_CHECK/, clockIsOff],
  [
    /"nonce"/,
    () =>
      `The ID token belongs to another sign-in: its nonce is missing or different. If that happens each time, the provider does not put the nonce into its ID tokens. Otherwise ${AGAIN}`,
  ],
  [
    /CLAIM_COMPARISON/,
    ({ claim = 'a claim' }) =>
      `The ID token is not for this client or not from this issuer: ${quoted(claim)} is not as expected. Check the issuer and the client id.`,
  ],
  [
    /response parameter|only once|authorization code in|JARM/,
    () => `The callback is not a response of this provider to this sign-in: ${AGAIN}`,
  ],
  [
    /"id_token"/,
    () =>
      'The token response has no ID token: ask for the scope openid, and check that it is an OpenID client.',
  ],
  [
    /KEY_SELECTION|signature verification/,
    () =>
      'The signature of the ID token does not match the keys that the provider publishes (jwks_uri): its keys may have just changed, so try again.',
  ],
  [
    /UNSUPPORTED|"alg"/,
    () =>
      'The ID token is encrypted, or signed with an algorithm that is not accepted: have the provider sign the ID tokens of this client with RS256 or ES256, and not encrypt them (Keycloak: client, "Advanced").',
  ],
];

function clockIsOff({ claim, claims, now }: Comparison): string {
  const time = claims?.[claim ?? ''];
  const known = typeof time === 'number' && now !== undefined;
  const off = known ? span((now - time) * 1_000) : 'some time';
  const what = claim === 'nbf' ? `becomes valid in ${off}` : `expired ${off} ago`;
  return `By the clock of this machine, the fresh ID token ${what}: set the clocks of this machine and of the provider by NTP.`;
}
