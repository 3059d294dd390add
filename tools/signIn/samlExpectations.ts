/** What a sign-in expects of the response to its request, beside its signature (SAML Profiles 4.1.4.3). */
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import type { Finding } from '../capture/findings.ts';
import { listed, problem } from '../capture/findings.ts';
import { CLOCKS } from '../capture/samlFindings.ts';
import { ASSERTION, attributeOf, elementsIn } from '../capture/xml.ts';
import type { SamlIdentity } from './samlIdentity.ts';
import type { SamlProvider } from './samlProviderMetadata.ts';

export interface SamlRequest {
  provider: SamlProvider;
  /** Of the AuthnRequest. */
  requestId: string;
}

/** What a response has to fit. */
export interface Expected {
  request: SamlRequest;
  identity: SamlIdentity;
  /** Milliseconds since 1970. */
  nowMs: number;
  /** Tolerance for clock differences, in milliseconds. */
  skewMs: number;
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** @returns a problem for each expectation that is not met */
export function unmetExpectations(
  response: Element,
  assertion: Element | null,
  expected: Expected,
): Finding[] {
  const { request, identity } = expected;
  return [
    ...destinationProblem(response, identity),
    ...requestProblem(response, assertion, request),
    ...(assertion
      ? [
          ...issuerProblem(assertion, request.provider),
          ...audienceProblem(assertion, identity),
          ...timeProblems(assertion, expected),
          ...recipientProblem(assertion, expected),
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

/** One bearer confirmation is for us and holds now; two that are half right do not make one. */
function recipientProblem(assertion: Element, expected: Expected): Finding[] {
  const { acsUrl } = expected.identity;
  const confirmations = confirmationsOf(assertion).filter(({ method }) => method === BEARER);
  const ours = confirmations.filter(({ data }) => attributeOf(data, 'Recipient') === acsUrl);
  const holds = ours.some(
    ({ data }) => attributeOf(data, 'NotOnOrAfter') !== null && timeProblem(data, expected) === null,
  );
  if (holds) return [];
  if (ours.length > 0) return [notConfirmed()];
  const found = confirmations.flatMap(({ data }) => attributeOf(data, 'Recipient') ?? []);
  return [
    problem(
      'assertion_confirmation_refused',
      `${found.length > 0 ? `The recipient of the assertion is ${listed(found)}` : 'The assertion names no recipient'}; we are ${acsUrl}.`,
      enter(acsUrl),
    ),
  ];
}

function notConfirmed(): Finding {
  return problem(
    'response_refused',
    'The time in which the subject is confirmed (NotOnOrAfter of SubjectConfirmationData) is over, or is not there.',
    'See the log of the provider, set the clocks by NTP, and begin the sign-in again.',
  );
}

function timeProblems(assertion: Element, expected: Expected): Finding[] {
  const [conditions, ...others] = elementsIn(assertion, ASSERTION, 'Conditions');
  if (others.length > 0) {
    const cure = 'See the log of the provider: SAML Core 2.3.3 allows one.';
    return [problem('conditions_several', 'The assertion has several Conditions.', cure)];
  }
  const code = timeProblem(conditions, expected);
  if (code === null) return [];
  const what = code === 'assertion_expired' ? 'has expired (NotOnOrAfter)' : 'is not valid yet (NotBefore)';
  return [problem(code, `The assertion ${what}.`, CLOCKS)];
}

/** A text that is no date-time does not hold. */
function timeProblem(
  bounded: Element | undefined,
  { nowMs, skewMs }: Expected,
): 'assertion_not_yet_valid' | 'assertion_expired' | null {
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
