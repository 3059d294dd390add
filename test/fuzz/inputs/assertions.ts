/** SAML logins of now, and what makes an assertion one for others, or for another time. */
import { samlEvent } from '../../support/wire.ts';

export const SAML_ISSUERS = {
  'https://idp.example.org/saml': {
    audiences: ['https://app.example.net/saml/metadata', 'https://app.example.net/second'],
    recipients: ['https://app.example.net/saml/acs'],
  },
  'https://other.example.org/saml': {
    audiences: ['https://other.example.net/saml/metadata'],
    recipients: ['https://other.example.net/saml/acs'],
  },
};

type Assertion = ReturnType<typeof samlEvent>['assertion'];

export function goodLogin(): ReturnType<typeof samlEvent> {
  const event = samlEvent();
  const { assertion } = event;
  assertion.assertionConditions.conditionsNotBefore = dateTime(-5);
  assertion.assertionConditions.conditionsNotOnOrAfter = dateTime(3_600);
  confirm(assertion, { subjectConfirmationNotOnOrAfter: dateTime(3_600) });
  return event;
}

/** A moment so many seconds from now. */
function dateTime(secondsFromNow: number): string {
  return new Date(Date.now() + secondsFromNow * 1_000).toISOString();
}

function confirm(assertion: Assertion, changes: object): void {
  const { subjectConfirmations: confirmations } = assertion.assertionSubject;
  assertion.assertionSubject.subjectConfirmations = confirmations.map((one) => ({ ...one, ...changes }));
}

function restrict(assertion: Assertion, ...restrictions: string[][]): void {
  assertion.assertionConditions.conditionsAudienceRestrictions = restrictions.map((audiences) => ({
    audienceRestrictionAudience: audiences,
  }));
}

const OURS = 'https://app.example.net/saml/metadata';
const THEIRS = 'https://other.example.net/saml/metadata';

/** Well away from the clock skew of a minute, so that a slow machine makes no difference. */
export const WRONG: Readonly<Record<string, (assertion: Assertion) => void>> = {
  'too early': ({ assertionConditions }) => {
    assertionConditions.conditionsNotBefore = dateTime(120);
  },
  'too late': ({ assertionConditions }) => {
    assertionConditions.conditionsNotOnOrAfter = dateTime(-120);
  },
  'for somebody else': (assertion) => restrict(assertion, [THEIRS]),
  'for somebody else too': (assertion) => restrict(assertion, [OURS], [THEIRS]),
  'for a name almost ours': (assertion) => restrict(assertion, [`${OURS}/`, OURS.toUpperCase(), '']),
  'for nobody': (assertion) => restrict(assertion),
  'of another issuer': (assertion) => {
    assertion.assertionIssuer = 'https://other.example.org/saml';
  },
  'of an issuer that is not listed': (assertion) => {
    assertion.assertionIssuer = 'https://idp.example.org/saml/';
  },
  'of an issuer by the name of a prototype': (assertion) => {
    assertion.assertionIssuer = '__proto__';
  },
  'confirmed for another place': (assertion) =>
    confirm(assertion, { subjectConfirmationRecipient: 'https://other.example.net/saml/acs' }),
  'confirmed too long ago': (assertion) =>
    confirm(assertion, { subjectConfirmationNotOnOrAfter: dateTime(-120) }),
  'confirmed for who holds a key': (assertion) =>
    confirm(assertion, { subjectConfirmationMethod: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }),
  'not confirmed': ({ assertionSubject }) => {
    assertionSubject.subjectConfirmations = [];
  },
};
