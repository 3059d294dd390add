/** The keys that an issuer signs with: fetched on first use, kept for a while, each issuer's for itself. */
import '../core.ts';
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from 'jose';
import * as v from 'valibot';
import { LoginError, LookUpFailed } from '../errors.ts';
import type { OpenIdIssuer } from '../issuers.ts';
import { lookUp } from '../toolkit/lookUp.ts';
import { RateLimit } from '../toolkit/rateLimit.ts';
import { SharedCache } from '../toolkit/sharedCache.ts';
import { LookUpUrl } from '../toolkit/url.ts';
import { discover } from './discovery.ts';

export type IssuerKeys = LocalJWKSet;

/** A key that the issuer withdraws is trusted for no longer than this. */
const KEPT_MS = 10 * 60_000;
/** Anyone who can send tokens can make up key ids: not each of them becomes a request to the issuer. */
const MIN_REFETCH_MS = 30_000;
/** All tries of both requests together. */
const FLIGHT_MS = 20_000;
const MAX_ISSUERS = 100;

/** Of an issuer. Real issuers have fewer than 20; a token without a key id is checked against each. */
const MAX_KEYS = 100;
/** Of a key. RFC 7517 section 4.3 names 8; jose compares each with each. */
const MAX_KEY_OPERATIONS = 20;

const Key = v.pipe(
  v.looseObject({ kty: v.string() }),
  v.check(({ key_ops }) => !Array.isArray(key_ops) || key_ops.length <= MAX_KEY_OPERATIONS),
);
const KeySet = v.object({ keys: v.pipe(v.array(Key), v.maxLength(MAX_KEYS)) });
const Metadata = v.object({ jwks_uri: v.pipe(v.string(), v.startsWith('https:'), v.url()) });

const keySets = new SharedCache<IssuerKeys>({ max: MAX_ISSUERS, flightMs: FLIGHT_MS });
const refetches = new RateLimit(MIN_REFETCH_MS, MAX_ISSUERS);

/** @throws {LoginError} `keys_unavailable` */
export async function keysOf(iss: string, issuer: OpenIdIssuer): Promise<IssuerKeys> {
  const kept = keySets.kept(iss);
  return kept && kept.ageMs < KEPT_MS ? kept.value : fetchOnce(iss, issuer);
}

/**
 * The keys as they are now, for a token that none of the kept ones fits; null where that was asked a moment ago.
 *
 * @throws {LoginError} `keys_unavailable`
 */
export async function keysAnew(iss: string, issuer: OpenIdIssuer): Promise<IssuerKeys | null> {
  return keySets.isFetching(iss) || refetches.allows(iss) ? fetchOnce(iss, issuer) : null;
}

async function fetchOnce(iss: string, issuer: OpenIdIssuer): Promise<IssuerKeys> {
  try {
    return await keySets.fetch(iss, () => fetchKeys(iss, issuer));
  } catch (error) {
    throw error instanceof LookUpFailed
      ? new LoginError('keys_unavailable', { cause: error.code, ...error.details })
      : error;
  }
}

async function fetchKeys(iss: string, { jwks_uri }: OpenIdIssuer): Promise<IssuerKeys> {
  const address = new LookUpUrl(jwks_uri ?? (await discover(iss, Metadata)).jwks_uri);
  return createLocalJWKSet((await lookUp(address, KeySet, {})) as JSONWebKeySet);
}
