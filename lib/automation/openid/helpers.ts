/** What an OpenID login says of the person, as the default handler finds it: a string, or null for nothing. */
import { DEFAULT_PLAN } from '../profile/decide.ts';
import { findEmail, findField } from '../profile/fields.ts';
import { receivedClaims } from './claims.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

/** The `email` claim (OpenID Connect Core 5.1), unless it is said to be unverified. */
export function getEmail(event: OpenIdUserLoggedInEvent): string | null {
  return findEmail(receivedClaims(event), DEFAULT_PLAN.email).value;
}

/** The `given_name` claim (OpenID Connect Core 5.1), or the first part of `name`. */
export function getFirstName(event: OpenIdUserLoggedInEvent): string | null {
  return findField(receivedClaims(event), 'first_name', DEFAULT_PLAN.first_name).value;
}

/** The `family_name` claim (OpenID Connect Core 5.1), or the last part of `name`. */
export function getLastName(event: OpenIdUserLoggedInEvent): string | null {
  return findField(receivedClaims(event), 'last_name', DEFAULT_PLAN.last_name).value;
}
