import '../core.ts';
import { createHash } from 'node:crypto';
import type { JWTPayload, JWTVerifyResult } from 'jose';
import * as v from 'valibot';
import { LoginError } from '../errors.ts';
import type { OpenIdIssuer } from '../issuers.ts';
import { showableNames } from '../profile/decision.ts';
import { freeForm, problemsOf } from '../schema.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';
import { verifySignedToken } from './signedToken.ts';

const { isDeepStrictEqual } = process.getBuiltinModule('node:util');

export interface TokenCheckSettings {
  openidIssuers: ReadonlyMap<string, OpenIdIssuer>;
  clockSkewSeconds: number;
}

/** The claims that the event has under names of its own. */
const OWN_NAMES = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'] as const;
const IS_OWN_NAME = new Set<string>(OWN_NAMES);

/** How many claims that differ are looked for: the log names fewer. */
const MAX_DIFFERING = 100;

/**
 * Checks the ID token by the steps of OpenID Connect Core 3.1.3.7, and the event against it:
 *
 * 1. Decryption: left to the service; the event has the token in its signed form.
 * 2. `iss`: listed, and the same in the event, the token and the discovery document (`discover`).
 * 3. `aud`: has a listed audience and no other (`requireAudience`).
 * 4. and 5. `azp`: listed where present, required where there are several audiences (`requireAudience`).
 * 6. Signature: by a key of this issuer, although TLS to the token endpoint would do for the service (`issuerKeys`).
 * 7. `alg`: an asymmetric one (`signedToken`).
 * 8. MACs: refused, because everybody who has the client's secret could sign.
 * 9. `exp`: required, and not over (`signedToken`).
 * 10. `iat`: required, and not ahead (`signedToken`). `exp` alone says how old a token may be.
 * 11. `nonce`: where the event has one, the token has the same. The service compares it with the one that it sent.
 * 12. and 13. `acr`, `auth_time`: left to the service, which asked for them.
 *
 * Also checked: the token is an ID token and no other token of the issuer (`tokenKind`); `at_hash`, where present, is the
 * access token's (3.1.3.8, by the steps of 3.2.2.9); each claim of the event is one of the token. Claims that only the
 * token has are added to the event (`restoreClaims`).
 *
 * @throws {LoginError}
 * @throws {LoginError} `keys_unavailable`
 */
export async function verifyIdToken(
  { id_token, id_token_jwt, access_token }: OpenIdUserLoggedInEvent,
  { openidIssuers, clockSkewSeconds }: TokenCheckSettings,
): Promise<void> {
  const { iss } = id_token;
  const issuer = openidIssuers.get(iss);
  if (!issuer) throw new LoginError('token_issuer_refused');
  const token = await verifySignedToken(id_token_jwt, iss, issuer, clockSkewSeconds);
  requireAudience(token.payload, issuer);
  requireAccessToken(token, access_token);
  requireSameClaims(id_token, token.payload);
  restoreClaims(id_token, token.payload);
}

function requireAudience({ aud, azp }: JWTPayload, { audiences }: OpenIdIssuer): void {
  const meantFor = asList(aud);
  const isListed = (client: unknown) => audiences.some((audience) => audience === client);
  if (meantFor.length === 0 || !meantFor.every(isListed)) throw new LoginError('token_audience_refused');
  const isSaid = azp !== undefined || meantFor.length > 1;
  if (isSaid && !isListed(azp)) throw new LoginError('token_azp_refused');
}

/** The left half of the access token's hash; the hash is the one of the token's own algorithm. */
function requireAccessToken({ payload, protectedHeader }: JWTVerifyResult, accessToken: string): void {
  if (payload.at_hash === undefined) return;
  // Of EdDSA, the curve Ed25519 hashes with SHA-512 (RFC 8032 section 5.1).
  const [bits] = /(256|384|512)$/.exec(protectedHeader.alg) ?? ['512'];
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  if (payload.at_hash !== hash.subarray(0, hash.length / 2).toString('base64url')) {
    throw new LoginError('token_access_token_differs');
  }
}

function requireSameClaims(event: OpenIdUserLoggedInEvent['id_token'], token: JWTPayload): void {
  const { other_claims, ...own } = event;
  const differing = [
    ...OWN_NAMES.filter((name) => !isSame(name, own[name], token)),
    ...Object.keys(other_claims)
      .values()
      .filter((name) => !isSame(name, other_claims[name], token))
      .take(MAX_DIFFERING),
  ];
  if (differing.length > 0) throw new LoginError('token_claims_differ', { claims: showableNames(differing) });
}

/** Some services repeat `iss`, `sub`, `aud`, `exp`, `iat` and `nonce` among the other claims: the same rules hold there. */
function isSame(name: string, value: unknown, token: JWTPayload): boolean {
  if (name === 'nonce' && value === null) return true;
  if (!Object.hasOwn(token, name)) return false;
  if (name === 'exp' || name === 'iat') return isSameSecond(value, token[name]);
  if (name === 'aud') return isDeepStrictEqual(new Set(asList(value)), new Set(asList(token.aud)));
  return isDeepStrictEqual(value, token[name]);
}

/** A NumericDate may have a fraction (RFC 7519 section 2), which the event cannot express. */
function isSameSecond(value: unknown, claim: unknown): boolean {
  return typeof value === 'number' && typeof claim === 'number' && Math.abs(value - claim) < 1;
}

/** Some claims hold somebody back (`email_verified: false`, a group that is suspended): no sender may leave them out. */
function restoreClaims(event: OpenIdUserLoggedInEvent['id_token'], token: JWTPayload): void {
  const others = Object.entries(token).filter(([name]) => !IS_OWN_NAME.has(name) && name !== '__proto__');
  const bounded = v.safeParse(freeForm, Object.fromEntries(others));
  if (!bounded.success) throw new LoginError('token_malformed', { problems: problemsOf(bounded.issues) });
  event.other_claims = { ...bounded.output, ...event.other_claims };
}

function asList(aud: unknown): unknown[] {
  if (Array.isArray(aud)) return aud;
  return aud === undefined ? [] : [aud];
}
