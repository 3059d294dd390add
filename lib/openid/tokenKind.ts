import type { JWTPayload } from 'jose';
import { isAtEntra } from '../issuers.ts';
import type { SignedToken } from './signedToken.ts';

/** The header's `typ` of an ID token, if any. An access token says `at+jwt`, a logout token `logout+jwt` (RFC 8725 3.11). */
const JWT = /^(?:application\/)?jwt$/i;

/** The payload's `typ` of other tokens: Keycloak's, whose ID tokens say `ID`, and the header's of access tokens repeated. */
const OTHER_KINDS = /^(?:bearer|dpop|refresh|offline|logout|(?:application\/)?at\+jwt)$/i;

/** The claims that only access tokens have. ID tokens may have a `client_id`, as ZITADEL's do. */
const OF_ACCESS_TOKENS = ['scope', 'scp', 'gty'];

/** Entra External ID and Azure AD B2C have a host for each tenant. */
const ENTRA_TENANT_HOST = /^[\w-]+\.(?:ciamlogin|b2clogin)\.com$/;

/** Behind a custom domain, Azure AD B2C's issuers keep their path. */
const ENTRA_PATH = /^\/[0-9a-f-]{36}\/v2\.0\/?$/i;

/** The claims that Entra puts into access tokens only. */
const OF_ENTRA_ACCESS_TOKENS = ['azpacr', 'appidacr', 'idtyp'];

/**
 * Whether a signed token is an ID token. Providers sign their other tokens with the same keys, often for the same
 * audience, and mark them in different places:
 *
 * - the header's `typ` (RFC 9068 section 2.1 for access tokens);
 * - `events` in logout tokens (OpenID Connect Back-Channel Logout 1.0 section 2.4);
 * - Keycloak: the payload's `typ`; Amazon Cognito: `token_use`, which is `id` in ID tokens;
 * - `scope` (RFC 9068 section 2.2.3), Auth0's `gty`, and `scp` of Entra, Okta and others, in access tokens only; more such
 *   claims of Entra.
 *
 * A `typ` or `token_use` that is not a text is refused.
 *
 * @param iss the issuer, a URL
 */
export function isIdToken({ protectedHeader, payload }: SignedToken, iss: string): boolean {
  return (
    isAbsentOr(protectedHeader.typ, (typ) => JWT.test(typ)) &&
    isAbsentOr(payload.typ, (typ) => !OTHER_KINDS.test(typ)) &&
    isAbsentOr(payload.token_use, (use) => use === 'id') &&
    payload.events === undefined &&
    !hasAny(payload, OF_ACCESS_TOKENS) &&
    !isEntraAccessToken(payload, iss)
  );
}

function isAbsentOr(value: unknown, isRight: (text: string) => boolean): boolean {
  return value === undefined || (typeof value === 'string' && isRight(value));
}

function isEntraAccessToken(payload: JWTPayload, iss: string): boolean {
  const url = URL.parse(iss);
  return url !== null && isOfEntra(url) && hasAny(payload, OF_ENTRA_ACCESS_TOKENS);
}

function hasAny(payload: JWTPayload, names: readonly string[]): boolean {
  return names.some((name) => Object.hasOwn(payload, name));
}

function isOfEntra(url: URL): boolean {
  return isAtEntra(url) || ENTRA_TENANT_HOST.test(url.hostname) || ENTRA_PATH.test(url.pathname);
}
