/** OpenID logins, as what reads them gets them. */
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { openIdEvent } from '../support/wire.ts';

export type Claims = Record<string, unknown>;

/** @param changes to what the event says of its token */
export function loginWith(otherClaims: Claims, changes: object = {}): OpenIdUserLoggedInEvent {
  const { idToken, ...event } = openIdEvent();
  return v.parse(OpenIdUserLoggedInEvent, { ...event, idToken: { ...idToken, otherClaims, ...changes } });
}
