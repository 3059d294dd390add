/** What a login says of the person, as the default handlers find it: a string, or null where it says nothing. */
import { receivedClaims } from './openid/claims.ts';
import { DEFAULT_PLAN as OPENID_PLAN } from './openid/handler.ts';
import type { OpenIdUserLoggedInEvent } from './openid/model.ts';
import { type FieldName, findField } from './profile/fields.ts';
import { receivedAttributes } from './saml/attributes.ts';
import { DEFAULT_PLAN as SAML_PLAN } from './saml/handler.ts';
import type { SamlUserLoggedInEvent } from './saml/model.ts';

type LoginEvent = OpenIdUserLoggedInEvent | SamlUserLoggedInEvent;

/**
 * The e-mail address: the `email` claim (OpenID Connect Core 5.1); of an assertion an attribute, or the NameID where its
 * format says that it is an address. Null for an address that the provider says is unverified.
 */
export function getEmail(event: LoginEvent): string | null {
  return find(event, 'email');
}

/** The first name: `given_name` or an attribute, or the first part of a full name. */
export function getFirstName(event: LoginEvent): string | null {
  return find(event, 'first_name');
}

/** The last name: `family_name` or an attribute, or the last part of a full name. */
export function getLastName(event: LoginEvent): string | null {
  return find(event, 'last_name');
}

function find(event: LoginEvent, field: FieldName): string | null {
  const found =
    'assertion' in event
      ? findField(receivedAttributes(event), SAML_PLAN.fields[field])
      : findField(receivedClaims(event), OPENID_PLAN.fields[field]);
  return found.value;
}
