import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { JWTPayload, JWTVerifyResult } from 'jose';
import * as v from 'valibot';
import type { OpenIdUserLoggedInEvent } from '../../automation/openid/model.ts';
import { showableNames } from '../../automation/profile/trace.ts';
import { freeForm, problemsOf } from '../../automation/schema.ts';
import type { OpenIdIssuer } from '../../runtime/issuers.ts';
import { TokenRefused } from '../errors.ts';
import { verifySignedToken } from './signedToken.ts';

export interface TokenCheckSettings {
  openidIssuers: ReadonlyMap<string, OpenIdIssuer>;
  clockSkewSeconds: number;
}

/** The claims that the event has under names of its own; `aud` and `nonce` are compared by rules of their own. */
const COMPARED = ['iss', 'sub', 'exp', 'iat'] as const;
const OWN_NAMES: readonly string[] = [...COMPARED, 'aud', 'nonce'];

/**
 * Whether the event is what its ID token says, and the token what OpenID Connect Core 3.1.3.7 asks for:
 *
 * 1. Decryption: the service's; the event has the token in its signed form.
 * 2. `iss`: one that is listed, the same in event, token and discovery document (`discover`).
 * 3. `aud`: has a listed audience and no other (`requireAudience`).
 * 4. and 5. `azp`: listed where it is there, required where there are several audiences (`requireAudience`).
 * 6. Signature: by a key of this issuer, even though TLS to the token endpoint would do for the service (`issuerKeys`).
 * 7. `alg`: one of the asymmetric ones (`signedToken`).
 * 8. MACs: never; whoever has a client secret would be an issuer.
 * 9. `exp`: required, and not over (`signedToken`).
 * 10. `iat`: required, and not ahead (`signedToken`); how old a token may be is the issuer's matter, by `exp`.
 * 11. `nonce`: that it is the one sent is the service's; here they are the same where both have one.
 * 12. and 13. `acr`, `auth_time`: the service's, which asked for them.
 *
 * Besides: `at_hash`, where it is there, is that of the access token (3.1.3.8, by the steps of 3.2.2.9); and each claim of
 * the event is one of the token. What the token has more is put back (`restoreClaims`).
 *
 * @throws {TokenRefused}
 * @throws {KeysUnavailable}
 */
export async function verifyIdToken(
  { id_token, id_token_jwt, access_token }: OpenIdUserLoggedInEvent,
  { openidIssuers, clockSkewSeconds }: TokenCheckSettings,
): Promise<void> {
  const { iss } = id_token;
  const issuer = openidIssuers.get(iss);
  if (!issuer) throw new TokenRefused('token_issuer_refused');
  const token = await verifySignedToken(id_token_jwt, iss, issuer, clockSkewSeconds);
  requireAudience(token.payload, issuer);
  requireAccessToken(token, access_token);
  requireSameClaims(id_token, token.payload);
  restoreClaims(id_token, token.payload);
}

function requireAudience({ aud, azp }: JWTPayload, { audiences }: OpenIdIssuer): void {
  const meantFor = asList(aud);
  const isListed = (client: unknown) => audiences.some((audience) => audience === client);
  if (meantFor.length === 0 || !meantFor.every(isListed)) throw new TokenRefused('token_audience_refused');
  const isSaid = azp !== undefined || meantFor.length > 1;
  if (isSaid && !isListed(azp)) throw new TokenRefused('token_azp_refused');
}

/** The left half of the access token's hash; the hash is the one of the token's own algorithm. */
function requireAccessToken({ payload, protectedHeader }: JWTVerifyResult, accessToken: string): void {
  if (payload.at_hash === undefined) return;
  // Of EdDSA, the curve Ed25519 hashes with SHA-512 (RFC 8032 section 5.1).
  const [bits] = /(256|384|512)$/.exec(protectedHeader.alg) ?? ['512'];
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  if (payload.at_hash !== hash.subarray(0, hash.length / 2).toString('base64url')) {
    throw new TokenRefused('token_access_token_differs');
  }
}

function requireSameClaims(event: OpenIdUserLoggedInEvent['id_token'], token: JWTPayload): void {
  const differing = [
    ...COMPARED.filter((name) => event[name] !== token[name]),
    ...(isDeepStrictEqual(new Set(event.aud), new Set(asList(token.aud))) ? [] : ['aud']),
    ...(isSameWhereBoth(event.nonce, token.nonce) ? [] : ['nonce']),
    ...Object.entries(event.other_claims).flatMap(([name, value]) =>
      Object.hasOwn(token, name) && isDeepStrictEqual(value, token[name]) ? [] : [name],
    ),
  ];
  if (differing.length > 0)
    throw new TokenRefused('token_claims_differ', { claims: showableNames(differing) });
}

function isSameWhereBoth(event: string | null, token: unknown): boolean {
  return event === null || token === undefined || token === null || event === token;
}

/** Some claims hold somebody back (`email_verified: false`, a group that is suspended): no sender may leave them out. */
function restoreClaims(event: OpenIdUserLoggedInEvent['id_token'], token: JWTPayload): void {
  const others = Object.entries(token).filter(([name]) => !OWN_NAMES.includes(name) && name !== '__proto__');
  const bounded = v.safeParse(freeForm, Object.fromEntries(others));
  if (!bounded.success) throw new TokenRefused('token_malformed', { problems: problemsOf(bounded.issues) });
  event.other_claims = { ...bounded.output, ...event.other_claims };
}

function asList(aud: unknown): unknown[] {
  if (Array.isArray(aud)) return aud;
  return aud === undefined ? [] : [aud];
}
