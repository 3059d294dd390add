/** What is checked of an assertion: each rule by itself, to the millisecond; and what a date-time is. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { ASSERTION_CHECKS, judgedAssertion, verifyAssertion } from '../../lib/saml/assertionCheck.ts';
import { parseDateTime } from '../../lib/saml/dateTime.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { samlEvent } from '../support/wire.ts';

type Assertion = ReturnType<typeof samlEvent>['assertion'];
type Confirmation = Assertion['assertionSubject']['subjectConfirmations'][number];

const IDP = 'https://idp.example.org/saml';
const OURS = 'https://app.example.net/saml/metadata';
const OUR_SECOND = 'urn:app:2';
const ACS = 'https://app.example.net/saml/acs';
const SECOND_ACS = 'https://app.example.net/saml/acs2';
const OTHER_IDP = 'https://other-idp.example.org';
const OTHERS = 'https://other-app.example.net';
const OTHER_ACS = 'https://other-app.example.net/acs';
const HOLDER_OF_KEY = 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key';

const NOT_BEFORE = Date.parse('2026-11-21T10:00:00Z');
const CONFIRMATION_END = NOT_BEFORE + 200_000;
const CONDITIONS_END = NOT_BEFORE + 300_000;

const settings = (clockSkewSeconds: number) => ({
  samlIssuers: new Map([
    [IDP, { audiences: [OURS, OUR_SECOND], recipients: [ACS, SECOND_ACS] }],
    [OTHER_IDP, { audiences: [OTHERS], recipients: [OTHER_ACS] }],
  ]),
  clockSkewSeconds,
});
const date = (ms: number) => new Date(ms).toISOString();

/** A good assertion, with something changed. */
function parsed(change: (assertion: Assertion) => void, issuer = IDP) {
  const event = samlEvent();
  const { assertion } = event;
  assertion.assertionIssuer = issuer;
  assertion.assertionConditions = {
    conditionsNotBefore: date(NOT_BEFORE),
    conditionsNotOnOrAfter: date(CONDITIONS_END),
    conditionsAudienceRestrictions: [{ audienceRestrictionAudience: [OURS] }],
  };
  assertion.assertionSubject.subjectConfirmations = [confirmation()];
  change(assertion);
  return v.parse(SamlUserLoggedInEvent, event).assertion;
}

function confirmation(more: Partial<Record<'method' | 'recipient' | 'end', string>> = {}): Confirmation {
  return {
    subjectConfirmationMethod: more.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
    subjectConfirmationAddress: '',
    subjectConfirmationNotOnOrAfter: more.end ?? date(CONFIRMATION_END),
    subjectConfirmationRecipient: more.recipient ?? ACS,
  };
}

function refusalOf(change: (assertion: Assertion) => void, nowMs = NOT_BEFORE, skewSeconds = 0) {
  try {
    verifyAssertion(parsed(change), settings(skewSeconds), nowMs);
    return null;
  } catch (error) {
    return error as { code: string; details: object };
  }
}
const codeOf = (...args: Parameters<typeof refusalOf>) => refusalOf(...args)?.code ?? null;

test.each([0, 60])('to the millisecond, with a skew of %i s', (skewSeconds) => {
  const skewMs = skewSeconds * 1_000;
  const reasonAt = (nowMs: number) => codeOf(() => {}, nowMs, skewSeconds);
  expect(reasonAt(NOT_BEFORE - skewMs - 1)).toBe('assertion_not_yet_valid');
  expect(reasonAt(NOT_BEFORE - skewMs)).toBeNull();
  expect(reasonAt(CONFIRMATION_END + skewMs - 1)).toBeNull();
  expect(reasonAt(CONFIRMATION_END + skewMs)).toBe('assertion_confirmation_refused');
  expect(reasonAt(CONDITIONS_END + skewMs - 1)).toBe('assertion_confirmation_refused');
  expect(reasonAt(CONDITIONS_END + skewMs)).toBe('assertion_expired');
});

test.each([
  [OTHER_IDP, 'assertion_audience_refused'],
  [`${IDP}/`, 'assertion_issuer_refused'],
  ['__proto__', 'assertion_issuer_refused'],
])('the issuer %s is refused: %s', (issuer, code) => {
  expect(codeOf((assertion) => (assertion.assertionIssuer = issuer))).toBe(code);
});

test('an issuer that is nearly listed is told', () => {
  const near = parsed(() => {}, `${IDP}/`);
  const note = expect.stringContaining(`SAML_ISSUERS lists ${IDP} (a slash more or less)`);
  const refusal = expect.objectContaining({ details: { note, near: ['slash'] } });
  expect(() => verifyAssertion(near, settings(0), NOT_BEFORE)).toThrow(refusal);
});

test.each<[string[][], boolean]>([
  [[[OTHERS, OURS]], true],
  [[[OUR_SECOND]], true],
  [[], false],
  [[[OURS], [OTHERS]], false],
  [[[`${OURS} ${OTHERS}`]], false],
])('audiences %j: %p', (restrictions, isForUs) => {
  const asWired = restrictions.map((audiences) => ({ audienceRestrictionAudience: audiences }));
  const code = codeOf(({ assertionConditions }) => {
    assertionConditions.conditionsAudienceRestrictions = asWired;
  });
  expect(code).toBe(isForUs ? null : 'assertion_audience_refused');
});

describe('confirmations', () => {
  const METHOD = 'expected the method bearer';
  const RECIPIENT = 'expected a configured recipient';
  const TIME = 'expected a time in the future';
  const over = confirmation({ end: date(NOT_BEFORE) });

  const refusal = (confirmations: Confirmation[]) =>
    refusalOf(({ assertionSubject }) => {
      assertionSubject.subjectConfirmations = confirmations;
    });

  test.each<[string, Confirmation[]]>([
    ['bearer in its short form', [confirmation({ method: 'Bearer' })]],
    ['one beside others that do not hold', [over, confirmation(), confirmation({ method: '' })]],
  ])('confirm: %s', (_, confirmations) => {
    expect(refusal(confirmations)).toBeNull();
  });

  test.each<[string, Confirmation[], string[]]>([
    ['none', [], []],
    ['another method', [confirmation({ method: HOLDER_OF_KEY })], [METHOD]],
    ['the recipient of another issuer', [confirmation({ recipient: OTHER_ACS })], [RECIPIENT]],
    ['no recipient', [confirmation({ recipient: '' })], [RECIPIENT]],
    ['an address below our recipient', [confirmation({ recipient: `${ACS}/x` })], [RECIPIENT]],
    ['a time that is over', [over], [TIME]],
    ['two half right', [over, confirmation({ recipient: OTHER_ACS })], [TIME, RECIPIENT]],
  ])('do not confirm: %s', (_, confirmations, problems) => {
    const refused = { code: 'assertion_confirmation_refused', details: { problems } };
    expect(refusal(confirmations)).toMatchObject(refused);
  });
});

test('every finding shows, in order', () => {
  const assertion = parsed(({ assertionConditions }) => {
    assertionConditions.conditionsNotBefore = date(NOT_BEFORE + 1);
    assertionConditions.conditionsNotOnOrAfter = date(NOT_BEFORE);
  }, OTHERS);
  const judged = judgedAssertion(assertion, settings(0), NOT_BEFORE);
  expect(ASSERTION_CHECKS.filter(({ holds }) => !holds(judged)).map(({ code }) => code)).toEqual([
    'assertion_issuer_refused',
    'assertion_not_yet_valid',
    'assertion_expired',
    'assertion_audience_refused',
    'assertion_confirmation_refused',
  ]);
});

describe('a date-time', () => {
  test.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21t10:00:00z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00.5', '2026-11-21T10:00:00.500Z'],
    ['2026-11-21T10:00:00.123456789123Z', '2026-11-21T10:00:00.123Z'],
    ['2026-11-21T10:00:00.9999+05:30', '2026-11-21T04:30:00.999Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59-23:59', '+010000-01-01T23:58:59.000Z'],
    [`2026-11-21T10:00:00.${'9'.repeat(979)}Z`, '2026-11-21T10:00:00.999Z'],
  ])('%s is %s', (text, iso) => {
    expect(parseDateTime(text)?.toISOString()).toBe(iso);
  });

  test.each([
    ...['', '2026-11-21 10:00:00Z', '2026-11-21T10:00Z', ' 2026-11-21T10:00:00Z'],
    ...['2026-02-30T00:00:00Z', '2026-13-10T00:00:00Z', '2026-11-00T00:00:00Z', '2026-11-21T24:00:00Z'],
    ...['2026-11-21T10:60:00Z', '2026-11-21T10:00:60Z', '2026-11-21T10:00:00.Z', '+02026-11-21T10:00:00Z'],
    ...['2026-11-21T10:00:00+00', '2026-11-21T10:00:00+0100', '2026-11-21T10:00:00+24:00'],
    `2026-11-21T10:00:00.${'9'.repeat(980)}Z`,
  ])('is not %p', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });
});
