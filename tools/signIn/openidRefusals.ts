/** What an OpenID provider or openid-client objects to, in their words and in ours. */
import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { quoted } from '../capture/findings.ts';
import { span } from '../capture/judging.ts';
import { type Asked, type OAuthError, oauthCure, oauthErrorOf, oauthWords } from '../capture/refusalCures.ts';
import { forProvider } from '../shared/providers.ts';
import { SignInRefused } from './refused.ts';

/** Of the sign-in that is refused. */
export interface Refused extends Asked {
  issuer: string;
  /** Texts that a provider may repeat, and that are shown nowhere. */
  secrets: readonly string[];
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
  return new SignInRefused({ ours: forProvider(objectionIn(error), refused.issuer) });
}

export function oauthRefusal(theirs: OAuthError, refused: Refused): SignInRefused {
  const ours = forProvider(oauthCure(theirs, refused), refused.issuer);
  return new SignInRefused({ theirs: oauthWords(theirs, refused.secrets), ours });
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

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return null;
  }
}

const AGAIN = 'start the sign-in again.';

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
