/** Whom default handlers and mappings let in where `REQUIRED_FIELDS` lists less than an address and two names. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { type Claims, openId, saml, withSettings } from './decided.ts';

/** Where an identifier is enough. */
function withoutAny(mapping: Mapping, claims: Claims) {
  return withSettings('OpenID', { requiredFields: [], openidExternalId: 'sub' }, () =>
    // All issuers may share it.
    openId({ external_id: { issuer: false }, ...mapping }, claims),
  );
}

describe('where none is required', () => {
  const PROFILE = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };

  test.each<[string, Claims, profile: object, missing: string[]]>([
    ['all that is there', {}, PROFILE, []],
    ['no surname', { family_name: undefined }, { ...PROFILE, last_name: null }, ['last_name']],
  ])('%s makes a profile', (_, claims, profile, missing) => {
    const { response, decision } = withoutAny({}, claims);
    expect(response).toMatchObject({ type: 'AuthorizedUserResponse', ...profile });
    expect(decision).toMatchObject({ reason: 'authorized', missing });
  });

  test.each<[string, Mapping, Claims]>([
    ['unverified', {}, { email_verified: false }],
    ['unproven', { email: { unverified: 'demand_proof' } }, {}],
  ])('an address that is refused stays an error: %s', (_, mapping, claims) => {
    const { response, decision } = withoutAny(mapping, { ...claims, family_name: undefined });
    expect(decision.reason).toBe('email_unverified');
    expect(response).toMatchObject({ type: 'ErrorResponse', message: expect.stringContaining('e-mail') });
    expect(response).not.toMatchObject({ message: expect.stringContaining('last name') });
  });

  test.each<[Mapping, email: unknown, reason: string]>([
    [{ rules: [{ claim: 'email', present: true }] }, undefined, 'rule_refused'],
    [{ rules: [{ scopes: ['example.org'], from: ['email'] }] }, ' ', 'rule_refused'],
    [{ email: [NAME_ID], rules: [{ emails: ['ada@example.org'] }] }, undefined, 'rule_refused'],
    [{ rules: [{ email_domains: ['example.org'] }] }, 'ada@evil.example', 'rule_refused'],
    [{ rules: [{ email_domains: ['example.org'] }] }, 'ada@example.org', 'authorized'],
  ])('nobody without an address gets in: %j, %j: %s', (mapping, email, reason) => {
    expect(withoutAny(mapping, { email }).decision.reason).toBe(reason);
  });

  test.each([
    [undefined, /^Your account does not have what is needed/],
    ['ada@evil.example', /^Your e-mail address does not belong/],
  ])('a rule on addresses tells a person with the address %s why', (email, message) => {
    const { response } = withoutAny({ rules: [{ email_domains: ['example.org'] }] }, { email });
    expect(response).toMatchObject({ message: expect.stringMatching(message) });
  });
});

test.each<[Mapping, fields: string]>([
  [{ last_name: ['none'], first_name: ['none'] }, 'last name'],
  [{ email: ['none'], last_name: ['none'] }, 'e-mail address and last name'],
])(
  'where an address and a last name are required, %j ends with words that name these alone',
  (mapping, fields) => {
    const { response } = withSettings('SAML', { requiredFields: ['email', 'last_name'] }, () =>
      saml(mapping),
    );
    const message = `Your identity provider did not send your ${fields}.`;
    expect(response).toMatchObject({ type: 'ErrorResponse', message });
  },
);
