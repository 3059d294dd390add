/** Signed tokens (RFC 7515), by jose: whose signature, and by which algorithm. */
import {
  type CompactJWSHeaderParameters,
  type CompactVerifyResult,
  compactVerify,
  decodeProtectedHeader,
  type JWTPayload,
} from 'jose';
import {
  JOSEError,
  JWKSMultipleMatchingKeys,
  JWKSNoMatchingKey,
  JWSSignatureVerificationFailed,
} from 'jose/errors';
import type { OpenIdIssuer } from '../issuers.ts';
import { LoginError, type TokenCode } from '../reasons.ts';
import { isJsonObject } from '../schema.ts';
import { type IssuerKeys, keysOf } from './issuerKeys.ts';

/** Those that only the issuer can sign with. Anyone who can check a MAC can make one. */
export const ALGORITHMS: readonly string[] = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** In characters. Real ID tokens have a few thousand. Each is parsed several times, and hashed for each key that may fit. */
const MAX_TOKEN_LENGTH = 65_536;

export interface SignedToken {
  protectedHeader: CompactJWSHeaderParameters;
  payload: JWTPayload;
}

/**
 * Reads a token that its issuer signed. Its claims are not checked.
 *
 * @param jwt in compact serialization
 * @param iss the issuer, whose keys count
 * @throws {LoginError} `token_malformed`, `token_algorithm_refused`, `token_key_unknown`, `token_signature_wrong`, or
 *   `keys_unavailable`
 */
export async function verifySignature(jwt: string, iss: string, issuer: OpenIdIssuer): Promise<SignedToken> {
  if (jwt.length > MAX_TOKEN_LENGTH) {
    const problems = [`expected at most ${MAX_TOKEN_LENGTH} characters`];
    throw new LoginError('token_malformed', { problems });
  }
  const { protectedHeader, payload } = await verifyByIssuer(jwt, iss, issuer).catch((error) => {
    throw refusalOf(error);
  });
  // RFC 7797 section 7: the payload of a JWT is base64url.
  if (protectedHeader.crit !== undefined && protectedHeader.b64 === false)
    throw new LoginError('token_malformed');
  return { protectedHeader, payload: claimsIn(payload) };
}

async function verifyByIssuer(jwt: string, iss: string, issuer: OpenIdIssuer): Promise<CompactVerifyResult> {
  try {
    return await verifyBy(await keysOf(iss, issuer), jwt);
  } catch (error) {
    if (!mayBeOfNewKey(error, jwt)) throw error;
    return verifyBy(await keysOf(iss, issuer, { refresh: true }), jwt);
  }
}

/** The issuer may have a new key. A token without a key id shows that only by a signature that does not fit. */
function mayBeOfNewKey(error: unknown, jwt: string): boolean {
  if (error instanceof JWKSNoMatchingKey) return true;
  return error instanceof JWSSignatureVerificationFailed && decodeProtectedHeader(jwt).kid === undefined;
}

async function verifyBy(keys: IssuerKeys, jwt: string): Promise<CompactVerifyResult> {
  const options = { algorithms: [...ALGORITHMS] };
  try {
    return await compactVerify(jwt, keys, options);
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      // Whatever is wrong with a key, such as one that is too short: another may fit.
      const token = await compactVerify(jwt, key, options).catch(() => undefined);
      if (token) return token;
    }
    throw new JWSSignatureVerificationFailed();
  }
}

function claimsIn(payload: Uint8Array): JWTPayload {
  try {
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    if (isJsonObject(claims)) return claims;
  } catch {
    // It is not JSON, or not UTF-8.
  }
  throw new LoginError('token_malformed');
}

const REFUSALS: Readonly<Record<string, TokenCode>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'token_algorithm_refused',
  ERR_JWKS_NO_MATCHING_KEY: 'token_key_unknown',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'token_signature_wrong',
  ERR_JWS_INVALID: 'token_malformed',
  ERR_JOSE_NOT_SUPPORTED: 'token_malformed',
};

function refusalOf(error: unknown): Error {
  if (error instanceof LoginError) return error;
  const code = error instanceof JOSEError ? REFUSALS[error.code] : undefined;
  // What is left is an unusable key, such as one that is too short.
  return code ? new LoginError(code) : new LoginError('keys_unavailable', { cause: 'key_unusable' });
}
