import { authorizeComplete } from '../profile.ts';
import type { UserLoginResponse } from '../response.ts';
import { getEmail, getFirstName, getLastName } from './helpers.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

/**
 * The default handler of OpenID logins: authorizes everybody whose ID token gives an e-mail address, a first
 * and a last name; otherwise an `ErrorResponse` that names what is missing.
 */
export function handleOpenIdUserLoggedIn(event: OpenIdUserLoggedInEvent): UserLoginResponse {
  return authorizeComplete({
    first_name: getFirstName(event),
    last_name: getLastName(event),
    email: getEmail(event),
  });
}
