/** ID tokens as signed JWTs (RFC 7519), by jose: whose signature, by which algorithm, and when. */
import {
  decodeProtectedHeader,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
  type ProtectedHeaderParameters,
} from 'jose';
import {
  JOSEError,
  JWKSMultipleMatchingKeys,
  JWKSNoMatchingKey,
  JWSSignatureVerificationFailed,
  JWTClaimValidationFailed,
} from 'jose/errors';
import { LoginError, type TokenCode } from '../errors.ts';
import type { OpenIdIssuer } from '../issuers.ts';
import { type IssuerKeys, keysOf } from './issuerKeys.ts';
import { isIdToken } from './tokenKind.ts';

/** Those that only the issuer can sign with. Everybody who can check a MAC can make one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** In characters. Real ID tokens have a few thousand; each one is parsed several times, and hashed for each key that may fit. */
const MAX_TOKEN_LENGTH = 65_536;

const REQUIRED_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat'];

/**
 * What a token says, once it is known to be signed by the issuer, and for now.
 *
 * @param iss the issuer, which the token must name too
 * @throws {LoginError}
 * @throws {LoginError} `keys_unavailable`
 */
export async function verifySignedToken(
  jwt: string,
  iss: string,
  issuer: OpenIdIssuer,
  clockSkewSeconds: number,
): Promise<JWTVerifyResult> {
  if (jwt.length > MAX_TOKEN_LENGTH) {
    throw new LoginError('token_malformed', {
      problems: [`expected at most ${MAX_TOKEN_LENGTH} characters`],
    });
  }
  const options = {
    algorithms: ALGORITHMS,
    issuer: iss,
    requiredClaims: REQUIRED_CLAIMS,
    clockTolerance: clockSkewSeconds,
  };
  const token = await verify(jwt, iss, issuer, options).catch((error) => {
    throw refusalOf(error);
  });
  if (!isIdToken(token, iss)) throw new LoginError('token_type_refused');
  if (Number(token.payload.iat) > Date.now() / 1_000 + clockSkewSeconds) {
    throw new LoginError('token_not_yet_valid');
  }
  return token;
}

async function verify(
  jwt: string,
  iss: string,
  issuer: OpenIdIssuer,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  // A text that is not a token sends no request to the issuer.
  headerOf(jwt);
  const keys = await keysOf(iss, issuer);
  try {
    return await verifyBy(keys, jwt, options);
  } catch (error) {
    if (!mayBeOfNewKey(error, jwt)) throw error;
    const newKeys = await keysOf(iss, issuer, { refresh: true });
    if (newKeys === keys) throw error;
    return verifyBy(newKeys, jwt, options);
  }
}

function headerOf(jwt: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(jwt);
  } catch {
    throw new LoginError('token_malformed');
  }
}

/** The issuer may have new keys since; without a key's id, all that shows is a signature that does not fit. */
function mayBeOfNewKey(error: unknown, jwt: string): boolean {
  if (error instanceof JWKSNoMatchingKey) return true;
  return error instanceof JWSSignatureVerificationFailed && headerOf(jwt).kid === undefined;
}

async function verifyBy(keys: IssuerKeys, jwt: string, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  try {
    return await jwtVerify(jwt, keys, options);
  } catch (error) {
    if (!(error instanceof JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      const token = await jwtVerify(jwt, key, options).catch(anotherKeyMayFit);
      if (token) return token;
    }
    throw new JWSSignatureVerificationFailed();
  }
}

/** An error that is not one of jose's own comes from a key that cannot be used, such as one that is too short. */
function anotherKeyMayFit(error: unknown): null {
  if (error instanceof JWSSignatureVerificationFailed || !(error instanceof JOSEError)) return null;
  throw error;
}

const REFUSALS: Readonly<Record<string, TokenCode>> = {
  ERR_JOSE_ALG_NOT_ALLOWED: 'token_algorithm_refused',
  ERR_JWKS_NO_MATCHING_KEY: 'token_key_unknown',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'token_signature_wrong',
  ERR_JWT_EXPIRED: 'token_expired',
  ERR_JWS_INVALID: 'token_malformed',
  ERR_JWT_INVALID: 'token_malformed',
  ERR_JOSE_NOT_SUPPORTED: 'token_malformed',
};

const REFUSALS_BY_CLAIM: Readonly<Record<string, TokenCode>> = {
  iss: 'token_issuer_refused',
  nbf: 'token_not_yet_valid',
};

/** jose's errors hold the token's claims: none of them goes further than here. */
function refusalOf(error: unknown): Error {
  if (error instanceof LoginError || !(error instanceof Error)) {
    return error as Error;
  }
  if (error instanceof JWTClaimValidationFailed) {
    const { claim } = error;
    const code = error.reason === 'check_failed' ? REFUSALS_BY_CLAIM[claim] : undefined;
    return new LoginError(code ?? 'token_malformed', { claim });
  }
  const code = error instanceof JOSEError ? REFUSALS[error.code] : undefined;
  // What is left is a key that cannot be used, such as one that is too short.
  return code ? new LoginError(code) : new LoginError('keys_unavailable', { cause: 'key_unusable' });
}
