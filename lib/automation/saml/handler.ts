import { authorizeComplete } from '../profile.ts';
import type { UserLoginResponse } from '../response.ts';
import { getEmail, getFirstName, getLastName } from './helpers.ts';
import type { SamlUserLoggedInEvent } from './model.ts';

/**
 * The default handler of SAML logins: authorizes everybody whose assertion gives an e-mail address, a first
 * and a last name; otherwise an `ErrorResponse` that names what is missing.
 */
export function handleSamlUserLoggedIn(event: SamlUserLoggedInEvent): UserLoginResponse {
  return authorizeComplete({
    first_name: getFirstName(event),
    last_name: getLastName(event),
    email: getEmail(event),
  });
}
