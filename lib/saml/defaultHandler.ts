import { decideLogin, eventKind } from '../profile/decide.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import { SAML_NAMES } from './attributeNames.ts';
import { AttributesReader } from './attributes.ts';
import type { SamlUserLoggedInEvent } from './model.ts';

export const SAML = eventKind(SAML_NAMES, (event: SamlUserLoggedInEvent) => new AttributesReader(event));

/**
 * The default handler of SAML logins. It authorizes everybody whose assertion gives an e-mail address that the provider does
 * not call unverified, a first name and a last name. Otherwise the response is an `ErrorResponse` that says which part is
 * missing or refused.
 */
export function handleSamlUserLoggedIn(event: SamlUserLoggedInEvent): UserLoginResponse {
  return decideLogin(SAML.read(event), SAML.defaultPolicy);
}
