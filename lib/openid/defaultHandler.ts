import { decideLogin, eventKind } from '../profile/decide.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import { ClaimsReader, OPENID_NAMES } from './claims.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

export const OPENID = eventKind(OPENID_NAMES, (event: OpenIdUserLoggedInEvent) => new ClaimsReader(event));

/**
 * The default handler of OpenID logins. It authorizes everybody whose ID token gives an e-mail address that the provider does
 * not call unverified, a first name and a last name. Otherwise the response is an `ErrorResponse` that says which part is
 * missing or refused.
 */
export function handleOpenIdUserLoggedIn(event: OpenIdUserLoggedInEvent): UserLoginResponse {
  return decideLogin(OPENID.read(event), OPENID.defaultPolicy);
}
