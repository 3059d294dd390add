/** What an OpenID login event says of the person: each helper returns a string, or null where it says nothing. */
import { isEmail } from '../response.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

/** The `email` claim (OpenID Connect Core 5.1), where it can be an e-mail address. */
export function getEmail(event: OpenIdUserLoggedInEvent): string | null {
  const email = claim(event, 'email');
  return isEmail(email) ? email : null;
}

/** The `given_name` claim (OpenID Connect Core 5.1). */
export function getFirstName(event: OpenIdUserLoggedInEvent): string | null {
  return text(claim(event, 'given_name'));
}

/** The `family_name` claim (OpenID Connect Core 5.1). */
export function getLastName(event: OpenIdUserLoggedInEvent): string | null {
  return text(claim(event, 'family_name'));
}

/** Own entries only: a claim named `constructor` that nobody sent is not there. */
function claim(event: OpenIdUserLoggedInEvent, name: string): unknown {
  const claims = event.id_token.other_claims;
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
