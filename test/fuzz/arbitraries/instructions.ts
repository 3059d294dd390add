/** Logins that are answered side by side: what each tells its handler to do. */
import fc from 'fast-check';
import { openIdEvent, samlEvent } from '../../support/wire.ts';
import { asText } from './http.ts';

const MAX_LOGINS = 50;
const MAX_WAIT_MS = 6;

export interface Instructions {
  waitMs: number;
  /** What to look up; the same is looked up by others. */
  shared: string | null;
  /** `default`: as the default handler decides. */
  outcome: 'authorizes' | 'forbids' | 'throws' | 'stray' | 'default';
}

export interface SideBySide extends Instructions {
  kind: 'openidLoggedIn' | 'samlLoggedIn';
  isHttp: boolean;
  /** Whether its time is over before its handler has waited. */
  isLate: boolean;
  /** Whether the default handler finds who it is. */
  isComplete: boolean;
}

/** How long a late login's handler waits, in milliseconds: longer than it has. */
const LATE_WAIT_MS = 60;

const one: fc.Arbitrary<SideBySide> = fc
  .record({
    kind: fc.constantFrom('openidLoggedIn' as const, 'samlLoggedIn' as const),
    waitMs: fc.nat(MAX_WAIT_MS),
    shared: fc.option(fc.constantFrom('a', 'b', 'c')),
    outcome: fc.constantFrom('authorizes', 'authorizes', 'forbids', 'throws', 'stray', 'default' as const),
    isHttp: fc.boolean(),
    isLate: fc.nat(20).map((number) => number === 0),
    isComplete: fc.boolean(),
  })
  .map((login) => (login.isLate ? { ...login, waitMs: LATE_WAIT_MS } : login));

export const sideBySide = fc.array(one, { minLength: 2, maxLength: MAX_LOGINS, size: '+1' });

/** The event of the person of this name, who comes from an issuer of their own. */
export function eventFor(person: string, login: SideBySide): string {
  const event = login.kind === 'openidLoggedIn' ? openIdFor(person, login) : samlFor(person, login);
  return login.isHttp ? asText(JSON.stringify(event)) : JSON.stringify(event);
}

export function issuerOf(person: string): string {
  return `https://${person}.example`;
}

function openIdFor(person: string, { waitMs, shared, outcome, isComplete }: SideBySide) {
  const event = openIdEvent();
  event.tokenType = 'waiting';
  Object.assign(event.idToken, { iss: issuerOf(person), sub: person });
  event.idToken.nonce = JSON.stringify({ waitMs, shared, outcome } satisfies Instructions);
  event.idToken.otherClaims = {
    ...(isComplete && { email: `${person}@example.org` }),
    given_name: person,
    family_name: '-',
    [`claim-of-${person}`]: 1,
  };
  return event;
}

function samlFor(person: string, { waitMs, shared, outcome, isComplete }: SideBySide) {
  const event = samlEvent();
  const { assertion } = event;
  Object.assign(assertion, { assertionId: person, assertionIssuer: issuerOf(person) });
  Object.assign(assertion.assertionAuthnStatement, {
    authnStatementSessionIndex: 'waiting',
    authnStatementLocality: JSON.stringify({ waitMs, shared, outcome } satisfies Instructions),
  });
  const [mail, givenName, sn] = assertion.assertionAttributeStatement;
  const values = [isComplete ? `${person}@example.org` : 'none', person, '-'];
  for (const [index, attribute] of [mail, givenName, sn].entries())
    Object.assign(attribute ?? {}, { attributeValue: values[index] });
  assertion.assertionAttributeStatement.push({ ...mail, attributeName: `claim-of-${person}` } as never);
  return event;
}
