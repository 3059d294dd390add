import type { SignedToken } from './signedToken.ts';

/** The header's `typ` of an ID token, if any. An access token says `at+jwt`, a logout token `logout+jwt` (RFC 8725 3.11). */
const JWT = /^(?:application\/)?jwt$/i;

/** The payload's `typ` of other tokens: Keycloak's, whose ID tokens say `ID`, and the header's of access tokens repeated. */
const OTHER_KINDS = /^(?:bearer|dpop|refresh|offline|logout|(?:application\/)?at\+jwt)$/i;

/**
 * The claims that no ID token has: those of access tokens (`scope` by RFC 9068 section 2.2.3, `gty` of Auth0, `scp` of Entra,
 * Okta and others, the last three of Entra), and `events` of logout tokens (OpenID Connect Back-Channel Logout 1.0 section
 * 2.4). ID tokens may have a `client_id`, as ZITADEL's do.
 */
const OF_OTHER_TOKENS = ['scope', 'scp', 'gty', 'azpacr', 'appidacr', 'idtyp', 'events'];

/**
 * Whether a signed token is an ID token. Providers sign their other tokens with the same keys, often for the same
 * audience, and mark them in different places: the header's `typ` (RFC 9068 section 2.1 for access tokens), Keycloak the
 * payload's, Amazon Cognito `token_use`, which is `id` in ID tokens; or by a claim. A `typ` or `token_use` that is not a
 * text is refused.
 */
export function isIdToken({ protectedHeader, payload }: SignedToken): boolean {
  return (
    isAbsentOr(protectedHeader.typ, (typ) => JWT.test(typ)) &&
    isAbsentOr(payload.typ, (typ) => !OTHER_KINDS.test(typ)) &&
    isAbsentOr(payload.token_use, (use) => use === 'id') &&
    !OF_OTHER_TOKENS.some((name) => Object.hasOwn(payload, name))
  );
}

function isAbsentOr(value: unknown, isRight: (text: string) => boolean): boolean {
  return value === undefined || (typeof value === 'string' && isRight(value));
}
