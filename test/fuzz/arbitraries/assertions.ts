/** SAML logins for other times, other audiences and other recipients than the right ones. */
import fc from 'fast-check';
import { samlEvent } from '../../support/wire.ts';
import type { ServiceProvider } from '../oracle/assertion.ts';

export const SAML_ISSUERS: Readonly<Record<string, ServiceProvider>> = {
  'https://idp.example.org/saml': {
    audiences: ['https://app.example.net/saml/metadata', 'https://app.example.net/second'],
    recipients: ['https://app.example.net/saml/acs'],
  },
  'https://other.example.org/saml': {
    audiences: ['https://other.example.net/saml/metadata'],
    recipients: ['https://other.example.net/saml/acs'],
  },
};

/** The first of them is right; usually it is that one. */
function usually<T>(right: T, ...others: T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant(right) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
/** More than are looked at. */
const MANY_CONFIRMATIONS = 30;
/** In seconds from now, well away from the clock skew of 60, so that a slow machine makes no difference. */
const start = usually(-5, -100_000, 30, 90, 100_000);
const end = usually(300, -100_000, -90, -30, 0, 30, 100_000);
const audience = usually(
  'https://app.example.net/saml/metadata',
  'https://app.example.net/second',
  'https://other.example.net/saml/metadata',
  'https://app.example.net/saml/metadata/',
  'HTTPS://app.example.net/saml/metadata',
  '',
);
const confirmation = fc.record({
  method: usually(BEARER, 'Bearer', 'bearer', 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key', ''),
  end,
  recipient: usually(
    'https://app.example.net/saml/acs',
    'https://other.example.net/saml/acs',
    'https://app.example.net/saml/acs?',
    '',
  ),
});

export const assertionChange = fc.record({
  issuer: usually(
    'https://idp.example.org/saml',
    'https://other.example.org/saml',
    'https://idp.example.org/saml/',
    '__proto__',
    'constructor',
  ),
  start,
  end,
  offset: usually('Z', '', '+02:00', '-11:30'),
  restrictions: fc.array(fc.array(audience, { maxLength: 3 }), { maxLength: 3 }),
  confirmations: fc.oneof(
    { weight: 30, arbitrary: fc.array(confirmation, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.array(confirmation, { minLength: 1, maxLength: MANY_CONFIRMATIONS }) },
  ),
});

export type AssertionChange = typeof assertionChange extends fc.Arbitrary<infer T> ? T : never;

export const RIGHT: AssertionChange = {
  issuer: 'https://idp.example.org/saml',
  start: -5,
  end: 3_600,
  offset: 'Z',
  restrictions: [['https://app.example.net/saml/metadata']],
  confirmations: [{ method: BEARER, end: 3_600, recipient: 'https://app.example.net/saml/acs' }],
};

export function assertionOf(change: AssertionChange): ReturnType<typeof samlEvent> {
  const event = samlEvent();
  const { assertion } = event;
  assertion.assertionIssuer = change.issuer;
  assertion.assertionConditions = {
    conditionsNotBefore: dateTime(change.start, change.offset),
    conditionsNotOnOrAfter: dateTime(change.end, change.offset),
    conditionsAudienceRestrictions: change.restrictions.map((audiences) => ({
      audienceRestrictionAudience: audiences,
    })),
  };
  assertion.assertionSubject.subjectConfirmations = change.confirmations.map(
    ({ method, end, recipient }) => ({
      subjectConfirmationMethod: method,
      subjectConfirmationAddress: '',
      subjectConfirmationNotOnOrAfter: dateTime(end, change.offset),
      subjectConfirmationRecipient: recipient,
    }),
  );
  return event;
}

/** The moment so many seconds from now, as a clock with this offset shows it. */
function dateTime(secondsFromNow: number, offset: string): string {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const offsetSeconds = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60;
  const shown = new Date(Date.now() + (secondsFromNow + offsetSeconds) * 1_000);
  return shown.toISOString().replace('Z', offset);
}
