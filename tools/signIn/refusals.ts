/** Why a sign-in at one's own provider gave no login: what the provider or openid-client objects to, and what to do. */
import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import type { OAuthError } from '../capture/captured.ts';
import { quoted } from '../capture/findings.ts';
import { span } from '../capture/judging.ts';
import { type Asked, oauthErrorOf, oauthFix, oauthWords } from '../capture/refusals.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import type { Finding } from '../shared/finding.ts';
import { forProvider } from '../shared/providers.ts';

/**
 * No token, claim value or secret is in it. The provider's words are cut, and in one line. It has no cause: errors of the
 * libraries hold tokens and claims, which a terminal would show.
 */
export class SignInRefused extends UnusableInput {
  readonly fix: string;
  /** What the provider said, e.g. `error` and `error_description`, or StatusCode and StatusMessage; null for nothing. */
  readonly providerMessage: string | null;
  /** All that is wrong with a response of SAML, each with the provider's switch that mends it. */
  readonly findings: readonly Finding[];

  constructor(fix: string, providerMessage: string | null = null, findings: readonly Finding[] = []) {
    const shown = providerMessage === null ? null : quoted(providerMessage).trim() || null;
    super(shown === null ? fix : `The provider says: ${shown}. ${fix}`);
    this.fix = fix;
    this.providerMessage = shown;
    this.findings = findings;
  }
}

/** Thrown for a callback that belongs to no sign-in that waits. It changes nothing: those that wait go on waiting. */
export class UnknownState extends SignInRefused {
  constructor() {
    super(
      'No sign-in is waiting for this callback: it came twice, took longer than ten minutes, or was not started here. Start the sign-in again.',
    );
  }
}

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
  const isOfStatus = code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
  const what = isOfStatus ? `responds with status ${cause?.status}` : 'is not a discovery document';
  return new SignInRefused(
    `${quoted(place)} ${what}: check the issuer. Keycloak's is https://<host>/realms/<realm>; docs/providers.md has the others.`,
  );
}

export function otherIssuer(found: string): SignInRefused {
  return new SignInRefused(
    `The discovery document is of the issuer ${quoted(found)}: give exactly this issuer. If it has a placeholder for the tenant, as Entra's "common" does, give the issuer of your tenant.`,
  );
}

/** @param error what openid-client threw for the callback or for what followed it */
export async function signInRefusal(error: unknown, refused: Refused): Promise<SignInRefused> {
  const known = refusedIn(error);
  if (known) return known;
  const ofProvider = await oauthErrorIn(error);
  if (ofProvider) return oauthRefusal(ofProvider, refused);
  return new SignInRefused(forProvider(objectionIn(error), refused.issuer));
}

export function oauthRefusal(error: OAuthError, refused: Refused): SignInRefused {
  const fix = forProvider(oauthFix(error, refused), refused.issuer);
  return new SignInRefused(fix, oauthWords(error, refused.secrets));
}

export function refusedIn(error: unknown): SignInRefused | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof SignInRefused) return one;
  }
  return null;
}

export async function oauthErrorIn(error: unknown): Promise<OAuthError | null> {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    return { error: error.error, error_description: error.error_description };
  }
  if (!(error instanceof WWWAuthenticateChallengeError)) return null;
  const body: unknown = await error.response
    .clone()
    .json()
    .catch(() => null);
  return oauthErrorOf(body) ?? oauthErrorOf(error.cause[0]?.parameters);
}

/** What openid-client throws: a message without values, and the details of what it compared. */
interface Objection {
  code?: string;
  message: string;
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
  const { code = '', cause, message } = error as Objection;
  const inFull = cause?.message ?? message;
  const [, sentence] = OBJECTIONS.find(([pattern]) => pattern.test(`${code} ${inFull}`)) ?? [];
  if (sentence) return sentence(cause?.cause ?? {});
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON') {
    const status = cause?.status === undefined ? '' : ` with status ${cause.status}`;
    return `The provider responds${status} without an OAuth error: see its log.`;
  }
  return `The response of the provider cannot be used (${quoted(inFull)}): report it to the people who run the provider.`;
}

const AGAIN = 'start the sign-in again.';

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
      'The ID token or UserInfo is encrypted, or signed with an algorithm that is not accepted: have the provider sign them for this client with RS256 or ES256, and not encrypt them (Keycloak: client, "Advanced").',
  ],
];

function clockIsOff({ claim, claims, now }: Comparison): string {
  const time = claims?.[claim ?? ''];
  const isKnown = typeof time === 'number' && now !== undefined;
  const off = isKnown ? span((now - time) * 1_000) : 'some time';
  const what = claim === 'nbf' ? `becomes valid in ${off}` : `expired ${off} ago`;
  return `By the clock of this machine, the fresh ID token ${what}: set the clocks of this machine and of the provider by NTP.`;
}
