import type { OpenIdUserLoggedInEvent } from '../openid/model.ts';

export interface UserInfoOptions {
  /** The issuers whose UserInfo may be asked for, each as it stands in its ID tokens. */
  issuers: readonly string[];
  /** Whether `http:` is allowed: for a provider on the same machine alone. */
  allowHttp?: boolean;
}

/**
 * Adds what the provider's UserInfo endpoint says of the person (OpenID Connect Core 5.3) to the event's claims.
 *
 * The endpoint is the one in the discovery document of an issuer that the operator configured (OpenID Connect
 * Discovery 1.0 section 4), never one that an event names. The access token goes there as bearer token.
 *
 * @returns the event, its `other_claims` with those of UserInfo added; where both have one, the signed ID token's
 *   counts. An e-mail address that either of them says is not verified stays unverified
 * @throws {LookUpFailed} where it cannot be had, or its `sub` is not the ID token's (OpenID Connect Core 5.3.2)
 */
export async function userInfo(
  event: OpenIdUserLoggedInEvent,
  options: UserInfoOptions,
): Promise<OpenIdUserLoggedInEvent> {
  const { withUserInfo } = await import('../openid/userInfoClaims.ts');
  return withUserInfo(event, options);
}
