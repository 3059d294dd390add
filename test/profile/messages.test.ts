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
