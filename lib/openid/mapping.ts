import { answerBy } from '../profile/decide.ts';
import { ofKind } from '../profile/kind.ts';
import { planFor } from '../profile/mapping.ts';
import type { Mapping } from '../profile/mappingSchema.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import { OPENID_NAMES, receivedClaims } from './claims.ts';
import type { OpenIdUserLoggedInEvent } from './model.ts';

/**
 * Makes a handler of OpenID logins out of a profile mapping.
 *
 * @throws {MappingInvalid} with the path of each mistake in the mapping
 */
export function mapOpenIdLogin(mapping: Mapping): (event: OpenIdUserLoggedInEvent) => UserLoginResponse {
  const plans = planFor(mapping, OPENID_NAMES);
  return ofKind('OpenID', (event) => {
    const received = receivedClaims(event);
    return answerBy(plans(received.issuer), received);
  });
}
