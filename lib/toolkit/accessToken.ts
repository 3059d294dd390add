import { nowMs } from '../deadline.ts';
import '../core.ts';
import * as v from 'valibot';
import { LookUpFailed } from '../errors.ts';
import { lookUp } from './lookUp.ts';
import { RateLimit } from './rateLimit.ts';
import { getJsonSecret } from './secrets.ts';
import { SharedCache } from './sharedCache.ts';
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

/** Not used in its last minute: it has to be valid when it arrives. */
const EXPIRY_MARGIN_MS = 60_000;
const MAX_TOKENS = 20;
const FLIGHT_MS = 20_000;

const Client = v.object({ client_id: v.string(), client_secret: v.string() });
/** In seconds. A number (RFC 6749 section 5.1), which some authorization servers send as text. */
const Lifetime = v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))]);
const Token = v.object({ access_token: v.string(), expires_in: v.optional(Lifetime, 0) });

interface Granted {
  token: string;
  /** On the clock of `nowMs`. */
  expiresAt: number;
}

const MIN_REFRESH_MS = 30_000;
const refreshes = new RateLimit(MIN_REFRESH_MS, MAX_TOKENS);
const tokens = new SharedCache<Granted>({ max: MAX_TOKENS, flightMs: FLIGHT_MS });

/**
 * @throws {LookUpFailed}
 * @throws {SecretFailed}
 */
export async function getAccessToken(options: AccessTokenOptions): Promise<string> {
  const key = JSON.stringify([options.tokenUrl.href, options.secretId, options.scope]);
  const kept = tokens.kept(key)?.value;
  const isGood = kept && nowMs() < kept.expiresAt - EXPIRY_MARGIN_MS;
  if (isGood && !(options.refresh && refreshes.allows(key))) return kept.token;
  return (await tokens.fetch(key, () => grant(options))).token;
}

async function grant(options: AccessTokenOptions): Promise<Granted> {
  try {
    return await request(options, false);
  } catch (error) {
    // RFC 6749 section 5.2: a client whose credentials are wrong is answered 400 or 401.
    const isRefused = error instanceof LookUpFailed && (error.status === 400 || error.status === 401);
    if (!isRefused) throw error;
    return request(options, true);
  }
}

async function request(
  { tokenUrl, secretId, scope }: AccessTokenOptions,
  refresh: boolean,
): Promise<Granted> {
  const client = await getJsonSecret(secretId, Client, { refresh });
  const form = { grant_type: 'client_credentials', scope, ...client };
  const { access_token, expires_in } = await lookUp(tokenUrl, Token, { form });
  return { token: access_token, expiresAt: nowMs() + expires_in * 1_000 };
}
