/** Whether an assertion is of a listed issuer, for this service and for now. */
import { millisecondsOf } from './dateTime.ts';
import type { AssertionWire } from './event.ts';

export const CLOCK_SKEW_SECONDS = 60;
const BEARER = ['urn:oasis:names:tc:SAML:2.0:cm:bearer', 'Bearer'];

export interface ServiceProvider {
  audiences: string[];
  recipients: string[];
}

export function assertionHolds(
  assertion: AssertionWire,
  issuers: Readonly<Record<string, ServiceProvider>>,
): boolean {
  const { assertionIssuer, assertionConditions: conditions, assertionSubject: subject } = assertion;
  if (!Object.hasOwn(issuers, assertionIssuer)) return false;
  const { audiences = [], recipients = [] } = issuers[assertionIssuer] ?? {};
  const restrictions = conditions.conditionsAudienceRestrictions;
  return (
    secondsUntil(conditions.conditionsNotBefore) <= CLOCK_SKEW_SECONDS &&
    secondsUntil(conditions.conditionsNotOnOrAfter) > -CLOCK_SKEW_SECONDS &&
    restrictions.length > 0 &&
    restrictions.every(({ audienceRestrictionAudience: named }) =>
      named.some((audience) => audiences.includes(audience)),
    ) &&
    subject.subjectConfirmations.some(
      (confirmation) =>
        BEARER.includes(confirmation.subjectConfirmationMethod) &&
        recipients.includes(confirmation.subjectConfirmationRecipient) &&
        secondsUntil(confirmation.subjectConfirmationNotOnOrAfter) > -CLOCK_SKEW_SECONDS,
    )
  );
}

function secondsUntil(dateTime: string): number {
  return ((millisecondsOf(dateTime) ?? Number.NaN) - Date.now()) / 1_000;
}
