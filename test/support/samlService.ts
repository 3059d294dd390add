/** A service that signs people in through SAML: what it asks a provider for, and the event that it sends of the response. */
import { parsedAssertion } from '../../tools/capture/parsedAssertion.ts';
import { serviceEvents } from '../../tools/capture/serviceEvent.ts';
import { ASSERTION, elementsBelow, parseXml } from '../../tools/capture/xml.ts';
import type { SamlIdentity } from '../../tools/signIn/identity.ts';
import { requestUrl } from '../../tools/signIn/saml.ts';
import type { Issued, SamlProvider } from './samlIdp.ts';
import type { samlEvent } from './wire.ts';

export type SamlEvent = ReturnType<typeof samlEvent>;

export const ENTITY_ID = 'https://app.example.net/saml/metadata';
export const ACS = 'https://app.example.net/saml/acs';

/** Signs a person in, and gives the event. It believes whatever comes. */
export async function signIn(provider: SamlProvider, issued: Issued = {}): Promise<SamlEvent> {
  return eventOf(await provider.respond(request(), issued), 'plain') as SamlEvent;
}

/** The event of the assertion in a response. */
export function eventOf(xml: string, form: 'plain' | 'known') {
  const [assertion] = elementsBelow(parseXml(xml, 'the response'), ASSERTION, 'Assertion');
  if (assertion === undefined) throw new Error('expected an assertion');
  const { events, problems } = serviceEvents({ assertion: parsedAssertion(assertion) });
  if (events === null) throw new Error(problems.join('; '));
  return events[form];
}

/** The address with which it asks the provider. */
export function request(): URL {
  const ssoUrl = 'https://idp.example.org/sso';
  const provider = { entityId: '', certificates: [], ssoUrl, wantsSignedRequests: false };
  const identity = { entityId: ENTITY_ID, acsUrl: ACS } as SamlIdentity;
  return new URL(requestUrl({ provider, requestId: '_request-1' }, { identity, relayState: 'state' }));
}
