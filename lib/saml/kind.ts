/** What runs for SAML logins, and for no others. */
import { decideLogin, eventKind } from '../profile/decide.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import type { Settings } from '../settings.ts';
import { SAML_NAMES } from './attributeNames.ts';
import { AttributesReader } from './attributes.ts';
import { externalIdOf, transientIdOf } from './externalId.ts';
import { SamlUserLoggedInEvent } from './model.ts';

export const SAML = {
  ...eventKind(SAML_NAMES, (event: SamlUserLoggedInEvent) => new AttributesReader(event)),
  model: SamlUserLoggedInEvent,
  defaultHandler: handleSamlUserLoggedIn,
  issuerOf: (event: SamlUserLoggedInEvent) => event.assertion.issuer,
  externalIdOf,
  transientIdOf,
  loadCheck,
};

/**
 * The default handler of SAML logins. It authorizes everybody whose assertion gives an e-mail address that the provider does
 * not call unverified, a first name and a last name. Otherwise the response is an `ErrorResponse` that says which part is
 * missing or refused.
 */
export function handleSamlUserLoggedIn(event: SamlUserLoggedInEvent): UserLoginResponse {
  return decideLogin(SAML.read(event), SAML.defaultPolicy);
}

/** The check that `SAML_ASSERTION_CHECK` turns on: that the assertion is for this service, and for now. It throws `assertion_…`. */
async function loadCheck(settings: Settings) {
  if (settings.samlAssertionCheck === 'off') return null;
  const { verifyAssertion } = await import('./assertionCheck.ts');
  return ({ assertion }: SamlUserLoggedInEvent) => verifyAssertion(assertion, settings, Date.now());
}
