/** The "User Logged In" event of an OpenID automation: wire names in, attribute names out. */
import * as v from 'valibot';
import { freeForm, integer, list, object, string, stringOrNull } from '../schema.ts';

export const IdToken = v.pipe(
  object({
    iss: string,
    sub: string,
    aud: list(string),
    exp: integer,
    iat: integer,
    nonce: v.optional(stringOrNull, null),
    otherClaims: v.optional(freeForm, () => ({})),
  }),
  v.transform(({ otherClaims, ...claims }) => ({ ...claims, other_claims: otherClaims })),
);

export const OpenIdUserLoggedInEvent = v.pipe(
  object({
    accessToken: string,
    tokenType: string,
    idToken: IdToken,
    idTokenJwt: string,
    expiresIn: integer,
    refreshToken: v.optional(stringOrNull, null),
  }),
  v.transform((wire) => ({
    access_token: wire.accessToken,
    token_type: wire.tokenType,
    id_token: wire.idToken,
    id_token_jwt: wire.idTokenJwt,
    expires_in: wire.expiresIn,
    refresh_token: wire.refreshToken,
  })),
);

export type IdToken = v.InferOutput<typeof IdToken>;
export type OpenIdUserLoggedInEvent = v.InferOutput<typeof OpenIdUserLoggedInEvent>;
