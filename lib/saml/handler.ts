import { answerBy, DEFAULT_FIELDS, makePlan } from '../profile/decide.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import { receivedAttributes, SAML_NAMES } from './attributes.ts';
import type { SamlUserLoggedInEvent } from './model.ts';

/** What the default handler and the helpers look at. */
export const DEFAULT_PLAN = makePlan(DEFAULT_FIELDS, SAML_NAMES);

/**
 * The default handler of SAML logins: authorizes everybody whose assertion gives an e-mail address, a first and
 * a last name; otherwise an `ErrorResponse` that names what was looked for and what arrived.
 */
export function handleSamlUserLoggedIn(event: SamlUserLoggedInEvent): UserLoginResponse {
  return answerBy(DEFAULT_PLAN, receivedAttributes(event));
}
