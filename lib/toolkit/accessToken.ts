import type { LookUpUrl } from './url.ts';

export interface AccessTokenOptions {
  /** The authorization server's token endpoint. */
  tokenUrl: LookUpUrl;
  /** The secret that holds `client_id` and `client_secret`, as JSON. */
  secretId: string;
  scope: string;
  /**
   * Asks for a new token although one is cached: for when the system that it opens has refused it. At most once in
   * 30 seconds; in between, the cached one comes back.
   */
  refresh?: boolean;
}

/**
 * An access token of this service's own, by client credentials (RFC 6749 section 4.4). Kept for all logins until
 * shortly before it expires. Where the authorization server refuses the client, its secret is asked for anew, once.
 *
 * @throws {LookUpFailed}
 * @throws {SecretFailed}
 */
export async function getAccessToken(options: AccessTokenOptions): Promise<string> {
  const { accessToken } = await import('./clientCredentials.ts');
  return accessToken(options);
}
