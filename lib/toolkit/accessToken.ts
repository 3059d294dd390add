/** Access tokens of this service's own, cached for all logins. */
import * as v from 'valibot';
import { LookUpFailed } from '../reasons.ts';
import { Cache } from './cache.ts';
import { lookUp } from './lookUp.ts';
import { getJsonSecret } from './secrets.ts';
import type { LookUpUrl } from './url.ts';

export interface AccessTokenOptions {
  /** The authorization server's token endpoint. */
  tokenUrl: LookUpUrl;
  /** The secret that holds `client_id` and `client_secret`, as JSON. */
  secretId: string;
  scope: string;
  /**
   * Requests a new token although one is cached: for when the system that it opens has refused it. At most once in 30
   * seconds; in between, the cached token comes back. Default: false.
   */
  refresh?: boolean;
}

/** A token is not used in its last minute: it has to be valid when it arrives. */
const EXPIRY_MARGIN_MS = 60_000;
const MAX_TOKENS = 20;
/** Twice: the secret (6 s) and the token endpoint (10 s), each with all tries. */
const REQUEST_MS = 32_000;

const Client = v.object({ client_id: v.string(), client_secret: v.string() });
/** In seconds. A number (RFC 6749 section 5.1), which some authorization servers send as text. */
const Lifetime = v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))]);
const Granted = v.object({ access_token: v.string(), expires_in: v.optional(Lifetime, 0) });

type Grant = v.InferOutput<typeof Granted>;

const grants = new Cache<Grant>({ max: MAX_TOKENS, requestMs: REQUEST_MS });

/** Cached until a minute before it expires. A token whose lifetime the server does not tell is not cached. */
export async function getAccessToken(options: AccessTokenOptions): Promise<string> {
  const key = JSON.stringify([options.tokenUrl.href, options.secretId, options.scope]);
  const lifetimeMs = (grants.cached(key, Infinity)?.expires_in ?? 0) * 1_000;
  const { access_token } = await grants.fetch(key, () => grant(options), {
    maxAgeMs: lifetimeMs - EXPIRY_MARGIN_MS,
    refresh: options.refresh ?? false,
  });
  return access_token;
}

async function grant({ tokenUrl, secretId, scope }: AccessTokenOptions): Promise<Grant> {
  const ask = async (refresh: boolean) => {
    const client = await getJsonSecret(secretId, Client, { refresh });
    return lookUp(tokenUrl, Granted, { form: { grant_type: 'client_credentials', scope, ...client } });
  };
  return ask(false).catch((error) => {
    // RFC 6749 section 5.2: wrong client credentials get 400 or 401. They may have been rotated.
    if (error instanceof LookUpFailed && [400, 401].includes(Number(error.status))) return ask(true);
    throw error;
  });
}
