/** What a person reads: one short text, word for word. What was looked for and what arrived is in the trace. */
import { describe, expect, test } from '@jest/globals';
import { WORDS, type Words } from '../../lib/messages/en.ts';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { attribute } from '../support/wire.ts';
import { type Claims, openId, type Reason, saml } from './decided.ts';

const UNVERIFIED = { email_verified: false };
const STAFF = { any_group: ['staff'] };
const GOLD = { assurance: { acr: ['gold'] } };
const NOT_SUSPENDED: Mapping = { groups: { from: ['groups'] }, rules: [{ no_group: ['suspended'] }] };
const NOT_SENT = 'Your identity provider did not send your';
const NO_HALF = { given_name: '', family_name: '\u0000' };

test.each<[Claims, message: string]>([
  [{ email: '', preferred_username: 'ada@example.org' }, `${NOT_SENT} e-mail address.`],
  [NO_HALF, `${NOT_SENT} first name and last name.`],
  [{ ...UNVERIFIED, family_name: '' }, `${NOT_SENT} last name. ${WORDS.email_unverified}`],
])('a person reads all that is wrong with the profile: %j: %s', (claims, message) => {
  expect(openId({}, claims).response).toMatchObject({ message });
  expect(message.length).toBeLessThanOrEqual(200);
});

describe.each<[Reason, keyof Words, Mapping, Claims]>([
  ['email_unverified', 'email_unverified', {}, UNVERIFIED],
  ['email_unverified', 'email_unproven', { email: { unverified: 'demand_proof' } }, {}],
  ['groups_unknown', 'groups_unknown', { rules: [STAFF] }, { hasgroups: true }],
  ['groups_ambiguous', 'groups_ambiguous', NOT_SUSPENDED, { groups: 'staffsuspended' }],
  ['rule_refused', 'email_domains', { rules: [{ email_domains: ['uni.example'] }] }, {}],
  ['rule_refused', 'email_domains', { rules: [{ emails: ['x@uni.example'] }] }, {}],
  ['rule_refused', 'scopes', { rules: [{ scopes: ['uni.example'] }] }, {}],
  ['rule_refused', 'any_group', { rules: [STAFF] }, {}],
  ['rule_refused', 'no_group', NOT_SUSPENDED, { groups: ['suspended'] }],
  ['rule_refused', 'claim', { rules: [{ claim: 'department', present: true }] }, {}],
  ['rule_refused', 'forbidden', { rules: [{ claim: 'level', is_not: [7] }] }, { level: 7 }],
  ['rule_refused', 'assurance', { rules: [GOLD] }, { acr: 'silver' }],
  ['assurance_unknown', 'assurance_unknown', { rules: [{ ...GOLD, message: 'Of the rule.' }] }, {}],
  ['issuer_not_listed', 'issuer_not_listed', { issuers: { 'https://x.example': {} } }, {}],
])('%s, %s', (reason, words, mapping, claims) => {
  test('has our words', () => {
    const { response, decision } = openId(mapping, claims);
    const isForbidden = ['rule_refused', 'issuer_not_listed'].includes(reason);
    const type = isForbidden ? 'ForbiddenResponse' : 'ErrorResponse';
    expect(response).toMatchObject({ type, message: WORDS[words] });
    expect(decision).toMatchObject({ reason, type, words: { message: WORDS[words] } });
  });

  test('or those of the operator for the reason', () => {
    const { response, decision } = openId({ ...mapping, messages: { [reason]: 'Own.' } }, claims);
    expect(response).toMatchObject({ message: 'Own.' });
    expect(decision).toMatchObject({ reason, words: null });
  });
});

describe('the operator’s words', () => {
  const BY_LANGUAGE = { en: 'Ask.', cs: 'Zeptejte se.', 'de-CH': 'Fragen Sie.' };

  test('of a rule go before those of the reason, and are for its refusals alone', () => {
    const rules = [{ ...STAFF, message: 'Of the rule.' }, { any_group: ['editors'] }];
    const of = (claims: Claims) => openId({ rules, messages: { rule_refused: 'Of the reason.' } }, claims);
    expect(of({}).response).toMatchObject({ message: 'Of the rule.' });
    expect(of({}).decision.words).toBeNull();
    expect(of({ groups: ['staff'] }).response).toMatchObject({ message: 'Of the reason.' });
    expect(of({ hasgroups: true }).response).toMatchObject({ message: WORDS.groups_unknown });
  });

  test('of an issuer go before the common ones, one by one', () => {
    const mapping: Mapping = {
      messages: { email_unverified: 'Common.', profile_incomplete: 'Common.' },
      issuers: { 'https://idp.example.org': { messages: { email_unverified: 'Own.' } } },
    };
    expect(openId(mapping, UNVERIFIED).response).toMatchObject({ message: 'Own.' });
    expect(openId(mapping, NO_HALF).response).toMatchObject({ message: 'Common.' });
  });

  test('by language', () => {
    const mapping: Mapping = { rules: [{ ...STAFF, message: BY_LANGUAGE }] };
    expect(openId(mapping, { locale: 'cs_CZ' }).response).toMatchObject({ message: 'Zeptejte se.' });
    const { response } = saml(mapping, [attribute('preferredLanguage', 'it, cs;q=0.9')]);
    expect(response).toMatchObject({ message: 'Zeptejte se.' });
  });
});
