/** The assertion of a login: of a listed issuer, for this service, and for now. */

import type { SamlIssuer } from '../issuers.ts';
import { nearIssuer } from '../profile/fields/nearMiss.ts';
import { type AssertionCode, type Check, requireAll } from '../reasons.ts';
import type { Settings } from '../settings.ts';
import type { Assertion, AudienceRestriction, SubjectConfirmation } from './model.ts';

/** SAML Profiles 3.3; the short form is what some services make of it. */
const BEARER = ['urn:oasis:names:tc:SAML:2.0:cm:bearer', 'Bearer'];

type AssertionCheckSettings = Pick<Settings, 'samlIssuers' | 'clockSkewSeconds'>;

/** An assertion, and all that it is judged by. */
interface JudgedAssertion extends Assertion {
  /** What the settings say of the issuer; null where it is not listed. */
  issuerSettings: SamlIssuer | null;
  issuers: readonly string[];
  /** Milliseconds since 1970. */
  nowMs: number;
  /** Tolerance for clock differences, in milliseconds. */
  skewMs: number;
}

/**
 * The checks in the order in which a login is refused. Texts are compared whole.
 *
 * - Issuer: listed; its own audiences and recipients count, nothing of another issuer.
 * - Conditions (SAML Core 2.5.1.2): now is at or after `no_before` and before `not_on_or_after`.
 * - Audience restrictions (SAML Core 2.5.1.4): at least one, and each has an audience of ours.
 * - Confirmation (SAML Profiles 4.1.4.2, 4.1.4.3): one bearer confirmation that is for one of our recipients and has
 *   not expired; two that are half right do not make one.
 */
export const ASSERTION_CHECKS: readonly Check<JudgedAssertion, AssertionCode>[] = [
  {
    code: 'assertion_issuer_refused',
    holds: ({ issuerSettings }) => issuerSettings !== null,
    details: ({ issuer, issuers }) => nearIssuer('SAML_ISSUERS', issuers, issuer),
  },
  {
    code: 'assertion_not_yet_valid',
    holds: ({ conditions, nowMs, skewMs }) => nowMs + skewMs >= conditions.no_before.getTime(),
  },
  {
    code: 'assertion_expired',
    holds: (assertion) => !isOver(assertion.conditions.not_on_or_after, assertion),
  },
  { code: 'assertion_audience_refused', holds: isForUs },
  {
    code: 'assertion_confirmation_refused',
    holds: (assertion) => confirmationProblems(assertion).has(null),
    details: (assertion) => ({ problems: [...confirmationProblems(assertion)] }),
  },
];

/**
 * Requires all checks of an assertion. There is no signature in the event: this catches mix-ups and misconfiguration,
 * and no forgery.
 *
 * @param nowMs milliseconds since 1970
 * @throws {LoginError} `assertion_…`, of the first check that does not hold
 */
export function verifyAssertion(assertion: Assertion, settings: AssertionCheckSettings, nowMs: number): void {
  requireAll(ASSERTION_CHECKS, judgedAssertion(assertion, settings, nowMs));
}

/**
 * An assertion beside what it is judged by.
 *
 * @param nowMs milliseconds since 1970
 */
export function judgedAssertion(
  assertion: Assertion,
  { samlIssuers, clockSkewSeconds }: AssertionCheckSettings,
  nowMs: number,
): JudgedAssertion {
  const issuerSettings = samlIssuers.get(assertion.issuer) ?? null;
  const issuers = [...samlIssuers.keys()];
  return { ...assertion, issuerSettings, issuers, nowMs, skewMs: clockSkewSeconds * 1_000 };
}

function isOver(end: Date, { nowMs, skewMs }: JudgedAssertion): boolean {
  return nowMs - skewMs >= end.getTime();
}

function isForUs({ conditions, issuerSettings }: JudgedAssertion): boolean {
  const audiences = new Set(issuerSettings?.audiences);
  const isMet = ({ audience }: AudienceRestriction) => audience.some((uri) => audiences.has(uri));
  const restrictions = conditions.audience_restrictions;
  return restrictions.length > 0 && restrictions.every(isMet);
}

/** With null for a confirmation that holds. */
function confirmationProblems(assertion: JudgedAssertion): Set<string | null> {
  return new Set(assertion.subject.confirmations.map((one) => problemOf(one, assertion)));
}

function problemOf(
  { method, recipient, notOnOrAfter }: SubjectConfirmation,
  assertion: JudgedAssertion,
): string | null {
  if (!BEARER.includes(method)) return 'expected the method bearer';
  if (!assertion.issuerSettings?.recipients.includes(recipient)) return 'expected a configured recipient';
  return isOver(notOnOrAfter, assertion) ? 'expected a time in the future' : null;
}
