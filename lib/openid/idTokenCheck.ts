/** The ID token of a login: signed by the issuer, for this service, for now, and what the event says. */
import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import * as v from 'valibot';
import type { OpenIdIssuer } from '../issuers.ts';
import { nearIssuer } from '../profile/fields/nearMiss.ts';
import { type Check, LoginError, requireAll, type TokenCode } from '../reasons.ts';
import { freeForm, problemsOf } from '../schema.ts';
import type { Settings } from '../settings.ts';
import { showableNames } from '../text.ts';
import { isOwnClaim, OWN_CLAIMS } from './claims.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';
import { ALGORITHMS, type SignedToken, verifySignature } from './signedToken.ts';
import { isIdToken } from './tokenKind.ts';

const { isDeepStrictEqual } = process.getBuiltinModule('node:util');

type TokenCheckSettings = Pick<Settings, 'openidIssuers' | 'clockSkewSeconds'>;

/** A token, and all that it is judged by. */
interface JudgedToken extends SignedToken {
  event: OpenIdUserLoggedInEvent;
  /** What the settings say of the event's issuer; null where it is not listed. */
  issuerSettings: OpenIdIssuer | null;
  /** Since 1970. */
  nowSeconds: number;
  /** Tolerance for clock differences. */
  clockSkewSeconds: number;
  /** A copy of the claims for which the event has no name of its own; empty where they exceed the bounds. */
  otherClaims: Record<string, unknown>;
  problems: string[];
}

type TokenCheck = Check<JudgedToken, TokenCode>;

const isThere = (value: unknown) => value !== undefined;
const isNumber = (value: unknown) => typeof value === 'number';

/**
 * What can be judged of a token without its issuer's keys, in the order in which a login is refused.
 *
 * A check of a claim's value holds where the claim is absent or of another type: an earlier check has refused that.
 */
export const ID_TOKEN_CHECKS: readonly TokenCheck[] = [
  // For a token whose signature nobody has checked: jose refuses it before.
  { code: 'token_algorithm_refused', holds: ({ protectedHeader: { alg } }) => ALGORITHMS.includes(alg) },
  ...['iss', 'aud', 'sub'].map((claim) => hasForm(claim, isThere)),
  ...['iat', 'exp'].map((claim) => hasForm(claim, isNumber)),
  hasForm('nbf', (nbf) => !isThere(nbf) || isNumber(nbf)),
  {
    code: 'token_issuer_refused',
    holds: ({ issuerSettings, payload, event }) =>
      issuerSettings !== null && payload.iss === event.id_token.iss,
    details: () => ({ claim: 'iss' }),
  },
  isNotAhead('nbf'),
  {
    code: 'token_expired',
    holds: ({ payload: { exp }, nowSeconds, clockSkewSeconds }) =>
      typeof exp !== 'number' || exp > nowSeconds - clockSkewSeconds,
  },
  { code: 'token_type_refused', holds: isIdToken },
  isNotAhead('iat'),
  {
    code: 'token_audience_refused',
    holds: (token) => {
      const audiences = asList(token.payload.aud);
      return audiences.length > 0 && audiences.every((client) => isListed(client, token));
    },
  },
  {
    code: 'token_azp_refused',
    holds: (token) => {
      const { aud, azp } = token.payload;
      return (azp === undefined && asList(aud).length < 2) || isListed(azp, token);
    },
  },
  { code: 'token_access_token_differs', holds: isOfAccessToken },
  {
    code: 'token_claims_differ',
    holds: (token) => differingClaims(token).length === 0,
    details: (token) => ({ claims: showableNames(differingClaims(token)) }),
  },
  {
    code: 'token_malformed',
    holds: ({ problems }) => problems.length === 0,
    details: ({ problems }) => ({ problems }),
  },
];

/**
 * Checks the ID token by the steps of OpenID Connect Core 3.1.3.7, and the event against it:
 *
 * 1. Decryption: left to the service; the event has the token in its signed form.
 * 2. `iss`: listed, and the same in the event, the token and the discovery document (`discover`).
 * 3. `aud`: has a listed audience and no other.
 * 4. and 5. `azp`: listed where present, required where there are several audiences.
 * 6. Signature: by a key of this issuer, although TLS to the token endpoint would do for the service (`issuerKeys`).
 * 7. `alg`: an asymmetric one (`signedToken`).
 * 8. MACs: refused, because anyone who has the client's secret could sign.
 * 9. `exp`: required, and not over.
 * 10. `iat`: required, and not ahead. Only `exp` says how old a token may be.
 * 11. `nonce`: where the event has one, the token has the same. The service compares it with the one that it sent.
 * 12. and 13. `acr`, `auth_time`: left to the service, which asked for them.
 *
 * Also checked: the token is an ID token and no other token of the issuer (`tokenKind`); `at_hash`, where present, is the
 * access token's (3.1.3.8, by the steps of 3.2.2.9); each claim of the event is one of the token. Claims that only the
 * token has are added to the event.
 *
 * @throws {LoginError} `token_…`, or `keys_unavailable` where the signature cannot be checked
 */
export async function verifyIdToken(
  event: OpenIdUserLoggedInEvent,
  settings: TokenCheckSettings,
): Promise<void> {
  const { id_token, id_token_jwt } = event;
  const issuer = settings.openidIssuers.get(id_token.iss);
  // Before a request goes out: only the keys of a listed issuer are fetched.
  if (!issuer)
    throw new LoginError(
      'token_issuer_refused',
      nearIssuer('OPENID_ISSUERS', settings.openidIssuers.keys(), id_token.iss),
    );
  const signed = await verifySignature(id_token_jwt, id_token.iss, issuer);
  const token = judgedToken(signed, event, settings, Date.now());
  requireAll(ID_TOKEN_CHECKS, token);
  // Some claims hold somebody back (`email_verified: false`, a suspended group): no sender may leave them out.
  id_token.other_claims = { ...token.otherClaims, ...id_token.other_claims };
}

/**
 * A token beside what it is judged by.
 *
 * @param nowMs milliseconds since 1970
 */
export function judgedToken(
  signed: SignedToken,
  event: OpenIdUserLoggedInEvent,
  { openidIssuers, clockSkewSeconds }: TokenCheckSettings,
  nowMs: number,
): JudgedToken {
  const others = Object.entries(signed.payload).filter(([name]) => !isOwnClaim(name));
  const bounded = v.safeParse(freeForm, Object.fromEntries(others));
  return {
    ...signed,
    event,
    issuerSettings: openidIssuers.get(event.id_token.iss) ?? null,
    nowSeconds: nowMs / 1_000,
    clockSkewSeconds,
    otherClaims: bounded.success ? bounded.output : {},
    problems: problemsOf(bounded.issues ?? []),
  };
}

function hasForm(claim: string, isRight: (value: unknown) => boolean): TokenCheck {
  const holds = ({ payload }: JudgedToken) => isRight(payload[claim]);
  return { code: 'token_malformed', holds, details: () => ({ claim }) };
}

function isNotAhead(claim: 'iat' | 'nbf'): TokenCheck {
  const holds = ({ payload: { [claim]: time }, nowSeconds, clockSkewSeconds }: JudgedToken) =>
    typeof time !== 'number' || time <= nowSeconds + clockSkewSeconds;
  return { code: 'token_not_yet_valid', holds, details: () => ({ claim }) };
}

function isListed(client: unknown, { issuerSettings }: JudgedToken): boolean {
  return issuerSettings?.audiences.some((audience) => audience === client) ?? false;
}

/** `at_hash` is the left half of the access token's hash, by the hash of the token's own algorithm. */
function isOfAccessToken({ payload, protectedHeader, event }: JudgedToken): boolean {
  if (payload.at_hash === undefined) return true;
  // Of EdDSA, the curve Ed25519 hashes with SHA-512 (RFC 8032 section 5.1).
  // Stryker disable next-line Regex: no algorithm that is accepted has the digits anywhere else.
  const [bits] = /(256|384|512)$/.exec(protectedHeader.alg) ?? ['512'];
  const hash = createHash(`sha${bits}`).update(event.access_token).digest();
  return payload.at_hash === hash.subarray(0, hash.length / 2).toString('base64url');
}

/** The names of the event's claims that the token does not have, or has otherwise. */
function differingClaims({ event, payload }: JudgedToken): string[] {
  const { other_claims, ...own } = event.id_token;
  return [
    ...OWN_CLAIMS.filter((name) => !isSame(name, own[name], payload)),
    ...Object.keys(other_claims).filter((name) => !isSame(name, other_claims[name], payload)),
  ];
}

/** Some services repeat `iss`, `sub`, `aud`, `exp`, `iat` and `nonce` among the other claims: the same rules hold there. */
function isSame(name: string, value: unknown, token: JWTPayload): boolean {
  if (name === 'nonce' && value === null) return true;
  if (name === 'exp' || name === 'iat') return isSameSecond(value, token[name]);
  if (name === 'aud') return isDeepStrictEqual(new Set(asList(value)), new Set(asList(token.aud)));
  return isDeepStrictEqual(value, token[name]);
}

/** A NumericDate may have a fraction (RFC 7519 section 2), which the event cannot express. */
function isSameSecond(value: unknown, claim: unknown): boolean {
  return typeof value === 'number' && typeof claim === 'number' && Math.abs(value - claim) < 1;
}

function asList(aud: unknown): unknown[] {
  return Array.isArray(aud) ? aud : [aud];
}
