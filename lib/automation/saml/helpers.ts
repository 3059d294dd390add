/** What a SAML login says of the person, as the default handler finds it: a string, or null for nothing. */
import { DEFAULT_PLAN } from '../profile/decide.ts';
import { findEmail, findField } from '../profile/fields.ts';
import { receivedAttributes } from './attributes.ts';
import type { SamlUserLoggedInEvent } from './model.ts';

/** The e-mail address: out of an attribute, or the NameID where its format says that it is one. */
export function getEmail(event: SamlUserLoggedInEvent): string | null {
  return findEmail(receivedAttributes(event), DEFAULT_PLAN.email).value;
}

/** The first name: out of an attribute, or the first part of a full name. */
export function getFirstName(event: SamlUserLoggedInEvent): string | null {
  return findField(receivedAttributes(event), 'first_name', DEFAULT_PLAN.first_name).value;
}

/** The last name: out of an attribute, or the last part of a full name. */
export function getLastName(event: SamlUserLoggedInEvent): string | null {
  return findField(receivedAttributes(event), 'last_name', DEFAULT_PLAN.last_name).value;
}
