import { DEFAULT_PLAN, decide, refuseIssuer } from '../profile/decide.ts';
import type { Mapping } from '../profile/mapping.ts';
import { type PlanFor, planFor } from '../profile/plan.ts';
import { keepTrace } from '../profile/trace.ts';
import type { UserLoginResponse } from '../response.ts';
import { receivedAttributes } from './attributes.ts';
import type { SamlUserLoggedInEvent } from './model.ts';

/**
 * The default handler of SAML logins: authorizes everybody whose assertion gives an e-mail address, a first and
 * a last name; otherwise an `ErrorResponse` that names what was looked for
 * and what arrived.
 */
export function handleSamlUserLoggedIn(event: SamlUserLoggedInEvent): UserLoginResponse {
  return answer(event, () => DEFAULT_PLAN);
}

/**
 * Makes a handler of SAML logins out of a profile mapping.
 *
 * @throws {MappingInvalid} with the path of each mistake in the mapping
 */
export function mapSamlLogin(mapping: Mapping): (event: SamlUserLoggedInEvent) => UserLoginResponse {
  const plans = planFor(mapping);
  return (event) => answer(event, plans);
}

function answer(event: SamlUserLoggedInEvent, plans: PlanFor): UserLoginResponse {
  const received = receivedAttributes(event);
  const plan = plans(received.issuer);
  const { response, trace } = plan ? decide(received, plan) : refuseIssuer(received);
  keepTrace(event, trace);
  return response;
}
