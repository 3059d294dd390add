/** What providers and browsers reach on this machine during a sign-in: the one place where each path stands. */

/** The redirect URI (OpenID Connect Core 3.1.2.1). */
export const OPENID_CALLBACK = '/callback/openid';
/** The assertion consumer service (SAML Metadata 2.4.4). */
export const SAML_CALLBACK = '/callback/saml';
/** Our metadata; its address is our entity id. */
export const SAML_METADATA = '/saml/metadata';

/** As providers have it registered: they compare it letter by letter. */
export function addressOf(port: number, path: string): string {
  return `http://localhost:${port}${path}`;
}
