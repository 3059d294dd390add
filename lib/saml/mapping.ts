import { answerBy } from '../profile/decide.ts';
import { ofKind } from '../profile/kind.ts';
import { planFor } from '../profile/mapping.ts';
import type { Mapping } from '../profile/mappingSchema.ts';
import type { UserLoginResponse } from '../profile/response.ts';
import { receivedAttributes, SAML_NAMES } from './attributes.ts';
import type { SamlUserLoggedInEvent } from './model.ts';

/**
 * Makes a handler of SAML logins out of a profile mapping.
 *
 * @throws {MappingInvalid} with the path of each mistake in the mapping
 */
export function mapSamlLogin(mapping: Mapping): (event: SamlUserLoggedInEvent) => UserLoginResponse {
  const plans = planFor(mapping, SAML_NAMES);
  return ofKind('SAML', (event) => {
    const received = receivedAttributes(event);
    return answerBy(plans(received.issuer), received);
  });
}
