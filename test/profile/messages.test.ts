/** What a person reads: one short text, word for word. What was looked for and what arrived is in the trace. */
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { WORDS, type Words } from '../../lib/messages/en.ts';
import { OpenIdUserLoggedInEvent } from '../../lib/openid/model.ts';
import { decisionOf } from '../../lib/profile/decision.ts';
import type { OpenIdMappingAtOnce } from '../../lib/profile/schema/mappingSchema.ts';
import type { RefusalReason } from '../../lib/reasons.ts';
import { SamlUserLoggedInEvent } from '../../lib/saml/model.ts';
import { mapOpenIdLogin, mapSamlLogin } from '../../lib/sdk.ts';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';

const ADA = { email: 'ada@example.org', given_name: 'Ada', family_name: 'Lovelace' };
const UNVERIFIED = { ...ADA, email_verified: false };
const ADMITS_STAFF = { any_group: ['staff'] };
const GOLD = { assurance: { acr: ['gold'] } };
const NOT_SUSPENDED = { groups: { from: ['groups'] }, rules: [{ no_group: ['suspended'] }] };
const MAX_LENGTH = 200;

function openId(mapping: OpenIdMappingAtOnce, claims: Record<string, unknown>) {
  const wire = openIdEvent();
  wire.idToken.otherClaims = claims as typeof wire.idToken.otherClaims;
  return mapOpenIdLogin(mapping)(v.parse(OpenIdUserLoggedInEvent, wire));
}

test.each<[fields: string, Record<string, unknown>]>([
  ['e-mail address', { ...ADA, email: '', preferred_username: 'ada@example.org' }],
  ['first name', { ...ADA, given_name: '' }],
  ['last name', { ...ADA, family_name: '\u0000' }],
  ['first name and last name', { email: ADA.email }],
])('a person without %s reads so', (fields, claims) => {
  const message = `Your identity provider did not send your ${fields}.`;
  expect(openId({}, claims)).toMatchObject({ message });
});

test('a person reads all that is wrong with the profile', () => {
  const { message } = openId({}, { ...UNVERIFIED, family_name: '' }) as { message: string };
  expect(message).toBe(
    'Your identity provider did not send your last name. Your identity provider says that your e-mail address is not verified.',
  );
  expect(message.length).toBeLessThanOrEqual(MAX_LENGTH);
});

describe.each<[RefusalReason, keyof Words, OpenIdMappingAtOnce, Record<string, unknown>]>([
  ['email_unverified', 'email_unverified', {}, UNVERIFIED],
  ['email_unverified', 'email_unproven', { email: { unverified: 'demand_proof' } }, ADA],
  ['profile_incomplete', 'email_ambiguous', {}, { ...ADA, email: 'ada@example.orgada@uni.example' }],
  ['profile_incomplete', 'email_compatibility', {}, { ...ADA, email: 'ada@example．org' }],
  ['profile_incomplete', 'email_invalid', {}, { ...ADA, email: 'ada\u200b@example.org' }],
  ['groups_unknown', 'groups_unknown', { rules: [ADMITS_STAFF] }, { ...ADA, hasgroups: true }],
  ['groups_ambiguous', 'groups_ambiguous', NOT_SUSPENDED, { ...ADA, groups: 'staffsuspended' }],
  ['rule_refused', 'email_domains', { rules: [{ email_domains: ['uni.example'] }] }, ADA],
  ['rule_refused', 'scopes', { rules: [{ scopes: ['uni.example'] }] }, ADA],
  ['rule_refused', 'any_group', { rules: [ADMITS_STAFF] }, ADA],
  ['rule_refused', 'no_group', NOT_SUSPENDED, { ...ADA, groups: ['suspended'] }],
  ['rule_refused', 'claim', { rules: [{ claim: 'department', present: true }] }, ADA],
  ['rule_refused', 'assurance', { rules: [GOLD] }, { ...ADA, acr: 'silver' }],
  ['claim_unknown', 'claim_unknown', { rules: [{ claim: 'x', is_not: ['y'] }] }, ADA],
  ['assurance_unknown', 'assurance_unknown', { rules: [{ ...GOLD, message: 'Of the rule.' }] }, ADA],
  ['issuer_not_listed', 'issuer_not_listed', { issuers: { 'https://x.example': {} } }, ADA],
])('%s, %s', (reason, words, mapping, claims) => {
  test('has our words', () => {
    expect(openId(mapping, claims)).toMatchObject({ message: WORDS[words] });
  });

  test('or those of the operator for the reason', () => {
    const response = openId({ ...mapping, messages: { [reason]: 'Own.' } }, claims);
    expect(response).toMatchObject({ message: 'Own.' });
    expect(decisionOf(response)).toMatchObject({ reason, words: null });
  });
});

describe('the operator’s words', () => {
  const BY_LANGUAGE = { en: 'Ask.', cs: 'Zeptejte se.', 'de-CH': 'Fragen Sie.' };

  test('of a rule go before those of the reason, and are for its refusals alone', () => {
    const mapping: OpenIdMappingAtOnce = {
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
    const mapping: OpenIdMappingAtOnce = {
      messages: { email_unverified: 'Common.', profile_incomplete: 'Common.' },
      issuers: { 'https://idp.example.org': { messages: { email_unverified: 'Own.' } } },
    };
    expect(openId(mapping, UNVERIFIED)).toMatchObject({ message: 'Own.' });
    expect(openId(mapping, { email: ADA.email })).toMatchObject({ message: 'Common.' });
  });

  test.each<[locale: unknown, message: string]>([
    ['cs', 'Zeptejte se.'],
    ['cs_CZ', 'Zeptejte se.'],
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
