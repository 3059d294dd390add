/** Logins that a provider refuses: its words as they can be shown, and what to do by the codes of OAuth and SAML and by those words. */
import { KINDS } from '../../lib/kinds.ts';
import { isJsonObject } from '../../lib/schema.ts';
import type { Captured, FoundRefusal, OAuthError } from './captured.ts';
import { error, findingsFor, quoted } from './findings.ts';

/** Of the login that is refused; the words stand in sentences. */
export interface Asked {
  redirectUri: string;
  scopes: string;
  hasSecret: boolean;
}

/** Of the service's own login: what it asked for is not in the capture. */
const BY_SERVICE = {
  redirectUri: 'that of the service',
  scopes: 'see the request of the service',
  hasSecret: true,
};

export function readRefusal({ kind, iss, ...refused }: FoundRefusal): Omit<Captured, 'where'> {
  const message = `The provider refused the login: ${quoted(oauthWords(refused))}.`;
  const finding = error('login_refused', message, oauthFix(refused, BY_SERVICE));
  return {
    kind,
    functionName: KINDS.OpenID.functionName,
    events: null,
    findings: findingsFor(iss, [finding]),
  };
}

/** Null for anything else than an error of OAuth. */
export function oauthErrorOf(json: unknown): OAuthError | null {
  if (!isJsonObject(json) || typeof json.error !== 'string' || json.error === '') return null;
  const { error, error_description: description } = json;
  return { error, error_description: typeof description === 'string' ? description : undefined };
}

/** @param secrets that a provider may repeat */
export function oauthWords(
  { error, error_description: description }: OAuthError,
  secrets: readonly string[] = [],
): string {
  const sentence = description?.trimEnd().replace(/\.$/, '');
  return providerWords(sentence ? `${error}: ${sentence}` : error, secrets);
}

/** In characters: an error is a sentence or two. */
const MAX_READ = 20_000;
const MAX_WORDS = 2_000;

/**
 * What a provider says: it may repeat secrets of the sign-in, and it may name the person.
 *
 * @returns its beginning, without secrets and without addresses of people, in linear time
 */
export function providerWords(text: string, secrets: readonly string[] = []): string {
  const read = secrets
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, '…'), text.slice(0, MAX_READ));
  const words = read.slice(0, MAX_WORDS);
  // Half a word may be half an address.
  const beginning = read === words ? words : `${words.slice(0, words.lastIndexOf(' ') + 1)}…`;
  return beginning.replaceAll(/[^\s'"<>()]+/g, (word) => (/[^@]@+[^@]/.test(word) ? '…' : word));
}

export function oauthFix({ error, error_description: description = '' }: OAuthError, asked: Asked): string {
  const words = `${error} ${description}`;
  const known = fixByWords(words);
  if (known !== null) return known;
  if (/redirect[_ ]?ur[il]/i.test(words)) {
    return `Register exactly this redirect address for the client: ${asked.redirectUri}`;
  }
  // Keycloak says unauthorized_client of a wrong secret, and "Client not found." where others say invalid_client.
  const isOfClient = /credential|secret/i.test(description) || /client not found/i.test(error);
  const fix = OAUTH.get(isOfClient ? 'invalid_client' : error);
  return fix?.(asked) ?? `See the log of the provider about ${quoted(providerWords(error))}.`;
}

/**
 * @param codes of a failed status, mostly one of the first level and one of the second that says more (SAML Core 3.2.2.2)
 * @param message its StatusMessage
 */
export function samlFix([, second = '']: readonly string[], message: string): string {
  return fixByWords(message) ?? SAML.get(second) ?? 'See the log of the provider at that time.';
}

function fixByWords(words: string): string | null {
  return WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

const ASSIGN =
  'Assign the person to this application at the provider (Entra: enterprise application, "Users and groups"; Okta: "Assignments"; Google: test users of the consent screen).';

/** Keycloak 26.7, Entra ("error codes"), Okta and AD FS say these. The first that fits counts. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/client (?:is )?disabled/i, 'Enable the client at the provider (Keycloak: client, switch "Enabled").'],
  [
    /pushed authorization request/i,
    'The client may use only pushed authorization requests (PAR), which this login does not: turn that off for the client (Keycloak: client, "Advanced", "Pushed authorization request required"), or use another client.',
  ],
  [
    /standard flow is disabled/i,
    'Allow the authorization code flow for this client (Keycloak: client, "Standard flow").',
  ],
  [/AADSTS50105\b|not assigned to/i, ASSIGN],
  [
    /AADSTS(?:65001|90094|90095)\b/,
    'Have an administrator consent for the organisation (Entra: enterprise application, "Permissions", "Grant admin consent").',
  ],
  [
    /AADSTS(?:50020|90072)\b/,
    'The account is of another tenant: sign in with an account of this tenant, or invite it as a guest.',
  ],
  [
    /AADSTS(?:53000|53001|53002|53003|50158|530003)\b/,
    'A policy of Conditional Access refuses this person or device: see the sign-in logs of Entra.',
  ],
  [
    /AADSTS(?:700016|90002)\b/,
    'Check the client id and the tenant in the issuer: the tenant does not have this application.',
  ],
  [
    /AADSTS700025\b/,
    'The client is public: sign in without a secret, or register the redirect address under "Web" and not under "Mobile and desktop applications".',
  ],
  [
    /AADSTS75011\b/,
    'The person signed in by another method than the service requests: have the service request none (RequestedAuthnContext).',
  ],
  [
    /AADSTS(?:50194|50059)\b/,
    'The application is of a single tenant: give the issuer of that tenant instead of "common".',
  ],
  [
    /policy evaluation failed/i,
    'No access policy of the authorization server allows this client, these scopes and this person (Okta: "Security", "API", "Access Policies").',
  ],
  [/MSIS9223\b/, 'Check the client id (AD FS: the client identifier in the application group).'],
];

const AGAIN = 'start the sign-in again.';
const ASKS_THE_PERSON = () =>
  `The provider needs input from the person but may not ask for it: sign in there in this browser first, then ${AGAIN}`;
const OF_THE_PROVIDER = () => 'The provider has a problem: see its log, or try again later.';

const OAUTH = new Map(
  Object.entries<(asked: Asked) => string>({
    access_denied: () =>
      'The person or a rule of the provider refused: have the person give consent, or assign the person to this client (Entra: enterprise application, "Users and groups"; Okta: "Assignments"; Google: test users of the consent screen).',
    invalid_scope: ({ scopes }) =>
      `Leave out the scope that is refused, or allow it for this client at the provider (Keycloak: "Client scopes"). Requested: ${quoted(scopes)}.`,
    invalid_client: ({ hasSecret }) =>
      hasSecret
        ? 'Check the client id and the secret: the secret may be replaced or expired (Entra: of the value and the id that it shows, use the value).'
        : 'Check the client id. If the client has a secret, give it; if it should have none, make it a public client (Keycloak: "Client authentication" off; Entra: "Mobile and desktop applications").',
    unauthorized_client: () =>
      'Allow the authorization code flow for this client (Keycloak: "Standard flow"; Okta: grant type "Authorization Code").',
    unsupported_response_type: () =>
      'Allow the response type that is requested for this client: for the authorization code flow, code.',
    invalid_grant: ({ redirectUri }) =>
      `The code was used, has expired, or was issued for another redirect address than ${redirectUri}: ${AGAIN}`,
    invalid_request: ({ redirectUri }) =>
      `Compare the client at the provider with the request: the redirect address ${redirectUri}, the response type, PKCE with S256.`,
    invalid_token: () => `The provider does not accept the access token: ${AGAIN}`,
    login_required: ASKS_THE_PERSON,
    interaction_required: ASKS_THE_PERSON,
    consent_required: ASKS_THE_PERSON,
    account_selection_required: ASKS_THE_PERSON,
    server_error: OF_THE_PROVIDER,
    temporarily_unavailable: OF_THE_PROVIDER,
  }),
);

const SAML = new Map(
  Object.entries({
    AuthnFailed: 'The person did not sign in at the provider. See its log.',
    InvalidNameIDPolicy:
      'The service requests a NameID format that the provider does not have: change it at one of them (AD FS: a claim rule that issues a NameID of that format).',
    NoAuthnContext:
      'The service requests a way to sign in that the provider does not have, such as a second factor.',
    NoPassive: 'The person was not signed in yet, and the service allowed no login page. Sign in again.',
    RequestDenied: `The provider does not let this person use this service. ${ASSIGN}`,
    RequestUnsupported: 'The provider does not support the request of the service: see its log.',
    UnknownPrincipal: 'The provider does not know the person.',
  }),
);
