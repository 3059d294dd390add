/** What runs for SAML logins, and for no others. */
import { decideByDefault } from '../profile/decide.ts';
import type { Kind } from '../profile/kind.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import { SAML_NAMES } from './attributeNames.ts';
import { AttributesReader, preferredLanguageOf } from './attributes.ts';
import { identifiersOf } from './externalId.ts';
import { SamlUserLoggedInEvent } from './model.ts';

export const SAML: Kind<SamlUserLoggedInEvent> = {
  names: SAML_NAMES,
  model: SamlUserLoggedInEvent,
  read: (event) => new AttributesReader(event),
  defaultHandler: handleSamlUserLoggedIn,
  issuerOf: ({ assertion }) => assertion.issuer,
  preferredLanguageOf,
  identifiersOf,

  /** The check that `SAML_ASSERTION_CHECK` turns on: that the assertion is for this service, and for now. It throws `assertion_…`. */
  async loadCheck(settings) {
    if (settings.samlAssertionCheck === 'off') return null;
    const { verifyAssertion } = await import('./assertionCheck.ts');
    return ({ assertion }) => verifyAssertion(assertion, settings, Date.now());
  },
};

/**
 * The default handler of SAML logins. It authorizes everybody whose assertion gives an e-mail address that the provider does
 * not call unverified, a first name and a last name. Otherwise the response is an `ErrorResponse` that says which part is
 * missing or refused.
 */
export function handleSamlUserLoggedIn(event: SamlUserLoggedInEvent): UserLoginResponse {
  return decideByDefault(SAML, event);
}
