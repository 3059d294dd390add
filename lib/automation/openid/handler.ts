import { DEFAULT_PLAN, decide, refuseIssuer } from '../profile/decide.ts';
import type { Mapping } from '../profile/mapping.ts';
import { type PlanFor, planFor } from '../profile/plan.ts';
import { keepTrace } from '../profile/trace.ts';
import type { UserLoginResponse } from '../response.ts';
import { receivedClaims } from './claims.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

/**
 * The default handler of OpenID logins: authorizes everybody whose ID token gives an e-mail address that is not
 * said to be unverified, a first and a last name; otherwise an `ErrorResponse` that names what was looked for
 * and what arrived.
 */
export function handleOpenIdUserLoggedIn(event: OpenIdUserLoggedInEvent): UserLoginResponse {
  return answer(event, () => DEFAULT_PLAN);
}

/**
 * Makes a handler of OpenID logins out of a profile mapping.
 *
 * @throws {MappingInvalid} with the path of each mistake in the mapping
 */
export function mapOpenIdLogin(mapping: Mapping): (event: OpenIdUserLoggedInEvent) => UserLoginResponse {
  const plans = planFor(mapping);
  return (event) => answer(event, plans);
}

function answer(event: OpenIdUserLoggedInEvent, plans: PlanFor): UserLoginResponse {
  const received = receivedClaims(event);
  const plan = plans(received.issuer);
  const { response, trace } = plan ? decide(received, plan) : refuseIssuer(received);
  keepTrace(event, trace);
  return response;
}
