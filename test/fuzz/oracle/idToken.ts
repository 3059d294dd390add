/** Whether an event is what its ID token says, and the token its issuer's, for this service and for now. */
import { createHash, type KeyObject, verify } from 'node:crypto';
import { CLOCK_SKEW_SECONDS } from './assertion.ts';
import type { OpenIdWire } from './event.ts';
import { isObject, isSameJson, type JsonObject, own } from './json.ts';

/**
 * RFC 7515 section 2 has neither padding nor white space. jose takes both where they are right for base64: of no
 * consequence, because header and payload are signed as they are written.
 */
const BASE64URL = /^[A-Za-z0-9_\s-]*(?:==)?$/;

export interface IssuerKey {
  kid: string;
  alg: 'ES256' | 'EdDSA' | 'RS256';
  publicKey: KeyObject;
}

export interface Issuer {
  audiences: string[];
  keys: IssuerKey[];
}

/** What issuers write into the payload of tokens that are no ID tokens. */
const OTHER_TYPES = ['bearer', 'dpop', 'refresh', 'offline', 'logout', 'at+jwt', 'application/at+jwt'];
/** What Microsoft Entra writes into access tokens alone, and the hosts of its issuers. */
const ENTRA_ACCESS_CLAIMS = ['azpacr', 'appidacr', 'idtyp'];
const ENTRA =
  /^https:\/\/((sts\.(windows\.net|chinacloudapi\.cn)|login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn))\/|[^/]+\/[\da-f-]{36}\/v2\.0\/?$)/i;

/** Whether an event may pass the check; null where nobody says so. */
export function tokenAgrees(
  { accessToken, idToken, idTokenJwt }: OpenIdWire,
  issuers: Readonly<Record<string, Issuer>>,
): boolean | null {
  const issuer = Object.hasOwn(issuers, idToken.iss) ? issuers[idToken.iss] : undefined;
  const token = issuer && readToken(idTokenJwt, issuer);
  if (!token) return false;
  const agrees =
    isForNow(token.payload) &&
    isForUs(token.payload, issuer) &&
    isOfAccessToken(token.payload, token.alg, accessToken) &&
    saysTheSame(idToken, token.payload);
  return agrees && isIdToken(token.payload);
}

/** Of a value that no issuer writes, nobody says what it means. */
function isIdToken(payload: JsonObject): boolean | null {
  const typ = own(payload, 'typ');
  const use = own(payload, 'token_use');
  const isEntra = ENTRA.test(String(payload.iss));
  const says = ENTRA_ACCESS_CLAIMS.map((name) => own(payload, name) ?? undefined);
  if (OTHER_TYPES.includes(String(typ).toLowerCase())) return false;
  // Of an access token.
  if (['scope', 'scp', 'gty'].some((name) => own(payload, name) !== undefined)) return false;
  if (use !== undefined && use !== 'id')
    return use === null || String(use).toLowerCase() === 'id' ? null : false;
  if (isEntra && says.some((value) => value !== undefined)) return false;
  const isOddType = typ !== undefined && typ !== 'ID' && typ !== 'JWT';
  const isNullOfEntra = isEntra && ENTRA_ACCESS_CLAIMS.some((name) => own(payload, name) === null);
  return isOddType || isNullOfEntra ? null : true;
}

/** What a token says; null where none of its issuer's keys signed it as its header says. */
function readToken(jwt: string, { keys }: Issuer): { payload: JsonObject; alg: string } | null {
  const parts = jwt.split('.');
  const [header, payload] = parts.slice(0, 2).map(jsonOf);
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part))) return null;
  if (!isObject(header) || !isObject(payload)) return null;
  if (!isTypeOfIdToken(header.typ)) return null;
  // Back-Channel Logout 1.0 section 2.4: by `events`, a logout token is told from an ID token.
  if (header.crit !== undefined || payload.events !== undefined) return null;
  const signed = Buffer.from(parts.slice(0, 2).join('.'));
  const signature = Buffer.from(parts[2] ?? '', 'base64url');
  const key = keys.find(
    ({ kid, alg, publicKey }) =>
      alg === header.alg &&
      (header.kid === undefined || header.kid === kid) &&
      verify(...signatureArguments(alg, publicKey, signed), signature),
  );
  return key ? { payload, alg: key.alg } : null;
}

/** What a token says, whoever signed it; null for what is no JSON. */
export function payloadOf(jwt: string): unknown {
  return jsonOf(jwt.split('.')[1] ?? '');
}

function isTypeOfIdToken(typ: unknown): boolean {
  return typ === undefined || (typeof typ === 'string' && /^(application\/)?jwt$/i.test(typ));
}

function signatureArguments(alg: IssuerKey['alg'], key: KeyObject, signed: Buffer) {
  const hash = alg === 'EdDSA' ? null : 'sha256';
  return [hash, signed, { key, ...(alg === 'ES256' && { dsaEncoding: 'ieee-p1363' as const }) }] as const;
}

function jsonOf(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    return null;
  }
}

function isForNow({ exp, iat, nbf }: JsonObject): boolean {
  const now = Date.now() / 1_000;
  const isNumber = (value: unknown) => typeof value === 'number';
  return (
    isNumber(exp) &&
    Number(exp) > now - CLOCK_SKEW_SECONDS - 1 &&
    isNumber(iat) &&
    Number(iat) <= now + CLOCK_SKEW_SECONDS &&
    (nbf === undefined || (isNumber(nbf) && Number(nbf) <= now + CLOCK_SKEW_SECONDS + 1))
  );
}

function isForUs({ aud, azp }: JsonObject, { audiences }: Issuer): boolean {
  const isOurs = (client: unknown) => audiences.some((audience) => audience === client);
  const named = listOf(aud);
  return named.length > 0 && named.every(isOurs) && (azp === undefined ? named.length === 1 : isOurs(azp));
}

function isOfAccessToken({ at_hash }: JsonObject, alg: string, accessToken: string): boolean {
  const hash = createHash(alg === 'EdDSA' ? 'sha512' : 'sha256')
    .update(accessToken)
    .digest();
  return at_hash === undefined || at_hash === hash.subarray(0, hash.length / 2).toString('base64url');
}

function saysTheSame({ otherClaims = {}, ...own }: OpenIdWire['idToken'], token: JsonObject): boolean {
  const others = Object.entries(otherClaims).filter(([name]) => name !== '__proto__');
  const said = ['iss', 'sub', 'aud', 'exp', 'iat', 'nonce'].map((name) => [name, own[name] ?? null] as const);
  return [...said, ...others].every(([name, value]) => isSameClaim(name, value, token));
}

/** Some services repeat among the other claims what the event has under names of its own. */
function isSameClaim(name: string, value: unknown, token: JsonObject): boolean {
  const inToken = own(token, name);
  if (name === 'nonce' && value === null) return true;
  // RFC 7519 section 2: the token's may have a fraction.
  if (name === 'exp' || name === 'iat')
    return typeof value === 'number' && typeof inToken === 'number' && Math.abs(value - inToken) < 1;
  if (name !== 'aud') return inToken !== undefined && isSameJson(value, inToken);
  const [named, ofToken] = [listOf(value), listOf(inToken)];
  return (
    named.every((client) => ofToken.includes(client)) && ofToken.every((client) => named.includes(client))
  );
}

function listOf(aud: unknown): unknown[] {
  if (Array.isArray(aud)) return aud;
  return aud === undefined ? [] : [aud];
}
