import { answerBy, DEFAULT_FIELDS, makePlan } from '../profile/decide.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import { OPENID_NAMES, receivedClaims } from './claims.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

/** What the default handler and the helpers look at. */
export const DEFAULT_PLAN = makePlan(DEFAULT_FIELDS, OPENID_NAMES);

/**
 * The default handler of OpenID logins: authorizes everybody whose ID token gives an e-mail address that is not
 * said to be unverified, a first and a last name; otherwise an `ErrorResponse` that names what was looked for
 * and what arrived.
 */
export function handleOpenIdUserLoggedIn(event: OpenIdUserLoggedInEvent): UserLoginResponse {
  return answerBy(DEFAULT_PLAN, receivedClaims(event));
}
