/** The "User Logged In" event of an OpenID automation: wire names in, attribute names out. */
import * as v from 'valibot';
import { freeForm, integer, list, renamed, string, stringOrNull } from '../schema.ts';

export const IdToken = renamed({
  iss: ['iss', string],
  sub: ['sub', string],
  aud: ['aud', list(string)],
  exp: ['exp', integer],
  iat: ['iat', integer],
  nonce: ['nonce', v.optional(stringOrNull, null)],
  otherClaims: ['other_claims', v.optional(freeForm, () => ({}))],
});

export const OpenIdUserLoggedInEvent = renamed({
  accessToken: ['access_token', string],
  tokenType: ['token_type', string],
  idToken: ['id_token', IdToken],
  idTokenJwt: ['id_token_jwt', string],
  expiresIn: ['expires_in', integer],
  refreshToken: ['refresh_token', v.optional(stringOrNull, null)],
});

export type IdToken = v.InferOutput<typeof IdToken>;
export type OpenIdUserLoggedInEvent = v.InferOutput<typeof OpenIdUserLoggedInEvent>;
