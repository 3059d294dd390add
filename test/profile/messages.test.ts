/** What a person reads: one short text, word for word. What was looked for and what arrived is in the trace. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { handleSamlUserLoggedIn } from '../../lib/saml/kind.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { mapOpenIdLogin, mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

const ADA = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };
const MAX_LENGTH = 200;

function openId(mapping: Mapping, claims: Record<string, unknown>) {
  const wire = openIdEvent();
  wire.idToken.otherClaims = claims as typeof wire.idToken.otherClaims;
  return mapOpenIdLogin(mapping)(v.parse(OpenIdUserLoggedInEvent, wire));
}

test.each<[string, Mapping, Record<string, unknown>]>([
  [
    'Your identity provider did not send your e-mail address.',
    {},
    { given_name: 'Ada', family_name: 'Lovelace', preferred_username: 'ada@example.org' },
  ],
  ['Your identity provider did not send your first name.', {}, { ...ADA, given_name: '' }],
  [
    'Your identity provider did not send your last name.',
    { affiliation: ['org'] },
    { ...ADA, family_name: '\u0000' },
  ],
  ['Your identity provider did not send your first name and last name.', {}, { email: ADA.email }],
  ['Your identity provider did not send your e-mail address, first name and last name.', {}, {}],
  [
    'Your identity provider says that your e-mail address is not verified.',
    {},
    { ...ADA, email_verified: false },
  ],
  [
    'Your identity provider did not send your last name. Your identity provider says that your e-mail address is not verified.',
    {},
    { email: ADA.email, given_name: 'Ada', email_verified: false },
  ],
  [
    'Your identity provider does not say that your e-mail address is verified.',
    { email: { unverified: 'demand_proof' } },
    ADA,
  ],
  [
    'Your identity provider sent several e-mail addresses as one text.',
    {},
    { ...ADA, email: 'ada@example.orgada@uni.example' },
  ],
  [
    'Your identity provider sent an e-mail address with compatibility characters, which look like other characters.',
    {},
    { ...ADA, email: 'ada@example．org' },
  ],
  [
    'Your identity provider sent an e-mail address that cannot be used.',
    {},
    { ...ADA, email: 'ada\u200b@example.org' },
  ],
  [
    'Your identity provider did not say which groups you are in.',
    { rules: [{ any_group: ['staff'] }] },
    { ...ADA, hasgroups: true },
  ],
  [
    'Your identity provider sent your groups in a form that cannot be read. Please contact the people who run this service.',
    { groups: { from: ['groups'] }, rules: [{ no_group: ['suspended'] }] },
    { ...ADA, groups: 'staffsuspended' },
  ],
  [
    'Your e-mail address does not belong to an organisation that may log in here.',
    { rules: [{ email_domains: ['uni.example'] }] },
    ADA,
  ],
  [
    'Your organisation has not confirmed that you may log in here.',
    { rules: [{ scopes: ['uni.example'] }] },
    ADA,
  ],
  ['You are in none of the groups that may log in here.', { rules: [{ any_group: ['staff'] }] }, ADA],
  [
    'You are in a group that may not log in here.',
    { groups: { from: ['groups'] }, rules: [{ no_group: ['suspended'] }] },
    { ...ADA, groups: ['suspended'] },
  ],
  [
    'Your account does not have what is needed to log in here.',
    { rules: [{ claim: 'department', present: true }] },
    ADA,
  ],
  [
    'Your sign-in is too old or not secure enough to log in here. Please sign in again.',
    { rules: [{ assurance: { acr: ['gold'] } }] },
    { ...ADA, acr: 'silver' },
  ],
  [
    'Your identity provider did not say how or when you signed in.',
    { rules: [{ assurance: { acr: ['gold'] } }] },
    ADA,
  ],
  ['You cannot log in here with this identity provider.', { issuers: { 'https://x.example': {} } }, ADA],
  ['Ask Ada.', { rules: [{ any_group: ['staff'], message: 'Ask Ada.' }] }, ADA],
])('%s', (message, mapping, claims) => {
  const answer = openId(mapping, claims);
  expect(answer).toMatchObject({ message });
  expect(message.length).toBeLessThanOrEqual(MAX_LENGTH);
});

describe('the operator’s words', () => {
  const ADMITS_STAFF = { any_group: ['staff'] };
  const BY_LANGUAGE = { en: 'Ask.', cs: 'Zeptejte se.', 'de-CH': 'Fragen Sie.' };
  const UNVERIFIED = { ...ADA, email_verified: false };

  test.each<[string, Mapping['messages'], Omit<Mapping, 'messages'>, Record<string, unknown>]>([
    ['profile_incomplete', { profile_incomplete: 'Own.' }, {}, { email: ADA.email }],
    ['email_unverified', { email_unverified: 'Own.' }, {}, UNVERIFIED],
    ['groups_unknown', { groups_unknown: 'Own.' }, { rules: [ADMITS_STAFF] }, { ...ADA, hasgroups: true }],
    [
      'groups_ambiguous',
      { groups_ambiguous: 'Own.' },
      { groups: { from: ['groups'] }, rules: [{ no_group: ['suspended'] }] },
      { ...ADA, groups: 'staffsuspended' },
    ],
    [
      'assurance_unknown',
      { assurance_unknown: 'Own.' },
      { rules: [{ assurance: { acr: ['gold'] }, message: 'Of the rule.' }] },
      ADA,
    ],
    ['rule_refused', { rule_refused: 'Own.' }, { rules: [ADMITS_STAFF] }, ADA],
    ['issuer_not_listed', { issuer_not_listed: 'Own.' }, { issuers: { 'https://x.example': {} } }, ADA],
  ])('by reason: %s', (reason, messages, mapping, claims) => {
    const response = openId({ ...mapping, messages }, claims);
    expect(response).toMatchObject({ message: 'Own.' });
    expect(decisionOf(response)).toMatchObject({ reason, message: 'Own.' });
    expect(decisionOf(response)?.words).toBeUndefined();
  });

  test('of another reason are not for this one', () => {
    const messages = { email_unverified: 'Own.', rule_refused: 'Own.' };
    expect(openId({ messages }, { email: ADA.email })).toMatchObject({
      message: 'Your identity provider did not send your first name and last name.',
    });
  });

  test('of a rule go before those of the reason, and are for its refusals alone', () => {
    const mapping: Mapping = {
      rules: [{ ...ADMITS_STAFF, message: 'Of the rule.' }, { any_group: ['editors'] }],
      messages: { rule_refused: 'Of the reason.' },
    };
    expect(openId(mapping, ADA)).toMatchObject({ message: 'Of the rule.' });
    expect(openId(mapping, { ...ADA, groups: ['staff'] })).toMatchObject({ message: 'Of the reason.' });
    expect(openId(mapping, { ...ADA, hasgroups: true })).toMatchObject({
      message: 'Your identity provider did not say which groups you are in.',
    });
  });

  test('of an issuer go before the common ones, one by one', () => {
    const mapping: Mapping = {
      messages: { email_unverified: 'Common.', profile_incomplete: 'Common.' },
      issuers: { 'https://idp.example.org': { messages: { email_unverified: 'Own.' } } },
    };
    expect(openId(mapping, UNVERIFIED)).toMatchObject({ message: 'Own.' });
    expect(openId(mapping, { email: ADA.email })).toMatchObject({ message: 'Common.' });
  });

  test.each<[locale: unknown, message: string]>([
    ['cs', 'Zeptejte se.'],
    ['cs_CZ', 'Zeptejte se.'],
    ['DE-ch', 'Fragen Sie.'],
    ['de', 'Ask.'],
    ['fr;q=1, cs;q=0.5', 'Zeptejte se.'],
    [['cs'], 'Ask.'],
    [undefined, 'Ask.'],
  ])('by language, for locale %j: %s', (locale, message) => {
    for (const mapping of [
      { rules: [{ ...ADMITS_STAFF, message: BY_LANGUAGE }] },
      { rules: [ADMITS_STAFF], messages: { rule_refused: BY_LANGUAGE } },
    ])
      expect(openId(mapping, { ...ADA, locale })).toMatchObject({ message });
  });

  test('by language, for the attribute preferredLanguage', () => {
    const event = v.parse(SamlUserLoggedInEvent, samlEvent([attribute('preferredLanguage', 'it, cs;q=0.9')]));
    const handle = mapSamlLogin({ messages: { profile_incomplete: BY_LANGUAGE } });
    expect(handle(event)).toMatchObject({ message: 'Zeptejte se.' });
  });
});

describe('whatever arrives', () => {
  const received = fc.array(
    fc
      .tuple(fc.string(), fc.string({ minLength: 1 }), fc.option(fc.string()))
      .map(([name, value, friendlyName]) =>
        attribute(`x-${name}`, `VALUE${value}`, friendlyName === null ? null : `x-${friendlyName}`),
      ),
  );
  const handlers = [
    handleSamlUserLoggedIn,
    mapSamlLogin({
      email: ['x-mail'],
      groups: { from: ['x-groups'], absent: ['x-groups'] },
      rules: [{ no_group: ['VALUE'] }, { any_group: ['x'] }],
    }),
  ];

  test('the message is short, and neither it nor the trace holds a value', () => {
    fc.assert(
      fc.property(received, fc.constantFrom(...handlers), (attributes, handle) => {
        const event = v.parse(SamlUserLoggedInEvent, samlEvent(attributes));
        const answer = handle(event) as { message: string };
        expect(answer.message.length).toBeLessThanOrEqual(MAX_LENGTH);
        expect(answer.message + JSON.stringify(decisionOf(answer)?.trace())).not.toContain('VALUE');
      }),
    );
  });
});
