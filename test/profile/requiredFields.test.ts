/** Whom default handlers and mappings let in where `REQUIRED_FIELDS` lists less than an address and two names. */
import { describe, expect, test } from '@jest/globals';
import type { Mapping } from '../../lib/profile/schema/mappingSchema.ts';
import { NAME_ID } from '../../lib/profile/schema/profileFields.ts';
import { configuration } from '../../lib/readSettings.ts';
import { openId as decided, saml } from './decided.ts';

// Read once for each kind of login.
Object.assign(process.env, { OPENID_EXTERNAL_ID: 'sub', REQUIRED_FIELDS: 'none' });
configuration('OpenID');
process.env.REQUIRED_FIELDS = 'last_name, email';
configuration('SAML');

const PROFILE = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org' };
/** The identifier of the setting may be shared by all issuers. */
const openId = (mapping: Mapping, claims: Record<string, unknown>) =>
  decided({ external_id: { issuer: false }, ...mapping }, claims);

describe('where none is required', () => {
  test.each<[string, Record<string, unknown>, object]>([
    ['all that is there', {}, PROFILE],
    ['no surname', { family_name: undefined }, { ...PROFILE, last_name: null }],
  ])('%s makes a profile', (_, claims, profile) => {
    const { response, decision } = openId({}, claims);
    const missing = Object.entries(profile).flatMap(([field, value]) => (value === null ? [field] : []));
    expect(response).toMatchObject({ type: 'AuthorizedUserResponse', ...profile });
    expect(decision).toMatchObject({ reason: 'authorized', missing: expect.arrayContaining(missing) });
    expect(decision.missing).toHaveLength(missing.length);
  });

  test.each<[string, Mapping, Record<string, unknown>, string]>([
    ['unverified', {}, { email_verified: false }, 'email_unverified'],
    ['unproven', { email: { unverified: 'demand_proof' } }, {}, 'email_unverified'],
  ])('an address that is refused stays an error: %s', (_, mapping, claims, reason) => {
    const { response, decision } = openId(mapping, { ...claims, family_name: undefined });
    expect(decision.reason).toBe(reason);
    expect(response).toMatchObject({ type: 'ErrorResponse', message: expect.stringContaining('e-mail') });
    expect(response).not.toMatchObject({ message: expect.stringContaining('last name') });
  });

  test.each<[Mapping, unknown]>([
    [{ rules: [{ claim: 'email', present: true }] }, undefined],
    [{ rules: [{ scopes: ['example.org'], from: ['email'] }] }, ' '],
    [{ email: [NAME_ID], rules: [{ emails: ['ada@example.org'] }] }, undefined],
  ])('who has no address is not let in by one: %j', (mapping, email) => {
    expect(openId(mapping, { email }).decision.reason).toBe('rule_refused');
  });

  test.each<[string, unknown, string]>([
    ['of the domain is let in', 'ada@example.org', 'authorized'],
    ['of another domain is refused', 'ada@evil.example', 'rule_refused'],
  ])('by a rule on addresses, a person %s', (_, email, reason) => {
    const { decision } = openId({ rules: [{ email_domains: ['example.org'] }] }, { email });
    expect(decision.reason).toBe(reason);
  });
});

describe('where an address and a last name are required', () => {
  test.each<[Mapping, string]>([
    [{ last_name: ['none'], first_name: ['none'] }, 'Your identity provider did not send your last name.'],
    [
      { email: ['none'], last_name: ['none'] },
      'Your identity provider did not send your e-mail address and last name.',
    ],
  ])('%j ends with words that name what is required alone', (mapping, message) => {
    expect(saml(mapping).response).toEqual(expect.objectContaining({ type: 'ErrorResponse', message }));
  });
});
