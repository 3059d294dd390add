/** What an OpenID login says of the person, as the default handler finds it: a string, or null for nothing. */
import { findField } from '../profile/fields.ts';
import { receivedClaims } from './claims.ts';
import { DEFAULT_PLAN } from './handler.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

/** The `email` claim (OpenID Connect Core 5.1), unless it is said to be unverified. */
export function getEmail(event: OpenIdUserLoggedInEvent): string | null {
  return findField(receivedClaims(event), DEFAULT_PLAN.fields.email).value;
}

/** The `given_name` claim (OpenID Connect Core 5.1), or the first part of `name`. */
export function getFirstName(event: OpenIdUserLoggedInEvent): string | null {
  return findField(receivedClaims(event), DEFAULT_PLAN.fields.first_name).value;
}

/** The `family_name` claim (OpenID Connect Core 5.1), or the last part of `name`. */
export function getLastName(event: OpenIdUserLoggedInEvent): string | null {
  return findField(receivedClaims(event), DEFAULT_PLAN.fields.last_name).value;
}
