/** What a sign-in expects of the response to its request, beyond what node-saml checks (SAML Profiles 4.1.4.3). */

import type { Finding } from '../capture/findings.ts';
import { listed, problem } from '../capture/findings.ts';
import { ASSERTION, attributeOf, elementsIn } from '../capture/xml.ts';
import type { SamlIdentity } from './samlIdentity.ts';
import type { SamlProvider } from './samlProviderMetadata.ts';

export interface SamlRequest {
  provider: SamlProvider;
  /** Of the AuthnRequest. */
  requestId: string;
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** @returns a problem for each expectation that is not met */
export function unmetExpectations(
  response: Element,
  assertion: Element | null,
  request: SamlRequest,
  identity: SamlIdentity,
): Finding[] {
  return [
    ...destinationProblem(response, identity),
    ...requestProblem(response, assertion, request),
    ...(assertion
      ? [
          ...issuerProblem(assertion, request.provider),
          ...audienceProblem(assertion, identity),
          ...recipientProblem(assertion, identity),
        ]
      : []),
  ];
}

function destinationProblem(response: Element, { acsUrl }: SamlIdentity): Finding[] {
  const destination = attributeOf(response, 'Destination');
  if (destination === null || destination === acsUrl) return [];
  return [
    problem(
      'destination_differs',
      `The response was sent to ${listed([destination])}; we are ${acsUrl}.`,
      enter(acsUrl),
    ),
  ];
}

/** Both have to name the request: that of a response whose assertion alone is signed can be changed on its way. */
function requestProblem(response: Element, assertion: Element | null, { requestId }: SamlRequest): Finding[] {
  const named = [response, ...(assertion ? confirmationsOf(assertion).map(({ data }) => data) : [])].map(
    (one) => attributeOf(one, 'InResponseTo'),
  );
  if (named.every((id) => id === requestId)) return [];
  const isMissing = named.includes(null);
  return [
    problem(
      'request_differs',
      isMissing
        ? 'The response or its assertion has no InResponseTo: the login began at the provider.'
        : 'The response or its assertion answers another request (InResponseTo).',
      'Begin the sign-in here, and finish it in the same tab.',
    ),
  ];
}

function issuerProblem(assertion: Element, { entityId }: SamlProvider): Finding[] {
  const [issuer] = textsIn(assertion, 'Issuer');
  if (issuer === entityId) return [];
  return [
    problem(
      'assertion_issuer_refused',
      `${issuer ? `The issuer is ${listed([issuer])}` : 'The assertion names no issuer'}; the metadata is of ${listed([entityId])}.`,
      'Give the metadata of the provider that signs people in: its entityID must equal the issuer exactly.',
    ),
  ];
}

function audienceProblem(assertion: Element, { entityId }: SamlIdentity): Finding[] {
  const restrictions = elementsIn(assertion, ASSERTION, 'Conditions')
    .flatMap((conditions) => elementsIn(conditions, ASSERTION, 'AudienceRestriction'))
    .map((restriction) => textsIn(restriction, 'Audience'));
  if (restrictions.length > 0 && restrictions.every((one) => one.includes(entityId))) return [];
  const audiences = restrictions.flat();
  return [
    problem(
      'assertion_audience_refused',
      `${audiences.length > 0 ? `The assertion is meant for ${listed(audiences)}` : 'The assertion names no audience'}; we are ${entityId}.`,
      `Enter ${entityId} as our entity ID at the provider (Keycloak: "Client ID"; Entra: "Identifier (Entity ID)"; Okta: "Audience URI (SP Entity ID)"; Google: "Entity ID").`,
    ),
  ];
}

function recipientProblem(assertion: Element, { acsUrl }: SamlIdentity): Finding[] {
  const recipients = confirmationsOf(assertion)
    .filter(({ method }) => method === BEARER)
    .map(({ data }) => attributeOf(data, 'Recipient'));
  if (recipients.includes(acsUrl)) return [];
  const found = recipients.flatMap((recipient) => recipient ?? []);
  return [
    problem(
      'assertion_confirmation_refused',
      `${found.length > 0 ? `The recipient of the assertion is ${listed(found)}` : 'The assertion names no recipient'}; we are ${acsUrl}.`,
      enter(acsUrl),
    ),
  ];
}

function enter(acsUrl: string): string {
  return `Enter ${acsUrl} as our ACS URL at the provider (Keycloak: "Assertion Consumer Service POST Binding URL"; Entra: "Reply URL"; Okta: "Single sign-on URL").`;
}

function confirmationsOf(assertion: Element): { method: string | null; data: Element | undefined }[] {
  return elementsIn(assertion, ASSERTION, 'Subject')
    .flatMap((subject) => elementsIn(subject, ASSERTION, 'SubjectConfirmation'))
    .map((confirmation) => ({
      method: attributeOf(confirmation, 'Method'),
      data: elementsIn(confirmation, ASSERTION, 'SubjectConfirmationData')[0],
    }));
}

/** Of the elements of an assertion's name below this one. */
export function textsIn(parent: Element, name: string): string[] {
  return elementsIn(parent, ASSERTION, name).map(({ textContent }) => textContent?.trim() ?? '');
}
