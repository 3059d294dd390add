/** Identity providers: how each is known by its issuer, and what to register there before one signs in. What `create` writes for each stands in `tools/create/starters.ts`; docs/providers.md and docs/providers/ have what follows. */

/** Ours: what the provider sends the browser back to, and what it knows us by. */
type Addresses = Readonly<Record<'redirectUri' | 'entityId' | 'acsUrl', string>>;
type Steps = (addresses: Addresses) => string[];

interface Provider {
  name: string;
  /** As its steps are headed, where that is another name. */
  title?: string;
  /** Issuers as ID tokens and assertions have them. Domains that some let an organisation choose are not known. */
  issuers?: RegExp;
  /** What asks who signs in (OpenID Connect Core 3.1.2.1). Default: login. */
  prompt?: 'select_account';
  openid?: Steps;
  saml?: Steps;
}

export interface Registration {
  provider: string;
  steps: string[];
}

export function providerOf(issuer: string | null): string | null {
  return knownAt(issuer)?.name ?? null;
}

/** What a cure says of several providers: ` (Keycloak: …; Entra: "Identifier (Entity ID)"; …)`. */
const OF_EACH = / \(((?:[A-Z]\w+|AD FS): (?:[^()]|\([^()]*\))*)\)/g;
const NEXT = /; (?=(?:[A-Z]\w+|AD FS): )/;

/** Of what a text says of several providers, only what is for this one; all of it where the provider is not known. */
export function forProvider(text: string, issuer: string | null): string {
  const provider = providerOf(issuer);
  if (provider === null) return text;
  return text.replaceAll(OF_EACH, (_, all: string) => {
    const own = all.split(NEXT).find((one) => one.startsWith(`${provider}: `));
    return own === undefined ? '' : ` (${own})`;
  });
}

/** The value of `prompt` with which the provider lets another person sign in than the one who is signed in. */
export function promptForSomebodyElse(issuer: string): string {
  return knownAt(issuer)?.prompt ?? 'login';
}

function knownAt(issuer: string | null): Provider | undefined {
  return PROVIDERS.find(({ issuers }) => issuers?.test(issuer ?? ''));
}

/** @returns for each provider that has a page in docs/providers/, and last for any other */
export function registrations(protocol: 'openid' | 'saml', addresses: Addresses): Registration[] {
  return PROVIDERS.flatMap(({ name, title = name, [protocol]: steps }) =>
    steps ? [{ provider: title, steps: steps(addresses) }] : [],
  );
}

const PROVIDERS: readonly Provider[] = [
  {
    name: 'Keycloak',
    issuers: /\/realms\/[^/]+$/,
    openid: ({ redirectUri }) => [
      'Open the client of the service, or create one of type OpenID Connect with "Standard flow" on.',
      `Add this address to "Valid redirect URIs": ${redirectUri}`,
      'With "Client authentication" on, copy the secret from the tab "Credentials". With it off, the client has none.',
      'The issuer is https://<host>/realms/<realm>.',
    ],
    saml: ({ entityId, acsUrl }) => [
      `Save our metadata (${entityId}) as a file, and choose it under "Clients", "Import client". By hand: create a client of type SAML with the client ID ${entityId}, enter ${acsUrl} as "Valid redirect URIs", and turn "Client signature required" off under "Keys".`,
      'Leave "Include AuthnStatement" on, and "Sign documents" or "Sign assertions".',
      'Under "Client scopes", in the scope "<client id>-dedicated", add the mappers that the client of the service has.',
      'The metadata of Keycloak is at https://<host>/realms/<realm>/protocol/saml/descriptor.',
    ],
  },
  {
    name: 'Entra',
    title: 'Microsoft Entra',
    issuers:
      /^https:\/\/(?:login\.microsoftonline\.(?:com|us)|login\.partner\.microsoftonline\.cn|sts\.(?:windows|chinacloudapi)\.(?:net|cn))\//,
    prompt: 'select_account',
    openid: ({ redirectUri }) => [
      'Open the app of the service under "App registrations", or register one for accounts of your own tenant only.',
      `Under "Authentication", add this address to the platform "Web": ${redirectUri} (Entra accepts http only for localhost, not for 127.0.0.1).`,
      'Under "Certificates & secrets", add a client secret, and copy its value, not its id. To sign in without a secret, add the address to the platform "Mobile and desktop applications" instead.',
      'The client id is the "Application (client) ID". The issuer is https://login.microsoftonline.com/<tenant id>/v2.0.',
    ],
    saml: ({ entityId, acsUrl }) => [
      'Under "Enterprise applications", open the application of the service, or create one of your own and choose single sign-on with SAML.',
      `Under "Basic SAML Configuration", add ${entityId} as "Identifier (Entity ID)" and ${acsUrl} as "Reply URL" (Entra accepts http only for localhost). Keep the values of the service.`,
      'Assign yourself under "Users and groups".',
      'The metadata of Entra is at the "App Federation Metadata Url", under "SAML Certificates". Each application has its own certificate.',
    ],
  },
  {
    name: 'Okta',
    issuers: /^https?:\/\/[\w.-]+\.okta(?:preview|-emea)?\.com(?:\/|$)/,
    openid: ({ redirectUri }) => [
      'Open the application of the service under "Applications", or create an app integration of type OIDC, Web Application, with the grant type "Authorization Code".',
      `Add this address to "Sign-in redirect URIs": ${redirectUri}`,
      'Assign yourself to the application, and copy its client id and secret.',
      'The issuer is https://<domain>/oauth2/default, or https://<domain> for the org authorization server.',
    ],
    saml: ({ entityId, acsUrl }) => [
      `Under "Applications", create an app integration of type SAML 2.0, with ${acsUrl} as "Single sign-on URL" and ${entityId} as "Audience URI (SP Entity ID)".`,
      'Add the attribute statements that the application of the service has, and assign yourself.',
      'The metadata of Okta is at the "Metadata URL" of the tab "Sign On". Each application has its own issuer.',
    ],
  },
  {
    name: 'Google',
    issuers: /^https:\/\/accounts\.google\.com(?:\/|$)/,
    prompt: 'select_account',
    openid: ({ redirectUri }) => [
      'In the Google Cloud console, open the OAuth client of the service, or create an OAuth client ID of type "Web application".',
      `Add this address to "Authorized redirect URIs": ${redirectUri} (it may take some minutes until Google knows it).`,
      'Copy the client id and the secret: Google requires the secret. While the app is in testing, add yourself as a test user.',
      'The issuer is https://accounts.google.com.',
    ],
    saml: ({ entityId, acsUrl }) => [
      `Google requires an ACS URL that begins with https://, and ours is ${acsUrl}: it does not send a response to this machine.`,
      'Sign in at the service, with the developer tools of the browser open, and paste the SAMLResponse that the browser posts.',
      `If your console accepts the address: under "Apps", "Web and mobile apps", add a custom SAML app with ${acsUrl} as "ACS URL" and ${entityId} as "Entity ID", and choose "Download metadata".`,
    ],
  },
  { name: 'Auth0', issuers: /^(?:https:\/\/|urn:)[\w.-]+\.auth0\.com\/?$/ },
  { name: 'authentik', issuers: /\/application\/o\/[^/]+\/$/ },
  { name: 'AD FS', issuers: /^https?:\/\/[^/]+\/adfs(?:\/|$)/ },
  { name: 'ORCID', issuers: /^https:\/\/(?:sandbox\.)?orcid\.org$/ },
  { name: 'Apple', issuers: /^https:\/\/appleid\.apple\.com$/ },
  { name: 'Shibboleth', issuers: /\/idp\/shibboleth$/ },
  { name: 'ZITADEL', issuers: /^https:\/\/[\w.-]+\.zitadel\.cloud$/ },
  { name: 'Cognito', issuers: /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com(?:\.cn)?\// },
  {
    name: 'eduGAIN',
    saml: ({ entityId, acsUrl }) => [
      'No federation publishes a service at localhost in eduGAIN. Ask yours for its test federation, or ask one university to add our metadata to its own provider.',
      `Save our metadata as a file, and send it there: ${entityId}. Its assertion consumer service is ${acsUrl}.`,
      'Request the attributes that the service gets: mail, displayName, givenName, sn, eduPersonScopedAffiliation and an identifier.',
      'Use the metadata of one provider, by the address that the federation has for it (MDQ). From a file with several, choose one by its entityID.',
    ],
  },
  {
    name: 'Any other provider',
    openid: ({ redirectUri }) => [
      'Open the client of the service, or register one for the authorization code flow (response type code), with PKCE if you can choose it.',
      `Register exactly this redirect address for it: ${redirectUri}`,
      'If the client has a secret, copy it. The methods client_secret_basic and client_secret_post work, and none for a public client.',
      'The issuer is the iss of ID tokens. <issuer>/.well-known/openid-configuration shows a document with the same issuer.',
    ],
    saml: ({ entityId, acsUrl }) => [
      `Give it our metadata, from ${entityId}: save it as a file, because a provider on another machine cannot reach this one.`,
      `By hand: our entity ID is ${entityId}, and our ACS URL is ${acsUrl} (HTTP-POST). Have the response or the assertion signed.`,
      'Have it send the same as to the service: NameID, AuthnStatement and attributes.',
      'Save its metadata as a file, or copy its address.',
    ],
  },
];
