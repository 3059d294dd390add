/** A mapping with every kind of source, table row and rule, as large as a large organisation's: for the growth of logins. */
import { DEFAULTS, mapOpenIdLogin, mapSamlLogin, NAME_ID } from 'login-hooks';

const TABLE_ROWS = 200;
const FORBIDDEN_GROUPS = 50;
const SOURCES = ['realm_access.roles', 'groups', 'roles', 'memberOf', 'Role'];
const DOMAINS = ['uni.example', '*.uni.example'];

/** Each form of a group in turn. Suffixes have different lengths, and no name contains another one. */
function groups(name: string, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const own = `${name}-${String(index).padStart(3, '0')}`;
    const below = ',ou=groups'.repeat(1 + (index % 7));
    const forms = [
      own,
      { prefix: `/${own}/` },
      { dn: `cn=${own}${below},dc=uni,dc=example` },
      { dn_suffix: `ou=${own}${below},dc=uni,dc=example` },
    ] as const;
    return forms[index % forms.length] ?? own;
  });
}

const members = groups('member', TABLE_ROWS);

const mapping = <TRule>(more: (typeof NAME_ID)[], own: TRule[]) => ({
  email: { from: ['contact.email', DEFAULTS, NAME_ID] },
  first_name: ['nickname', 'profile.given', DEFAULTS],
  last_name: { from: ['profile.family', DEFAULTS], fallback: '-' },
  image_url: [DEFAULTS, 'picture'],
  affiliation: { from: ['profile.organization', DEFAULTS], fallback: '-' },
  groups: {
    from: [...SOURCES, ...more],
    absent: SOURCES,
    table: members.map((group, index) => ({
      group,
      uuid: `5f0c9d1e-3b7a-4c52-9e86-${String(index).padStart(12, '0')}`,
    })),
  },
  rules: [
    { email_domains: DOMAINS },
    { scopes: DOMAINS, affiliations: ['member', 'staff'] },
    { any_group: members },
    { no_group: groups('suspended', FORBIDDEN_GROUPS) },
    ...own,
    { assurance: { eduPersonAssurance: ['low', ['medium', 'high']], max_age: '99999d' } },
  ],
});

export const handleOpenIdUserLoggedIn = mapOpenIdLogin(
  mapping(
    [],
    [
      { claim: 'department', is: ['physics', 'maths'] },
      { claim: 'department', present: true },
      { claim: 'department', is_not: ['closed', { prefix: 'former-' }, { suffix: '-closed' }] },
      { assurance: { acr: ['gold'], amr: ['hwk', ['pwd', 'otp']] } },
    ],
  ),
);
export const handleSamlUserLoggedIn = mapSamlLogin(
  mapping(
    [NAME_ID],
    [
      { attribute: 'department', is: ['physics', 'maths'] },
      { attribute: 'department', present: true },
      { attribute: 'department', is_not: ['closed', { prefix: 'former-' }, { suffix: '-closed' }] },
    ],
  ),
);
