/** What a sign-in expects of the response to its request, beside its signature (SAML Profiles 4.1.4.3). */
import * as v from 'valibot';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import type { Settings } from '../../lib/settings.ts';
import { error, found, listed } from '../capture/findings.ts';
import { reasonFinding } from '../capture/judging.ts';
import { parsedAssertion } from '../capture/parsedAssertion.ts';
import { assertionFindings } from '../capture/samlFindings.ts';
import { serviceEvents } from '../capture/serviceEvent.ts';
import { ASSERTION, attributeOf, elementsBelow, elementsIn } from '../capture/xml.ts';
import type { Finding } from '../shared/finding.ts';
import type { SamlIdentity } from './identity.ts';
import type { SamlProvider } from './metadata.ts';

export interface SamlRequest {
  provider: SamlProvider;
  requestId: string;
}

export interface Expected {
  request: SamlRequest;
  identity: SamlIdentity;
  /** Milliseconds since 1970. */
  nowMs: number;
  settings: Settings;
}

const SEVERAL_CONDITIONS = error(
  'conditions_several',
  'The assertion has several Conditions.',
  'See the log of the provider: SAML Core 2.3.3 allows one.',
);

/** The checks of the function, for us in the place of the service. Where no event can be made of an assertion, there is no login. */
export function unmetExpectations(
  response: Element,
  assertion: Element | null,
  expected: Expected,
): Finding[] {
  const { request, identity } = expected;
  return found([
    destinationError(response, identity),
    requestError(response, assertion, request),
    ...(assertion === null ? [] : assertionErrors(assertion, expected)),
  ]);
}

function assertionErrors(element: Element, { request, identity, nowMs, settings }: Expected) {
  const { events } = serviceEvents({ assertion: parsedAssertion(element) });
  if (events === null) return [];
  const { assertion } = v.parse(SamlUserLoggedInEvent, events.plain);
  const { issuer } = assertion;
  const { entityId, acsUrl } = identity;
  const samlIssuers = new Map([[issuer, { audiences: [entityId], recipients: [acsUrl] }]]);
  const judging = { settings: { ...settings, samlIssuers }, atMs: nowMs, isSentAt: true };
  const changes: Readonly<Record<string, string>> = {
    assertion_audience_refused: `Enter ${entityId} as our entity ID at the provider (Keycloak: "Client ID"; Entra: "Identifier (Entity ID)"; Okta: "Audience URI (SP Entity ID)"; Google: "Entity ID").`,
    assertion_confirmation_refused: `${enter(acsUrl)} If it came too late, set the clocks of this machine and of the provider by NTP.`,
  };
  return [
    elementsIn(element, ASSERTION, 'Conditions').length > 1 && SEVERAL_CONDITIONS,
    issuer !== request.provider.entityId && ofOtherIssuer(issuer, request.provider),
    ...assertionFindings(assertion, { ...judging, hasIssuers: true, isChecked: true, findings: [] }).map(
      (one) => ({ ...one, change: changes[one.code] ?? one.change }),
    ),
  ];
}

function destinationError(response: Element, { acsUrl }: SamlIdentity): Finding | null {
  const destination = attributeOf(response, 'Destination');
  if (destination === null || destination === acsUrl) return null;
  const message = `The response was sent to ${listed([destination])}; we are ${acsUrl}.`;
  return error('destination_differs', message, enter(acsUrl));
}

/** Both have to name the request: that of a response of which only the assertion is signed can be changed on its way. */
function requestError(
  response: Element,
  assertion: Element | null,
  { requestId }: SamlRequest,
): Finding | null {
  const data = assertion ? elementsBelow(assertion, ASSERTION, 'SubjectConfirmationData') : [];
  const named = [response, ...data].map((one) => attributeOf(one, 'InResponseTo'));
  if (named.every((id) => id === requestId)) return null;
  return error(
    'request_differs',
    named.includes(null)
      ? 'The response or its assertion has no InResponseTo: the login began at the provider.'
      : 'The response or its assertion answers another request (InResponseTo).',
    'Begin the sign-in here, and finish it in the same tab.',
  );
}

function ofOtherIssuer(issuer: string, { entityId }: SamlProvider): Finding {
  const change =
    'Give the metadata of the provider that signs people in: its entityID must equal the issuer exactly.';
  return reasonFinding('assertion_issuer_refused', [issuer], [entityId], change);
}

function enter(acsUrl: string): string {
  return `Enter ${acsUrl} as our ACS URL at the provider (Keycloak: "Assertion Consumer Service POST Binding URL"; Entra: "Reply URL"; Okta: "Single sign-on URL").`;
}

/** Of the elements of an assertion's name below this one. */
export function textsIn(parent: Element, name: string): string[] {
  return elementsIn(parent, ASSERTION, name).map(({ textContent }) => textContent?.trim() ?? '');
}
