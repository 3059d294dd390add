/** The name that is proposed for a sample: of the provider and the outcome, and never of the person. */
import { describe, expect, test } from '@jest/globals';
import { type NamedLogin, proposedName } from '../../tools/keep/plan.ts';

const GROUP = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

function nameOf(login: Partial<NamedLogin>, taken: readonly string[] = []): string {
  const answered = { reason: 'authorized', response: {} };
  const all = { functionName: 'openidLoggedIn', issuer: null, answered, rules: [], ...login };
  return proposedName(all, (name) => taken.includes(name));
}

test.each<[string, string | null, string]>([
  ['openidLoggedIn', 'https://sso.example.edu/realms/campus', 'keycloak'],
  ['samlLoggedIn', 'https://adfs.example.com/adfs', 'ad-fs'],
  ['openidLoggedIn', 'https://lovelace.example.org', 'openid'],
  ['samlLoggedIn', 'urn:lovelace', 'saml'],
  ['samlLoggedIn', null, 'saml'],
])('a login of %s at %s is named after %s', (functionName, issuer, provider) => {
  expect(nameOf({ functionName, issuer })).toBe(`${provider}-no-group`);
});

describe('the outcome is', () => {
  const authorized = (response: Record<string, unknown> | null) => ({
    answered: { reason: 'authorized', response },
  });
  const groups = (count: number) => Array.from({ length: count }, () => GROUP);

  test.each<[string, Partial<NamedLogin>]>([
    ['no-group', authorized({ user_group_uuids: [] })],
    ['no-group', authorized({ user_group_uuids: 'none' })],
    ['no-group', authorized(null)],
    ['one-group', authorized({ user_group_uuids: groups(1) })],
    ['two-groups', authorized({ userGroupUuids: groups(2) })],
    ['three-groups', authorized({ user_group_uuids: groups(3) })],
    ['many-groups', authorized({ user_group_uuids: groups(4) })],
    ['email-unverified', { answered: { reason: 'email_unverified', response: null } }],
    ['token-not-yet-valid', { answered: { reason: 'token_not_yet_valid', response: null } }],
  ])('%s: %j', (outcome, login) => {
    expect(nameOf(login)).toBe(`openid-${outcome}`);
  });

  test.each([
    ['rules[1].no_group', 'denied-group'],
    ['issuers["https://a.b"].rules[1].email_domains', 'other-domain'],
    ['rules[1].toString', 'rule-refused'],
  ])('of the rule that decided: %s', (path, outcome) => {
    const answered = { reason: 'rule_refused', response: null };
    const rules = [
      { path: 'rules[0].any_group', isDecisive: false },
      { path, isDecisive: true },
    ];
    expect(nameOf({ answered, rules })).toBe(`openid-${outcome}`);
  });

  test('in words of its own for each kind of rule', () => {
    const kinds = [
      'no_group',
      'any_group',
      'emails',
      'email_domains',
      'scopes',
      'claim',
      'attribute',
      'assurance',
    ];
    const answered = { reason: 'rule_refused', response: null };
    const names = kinds.map((kind) =>
      nameOf({ answered, rules: [{ path: `rules[0].${kind}`, isDecisive: true }] }),
    );
    expect(new Set(names).size).toBe(kinds.length);
    for (const name of names) expect(name).toMatch(/^openid(?:-[a-z]+){2,}$/);
  });

  test('its reason where no rule decided', () => {
    const answered = { reason: 'issuer_not_listed', response: null };
    const rules = [{ path: 'rules[0].any_group', isDecisive: false }];
    expect(nameOf({ answered, rules })).toBe('openid-issuer-not-listed');
  });
});

test.each([
  [[], 'openid-no-group'],
  [['openid-no-group'], 'openid-no-group-2'],
  [['openid-no-group', 'openid-no-group-2', 'openid-no-group-3'], 'openid-no-group-4'],
])('beside %j it is %s', (taken, name) => {
  expect(nameOf({}, taken)).toBe(name);
});
