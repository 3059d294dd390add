/** What a person read, made again from the record of the login and the mapping. */
import { expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { loggedLogin } from '../../tools/explain/loggedLogin.ts';
import { lastRecord } from '../../tools/local/process/logRecords.ts';
import { Stage } from '../../tools/shared/stage.ts';
import { withSettings } from '../profile/decided.ts';
import { openIdLogin } from './logins.ts';

const requestId = 'request-1';
const ISSUER = 'https://idp.example.org';
const ASSURED = { eduPersonAssurance: ['https://refeds.org/assurance/IAP/high'] };

/** The login again, of which only its record is known, with the language that the person prefers. */
function logged(mapping: Mapping, claims: Record<string, unknown>) {
  const { answered, functionName } = openIdLogin(mapping, claims);
  const record = {
    ...lastRecord(answered.records, 'login'),
    ...{ requestId, answer: answered.response?.type, issuer: ISSUER, language: claims.locale ?? 'en' },
  };
  const again = loggedLogin([record], { functionName, stage: new Stage(), mapping, atMs: 0 });
  return { again, message: String(answered.response?.message) };
}

test.each<[what: string, mapping: Mapping, claims: Record<string, unknown>]>([
  ['a denied group', { groups: { from: ['g'] }, rules: [{ no_group: ['a'] }] }, { g: ['a'] }],
  ['a value that is not there', { rules: [{ claim: 'd', is: ['a'] }] }, { d: 'b' }],
  ['a denied value', { rules: [{ claim: 'd', is_not: ['a'] }] }, { d: 'a' }],
  ['a sign-in', { rules: [{ assurance: { acr: ['mfa'] } }] }, { acr: 'password' }],
  ['an account', { rules: [{ assurance: ASSURED }] }, { eduperson_assurance: ['low'] }],
  ['a group that is not known', { groups: { from: ['g'] }, rules: [{ no_group: ['a'] }] }, {}],
  ['an address and a name', {}, { email_verified: false, given_name: '', name: '' }],
])('in our words: %s', (_, mapping, claims) => {
  const { again, message } = logged(mapping, claims);
  expect(message).toMatch(/^You|^Your/);
  expect(again.answered.response?.message).toBe(`${message} (Reference: ${requestId})`);
});

test('in our words: a rule on addresses, of a person without one', () => {
  const { again, message } = withSettings('OpenID', { requiredFields: [] }, () =>
    logged({ rules: [{ email_domains: ['example.org'] }] }, { email: undefined }),
  );
  expect(again.answered.response?.message).toBe(`${message} (Reference: ${requestId})`);
});

const OWN = 'No, {reference}';
const WANTS_A = { claim: 'd', is: ['a'] };
const OF_RULE: Mapping = { rules: [{ ...WANTS_A, message: { en: OWN, de: 'Nein, {reference}' } }] };
const OF_REASON: Mapping = {
  rules: [{ claim: 'd', is: ['b'], message: 'Other' }, WANTS_A],
  messages: { rule_refused: OWN },
};
const OF_UNLISTED: Mapping = {
  issuers: { 'https://other.example': {} },
  messages: { issuer_not_listed: OWN },
};
const OF_ISSUER: Mapping = { issuers: { [ISSUER]: { messages: { profile_incomplete: OWN } } } };

test.each<[what: string, mapping: Mapping, claims: Record<string, unknown>]>([
  ['of the rule, in German', OF_RULE, { d: 'b', locale: 'de' }],
  ['of the reason, where another rule has some', OF_REASON, { d: 'b' }],
  ['of an issuer that is not listed', OF_UNLISTED, {}],
  ['of the issuer', OF_ISSUER, { given_name: '', name: '' }],
])('in words of the operator: %s', (_, mapping, claims) => {
  const { again, message } = logged(mapping, claims);
  expect(message).toContain('{reference}');
  expect(again.answered.response?.message).toBe(message.replace('{reference}', requestId));
});
