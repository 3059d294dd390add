/** The provider of a login, known by its issuer as ID tokens and assertions have it, and cures for that provider alone. */
import type { Finding } from './findings.ts';

/** By the name that cures have. Their own domains, which some let an organisation choose, are not known. */
const ISSUERS: readonly (readonly [provider: string, issuers: RegExp])[] = [
  ['Keycloak', /\/realms\/[^/]+$/],
  [
    'Entra',
    /^https:\/\/(?:login\.microsoftonline\.(?:com|us)|login\.partner\.microsoftonline\.cn|sts\.(?:windows|chinacloudapi)\.(?:net|cn))\//,
  ],
  ['Okta', /^https?:\/\/[\w.-]+\.okta(?:preview|-emea)?\.com(?:\/|$)/],
  ['Google', /^https:\/\/accounts\.google\.com(?:\/|$)/],
  ['Auth0', /^(?:https:\/\/|urn:)[\w.-]+\.auth0\.com\/?$/],
  ['AD FS', /^https?:\/\/[^/]+\/adfs(?:\/|$)/],
  ['ORCID', /^https:\/\/(?:sandbox\.)?orcid\.org$/],
  ['Apple', /^https:\/\/appleid\.apple\.com$/],
  ['Shibboleth', /\/idp\/shibboleth$/],
  ['Cognito', /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com(?:\.cn)?\//],
];

/** What a cure says of several providers: ` (Keycloak: …; Entra: "Identifier (Entity ID)"; …)`. */
const OF_EACH = / \(((?:[A-Z]\w+|AD FS): (?:[^()]|\([^()]*\))*)\)/g;
const NEXT = /; (?=(?:[A-Z]\w+|AD FS): )/;

/** E.g. `AD FS`; null for one that is not known. */
export function providerOf(issuer: string | null): string | null {
  return ISSUERS.find(([, issuers]) => issuers.test(issuer ?? ''))?.[0] ?? null;
}

/** Of what a text says of several providers, only what is for this one; all of it where the provider is not known. */
export function forProvider(text: string, issuer: string | null): string {
  const provider = providerOf(issuer);
  if (provider === null) return text;
  return text.replaceAll(OF_EACH, (_, all: string) => {
    const own = all.split(NEXT).find((one) => one.startsWith(`${provider}: `));
    return own === undefined ? '' : ` (${own})`;
  });
}

export function curedFor(issuer: string | null, findings: readonly Finding[]): Finding[] {
  return findings.map(({ cure, ...one }) => ({ ...one, cure: cure && forProvider(cure, issuer) }));
}
