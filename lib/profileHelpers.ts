/** The helpers for either kind of event. Each returns a string, or null where the event says nothing. */
import * as openId from './openid/helpers.ts';
import type { OpenIdUserLoggedInEvent } from './openid/model.ts';
import * as saml from './saml/helpers.ts';
import type { SamlUserLoggedInEvent } from './saml/model.ts';

type LoginEvent = OpenIdUserLoggedInEvent | SamlUserLoggedInEvent;

/** The person's e-mail address. */
export function getEmail(event: LoginEvent): string | null {
  return isSaml(event) ? saml.getEmail(event) : openId.getEmail(event);
}

/** The person's first name. */
export function getFirstName(event: LoginEvent): string | null {
  return isSaml(event) ? saml.getFirstName(event) : openId.getFirstName(event);
}

/** The person's last name. */
export function getLastName(event: LoginEvent): string | null {
  return isSaml(event) ? saml.getLastName(event) : openId.getLastName(event);
}

function isSaml(event: LoginEvent): event is SamlUserLoggedInEvent {
  return 'assertion' in event;
}
