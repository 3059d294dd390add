/** What a sign-in expects of the response to its request, beside its signature (SAML Profiles 4.1.4.3). */
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { error, found, listed } from '../capture/findings.ts';
import { reasonFinding } from '../capture/judging.ts';
import { ASSERTION, attributeOf, elementsIn } from '../capture/xml.ts';
import { reasonRow } from '../explain/reasons.ts';
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
  /** Tolerance for clock differences, in milliseconds. */
  skewMs: number;
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

export function unmetExpectations(
  response: Element,
  assertion: Element | null,
  expected: Expected,
): Finding[] {
  const ofResponse = [
    destinationError(response, expected.identity),
    requestError(response, assertion, expected.request),
  ];
  if (assertion === null) return found(ofResponse);
  return found([
    ...ofResponse,
    issuerError(assertion, expected.request.provider),
    audienceError(assertion, expected.identity),
    timeError(assertion, expected),
    recipientError(assertion, expected),
  ]);
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
  const data = assertion ? confirmationsOf(assertion).map((confirmation) => confirmation.data) : [];
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

function issuerError(assertion: Element, { entityId }: SamlProvider): Finding | null {
  const issuers = textsIn(assertion, 'Issuer');
  if (issuers[0] === entityId) return null;
  const change =
    'Give the metadata of the provider that signs people in: its entityID must equal the issuer exactly.';
  return reasonFinding('assertion_issuer_refused', issuers, [entityId], change);
}

function audienceError(assertion: Element, { entityId }: SamlIdentity): Finding | null {
  const restrictions = elementsIn(assertion, ASSERTION, 'Conditions')
    .flatMap((conditions) => elementsIn(conditions, ASSERTION, 'AudienceRestriction'))
    .map((restriction) => textsIn(restriction, 'Audience'));
  if (restrictions.length > 0 && restrictions.every((one) => one.includes(entityId))) return null;
  const change = `Enter ${entityId} as our entity ID at the provider (Keycloak: "Client ID"; Entra: "Identifier (Entity ID)"; Okta: "Audience URI (SP Entity ID)"; Google: "Entity ID").`;
  return reasonFinding('assertion_audience_refused', restrictions.flat(), [entityId], change);
}

/** One bearer confirmation is for us and holds now; two that are half right do not make one. */
function recipientError(assertion: Element, expected: Expected): Finding | null {
  const { acsUrl } = expected.identity;
  const confirmations = confirmationsOf(assertion).filter(({ method }) => method === BEARER);
  const ours = confirmations.filter(({ data }) => attributeOf(data, 'Recipient') === acsUrl);
  const holds = ours.some(
    ({ data }) => attributeOf(data, 'NotOnOrAfter') !== null && whyNotNow(data, expected) === null,
  );
  if (holds) return null;
  const [, ofClocks] = reasonRow('assertion_expired');
  const [attribute, wanted, change] =
    ours.length > 0
      ? ['NotOnOrAfter', 'a time in the future', ofClocks]
      : ['Recipient', acsUrl, enter(acsUrl)];
  const found = confirmations.flatMap(({ data }) => attributeOf(data, attribute) ?? []);
  return reasonFinding('assertion_confirmation_refused', found, [wanted], change);
}

const SEVERAL_CONDITIONS = error(
  'conditions_several',
  'The assertion has several Conditions.',
  'See the log of the provider: SAML Core 2.3.3 allows one.',
);

function timeError(assertion: Element, expected: Expected): Finding | null {
  const [conditions, ...others] = elementsIn(assertion, ASSERTION, 'Conditions');
  if (others.length > 0) return SEVERAL_CONDITIONS;
  const why = whyNotNow(conditions, expected);
  return why && reasonFinding(why);
}

/** A text that is no date-time does not hold. */
function whyNotNow(
  bounded: Element | undefined,
  { nowMs, skewMs }: Expected,
): 'assertion_expired' | 'assertion_not_yet_valid' | null {
  const notBefore = timeIn(bounded, 'NotBefore');
  const notOnOrAfter = timeIn(bounded, 'NotOnOrAfter');
  if (notBefore !== null && !(nowMs + skewMs >= notBefore)) return 'assertion_not_yet_valid';
  if (notOnOrAfter !== null && !(nowMs - skewMs < notOnOrAfter)) return 'assertion_expired';
  return null;
}

/** @returns milliseconds since 1970, `NaN` for what is no date-time; null where it is left out */
function timeIn(element: Element | undefined, name: string): number | null {
  const text = attributeOf(element, name);
  return text === null ? null : (parseDateTime(text)?.getTime() ?? Number.NaN);
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
