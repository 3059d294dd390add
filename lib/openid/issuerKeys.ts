/**
 * The keys that an issuer signs with: fetched on first use and cached, each issuer's apart.
 *
 * jose's remote set does no discovery, counts its cool-down from the last success, and joins a request that a frozen
 * process left behind. The cache of the toolkit already does what such a set would need around it.
 */
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import * as v from 'valibot';
import { isLoopbackHttp, type OpenIdIssuer } from '../issuers.ts';
import { LoginError, LookUpFailed } from '../reasons.ts';
import { Cache } from '../toolkit/cache.ts';
import { lookUp } from '../toolkit/lookUp.ts';
import { LookUpUrl } from '../toolkit/url.ts';
import { discover } from './discovery.ts';

export type IssuerKeys = LocalJWKSet;

/** A key that the issuer withdraws is trusted for no longer than this. */
const MAX_AGE_MS = 10 * 60_000;
/** All tries of both requests, to discovery and to the keys. */
const REQUEST_MS = 20_000;
const MAX_ISSUERS = 100;

/** Of an issuer. Real issuers have fewer than 20; a token without a key id is checked against each. */
const MAX_KEYS = 100;
/** Of a key. RFC 7517 section 4.3 names 8; jose compares each with each. */
const MAX_KEY_OPERATIONS = 20;

const Key = v.pipe(
  v.looseObject({ kty: v.string() }),
  v.check(({ key_ops }) => !Array.isArray(key_ops) || key_ops.length <= MAX_KEY_OPERATIONS),
);
/** A set of keys, bounded (RFC 7517 section 5). */
export const KeySet = v.object({ keys: v.pipe(v.array(Key), v.maxLength(MAX_KEYS)) });

const keySets = new Cache<IssuerKeys>({ max: MAX_ISSUERS, requestMs: REQUEST_MS });

/**
 * The keys of an issuer: the cached ones for ten minutes.
 *
 * @param iss the issuer, an https URL
 * @param options `refresh`: for a token that no cached key fits. Fetches the keys although they are cached, at most once
 *   in 30 seconds an issuer; in between, the same object comes back
 * @throws {LoginError} `keys_unavailable`
 */
export async function keysOf(
  iss: string,
  issuer: OpenIdIssuer,
  { refresh = false } = {},
): Promise<IssuerKeys> {
  try {
    return await keySets.fetch(iss, () => fetchKeys(iss, issuer), { maxAgeMs: MAX_AGE_MS, refresh });
  } catch (error) {
    throw error instanceof LookUpFailed
      ? new LoginError('keys_unavailable', { cause: error.code, ...error.details })
      : error;
  }
}

/** A `jwks_uri` of plain HTTP on loopback is one that the settings allow: off Lambda. */
async function fetchKeys(iss: string, { jwks_uri }: OpenIdIssuer): Promise<IssuerKeys> {
  const address = jwks_uri === undefined ? await discover(iss, 'jwks_uri') : new LookUpUrl(jwks_uri);
  const keySet = await lookUp(address, KeySet, { allowHttp: isLoopbackHttp(address.href) });
  return createLocalJWKSet(keySet as JSONWebKeySet);
}
