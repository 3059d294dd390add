/** The service that signs people in through SAML: node-saml, and the event that it sends of what that validated. */
import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import { parsedAssertion } from '../../tools/capture/parsedAssertion.ts';
import { toServiceEvent } from '../../tools/capture/serviceEvent.ts';
import { parseXml } from '../../tools/capture/xml.ts';
import type { Issued, SamlProvider } from './samlProvider.ts';
import type { samlEvent } from './wire.ts';

export type SamlEvent = ReturnType<typeof samlEvent>;

export const ENTITY_ID = 'https://app.example.net/saml/metadata';
export const ACS = 'https://app.example.net/saml/acs';

/** A service that checks the signature, and neither audience nor time. */
const CARELESS: Partial<SamlConfig> = { audience: false, acceptedClockSkewMs: -1 };
const CAREFUL: Partial<SamlConfig> = { audience: ENTITY_ID, acceptedClockSkewMs: 0 };

/**
 * Signs a person in, and gives the event.
 *
 * @throws what node-saml throws where it refuses the provider's answer
 */
export async function signIn(
  provider: SamlProvider,
  issued: Issued = {},
  care: 'careful' | 'careless' = 'careful',
): Promise<SamlEvent> {
  const service = new SAML({
    issuer: ENTITY_ID,
    callbackUrl: ACS,
    entryPoint: 'https://idp.example.org/sso',
    idpCert: provider.cert,
    wantAuthnResponseSigned: false,
    wantAssertionsSigned: true,
    validateInResponseTo: ValidateInResponseTo.always,
    ...(care === 'careful' ? CAREFUL : CARELESS),
  });
  const request = new URL(await service.getAuthorizeUrlAsync('', undefined, {}));
  const SAMLResponse = await provider.respond(request, issued);
  const { profile } = await service.validatePostResponseAsync({ SAMLResponse });
  const assertion = parsedAssertion(parseXml(profile?.getAssertionXml?.() ?? '', 'the assertion'));
  return toServiceEvent({ assertion }, 'plain') as SamlEvent;
}
