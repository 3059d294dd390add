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
  test('no surname is null', () => {
    const { response, decision } = withoutAny({}, { family_name: undefined });
    expect(response).toMatchObject({ type: 'AuthorizedUserResponse', first_name: 'Ada', last_name: null });
    expect(decision).toMatchObject({ reason: 'authorized', missing: ['last_name'] });
  });

  test('an address that is refused stays an error', () => {
    const { response, decision } = withoutAny({}, { email_verified: false, family_name: undefined });
    expect(decision.reason).toBe('email_unverified');
    expect(response).toMatchObject({ type: 'ErrorResponse' });
  });

  test.each<[Mapping, email: unknown, reason: string]>([
    [{ rules: [{ claim: 'email', present: true }] }, undefined, 'rule_refused'],
    [{ email: [NAME_ID], rules: [{ emails: ['ada@example.org'] }] }, undefined, 'rule_refused'],
    [{ rules: [{ email_domains: ['example.org'] }] }, 'ada@evil.example', 'rule_refused'],
    [{ rules: [{ email_domains: ['example.org'] }] }, 'ada@example.org', 'authorized'],
  ])('nobody without an address gets in: %j, %j: %s', (mapping, email, reason) => {
    expect(withoutAny(mapping, { email }).decision.reason).toBe(reason);
  });

  test('a rule on addresses does not speak of one to who has none', () => {
    const { response } = withoutAny({ rules: [{ email_domains: ['example.org'] }] }, { email: undefined });
    const message = expect.stringMatching(/^Your account does not have what is needed/);
    expect(response).toMatchObject({ message });
  });
});

test('the words of a refusal name what is required alone', () => {
  const { response } = withSettings('SAML', { requiredFields: ['email', 'last_name'] }, () =>
    saml({ last_name: ['none'], first_name: ['none'] }),
  );
  const message = 'Your identity provider did not send your last name.';
  expect(response).toMatchObject({ type: 'ErrorResponse', message });
});
