/** What to register at an OpenID provider before one signs in there. docs/providers.md has what follows: claims and mappings. */

export interface Registration {
  provider: string;
  /** In order, each a sentence or two. */
  steps: string[];
}

interface Known {
  provider: string;
  /** Whether an issuer is one of this provider's. */
  isOf: (issuer: URL) => boolean;
  steps: (redirectUri: string) => string[];
  /** Asks who signs in (OpenID Connect Core 3.1.2.1). Default: login. */
  prompt?: 'select_account';
}

/**
 * @param redirectUri what the provider sends the browser back to
 * @returns for each provider that docs/providers.md describes, and last for any other
 */
export function registrationOpenId(redirectUri: string): Registration[] {
  return [...KNOWN, OTHER].map(({ provider, steps }) => ({ provider, steps: steps(redirectUri) }));
}

/** The value of `prompt` with which the provider lets another person sign in than the one who is signed in. */
export function promptForSomebodyElse(issuer: string): string {
  return knownAt(issuer).prompt ?? 'login';
}

function knownAt(issuer: string): Known {
  const url = URL.parse(issuer);
  return KNOWN.find(({ isOf }) => url !== null && isOf(url)) ?? OTHER;
}

function isBelow(domain: string): (issuer: URL) => boolean {
  return ({ hostname }) => hostname === domain || hostname.endsWith(`.${domain}`);
}

const KNOWN: readonly Known[] = [
  {
    provider: 'Keycloak',
    isOf: ({ pathname }) => pathname.includes('/realms/'),
    steps: (redirectUri) => [
      'Open the client of the service, or create one of type OpenID Connect with "Standard flow" on.',
      `Add this address to "Valid redirect URIs": ${redirectUri}`,
      'With "Client authentication" on, copy the secret from the tab "Credentials". With it off, the client has none.',
      'The issuer is https://<host>/realms/<realm>.',
    ],
  },
  {
    provider: 'Microsoft Entra',
    isOf: isBelow('login.microsoftonline.com'),
    prompt: 'select_account',
    steps: (redirectUri) => [
      'Open the app of the service under "App registrations", or register one for accounts of your own tenant only.',
      `Under "Authentication", add this address to the platform "Web": ${redirectUri} (Entra accepts http only for localhost, not for 127.0.0.1).`,
      'Under "Certificates & secrets", add a client secret, and copy its value, not its id. To sign in without a secret, add the address to the platform "Mobile and desktop applications" instead.',
      'The client id is the "Application (client) ID". The issuer is https://login.microsoftonline.com/<tenant id>/v2.0.',
    ],
  },
  {
    provider: 'Okta',
    isOf: ({ hostname }) => /(?:^|\.)okta(?:preview|-emea)?\.com$/.test(hostname),
    steps: (redirectUri) => [
      'Open the application of the service under "Applications", or create an app integration of type OIDC, Web Application, with the grant type "Authorization Code".',
      `Add this address to "Sign-in redirect URIs": ${redirectUri}`,
      'Assign yourself to the application, and copy its client id and secret.',
      'The issuer is https://<domain>/oauth2/default, or https://<domain> for the org authorization server.',
    ],
  },
  {
    provider: 'Google',
    isOf: isBelow('accounts.google.com'),
    prompt: 'select_account',
    steps: (redirectUri) => [
      'In the Google Cloud console, open the OAuth client of the service, or create an OAuth client ID of type "Web application".',
      `Add this address to "Authorized redirect URIs": ${redirectUri} (it may take some minutes until Google knows it).`,
      'Copy the client id and the secret: Google requires the secret. While the app is in testing, add yourself as a test user.',
      'The issuer is https://accounts.google.com.',
    ],
  },
];

const OTHER: Known = {
  provider: 'Any other provider',
  isOf: () => true,
  steps: (redirectUri) => [
    'Open the client of the service, or register one for the authorization code flow (response type code), with PKCE if you can choose it.',
    `Register exactly this redirect address for it: ${redirectUri}`,
    'If the client has a secret, copy it. The methods client_secret_basic and client_secret_post work, and none for a public client.',
    'The issuer is the iss of ID tokens. <issuer>/.well-known/openid-configuration shows a document with the same issuer.',
  ],
};
