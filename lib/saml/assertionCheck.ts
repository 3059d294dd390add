import '../core.ts';
import { LoginError } from '../errors.ts';
import type { SamlIssuer } from '../issuers.ts';
import type { Assertion, AudienceRestriction, SubjectConfirmation } from './model.ts';

/** SAML Profiles 3.3; the short form is what some services make of it. */
const BEARER = ['urn:oasis:names:tc:SAML:2.0:cm:bearer', 'Bearer'];
/** How many confirmations are looked at: real assertions have one, seldom two. */
const MAX_CONFIRMATIONS = 20;

export interface AssertionCheckSettings {
  samlIssuers: ReadonlyMap<string, SamlIssuer>;
  clockSkewSeconds: number;
}

/**
 * Whether an assertion is of a listed issuer, for this service, and for now. Texts are compared whole. There is no
 * signature in the event: this catches mix-ups and misconfiguration, and no forgery.
 *
 * - Issuer: listed; what it may be used for is its own, nothing of another issuer counts.
 * - Conditions (SAML Core 2.5.1.2): now is at or after `no_before` and before `not_on_or_after`.
 * - Audience restrictions (SAML Core 2.5.1.4): at least one, and each has an audience of ours.
 * - Confirmation (SAML Profiles 4.1.4.2, 4.1.4.3): one bearer confirmation that is for one of our recipients and has
 *   not expired; two that are half right do not make one.
 *
 * @param nowMs milliseconds since 1970; times may be off by `clockSkewSeconds`
 * @throws {LoginError}
 */
export function verifyAssertion(
  assertion: Assertion,
  { samlIssuers, clockSkewSeconds }: AssertionCheckSettings,
  nowMs: number,
): void {
  const ours = samlIssuers.get(assertion.issuer);
  if (!ours) throw new LoginError('assertion_issuer_refused');
  const skewMs = clockSkewSeconds * 1_000;
  const isOver = (end: Date) => nowMs - skewMs >= end.getTime();

  const { no_before, not_on_or_after, audience_restrictions } = assertion.conditions;
  if (nowMs + skewMs < no_before.getTime()) throw new LoginError('assertion_not_yet_valid');
  if (isOver(not_on_or_after)) throw new LoginError('assertion_expired');
  if (!isForUs(audience_restrictions, ours)) throw new LoginError('assertion_audience_refused');

  const problems = assertion.subject.confirmations
    .slice(0, MAX_CONFIRMATIONS)
    .map((confirmation) => problemOf(confirmation, ours, isOver));
  if (!problems.includes(null)) throw new LoginError('assertion_confirmation_refused', { problems });
}

function isForUs(restrictions: AudienceRestriction[], { audiences }: SamlIssuer): boolean {
  const ours = new Set(audiences);
  const isMet = ({ audience }: AudienceRestriction) => audience.some((uri) => ours.has(uri));
  return restrictions.length > 0 && restrictions.every(isMet);
}

/** Null for a confirmation that holds. */
function problemOf(
  { method, recipient, notOnOrAfter }: SubjectConfirmation,
  { recipients }: SamlIssuer,
  isOver: (end: Date) => boolean,
): string | null {
  if (!BEARER.includes(method)) return 'expected the method bearer';
  if (!recipients.includes(recipient)) return 'expected a recipient that is configured';
  return isOver(notOnOrAfter) ? 'expected a time that is not over' : null;
}
