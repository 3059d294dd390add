/** What a SAML login says of the person, as the default handler finds it: a string, or null for nothing. */
import { findField } from '../profile/fields.ts';
import { receivedAttributes } from './attributes.ts';
import { DEFAULT_PLAN } from './handler.ts';
import type { SamlUserLoggedInEvent } from './model.ts';

/** The e-mail address: out of an attribute, or the NameID where its format says that it is one. */
export function getEmail(event: SamlUserLoggedInEvent): string | null {
  return findField(receivedAttributes(event), DEFAULT_PLAN.fields.email).value;
}

/** The first name: out of an attribute, or the first part of a full name. */
export function getFirstName(event: SamlUserLoggedInEvent): string | null {
  return findField(receivedAttributes(event), DEFAULT_PLAN.fields.first_name).value;
}

/** The last name: out of an attribute, or the last part of a full name. */
export function getLastName(event: SamlUserLoggedInEvent): string | null {
  return findField(receivedAttributes(event), DEFAULT_PLAN.fields.last_name).value;
}
