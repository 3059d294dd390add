/** OpenID providers: the claims of their ID tokens, and mappings. */
import { openIdEvent } from './madeEvents.ts';
import {
  authorized,
  defaultRole,
  failed,
  forbidden,
  OTHER_TENANT,
  REALM,
  type Template,
} from './template.ts';

const STEWARDS_UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const STAFF_UUID = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';
const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';

const ADA = person('Ada', 'Lovelace');
const GRACE = person('Grace', 'Hopper');
const MALLORY = person('Mallory', 'Malone');

/** The standard claims (OpenID Connect Core 5.1). */
function person(given_name: string, family_name: string) {
  return {
    name: `${given_name} ${family_name}`,
    given_name,
    family_name,
    email: `${given_name}.${family_name}@example.com`.toLowerCase(),
    email_verified: true,
  };
}

const keycloak: Template = {
  ...REALM,
  mapping: ({ url, part }) => `import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  issuers: { '${url}': {} },
  groups: {
    from: ['realm_access.roles', 'groups'],
    absent: ['groups'],
    table: [
      { group: 'data-steward', uuid: '${STEWARDS_UUID}' },
      { group: { prefix: '/staff/' }, uuid: '${STAFF_UUID}' },
    ],
  },
  rules: [{ any_group: ['${defaultRole(part)}'] }, { no_group: ['suspended'] }],
});
`,
  logins: ({ url, part }) => {
    const roles = (...more: string[]) => ({
      realm_access: { roles: [defaultRole(part), 'offline_access', ...more] },
    });
    const steward = { groups: ['/staff/data'], ...roles('data-steward') };
    return {
      person: authorized(openIdEvent(url, { typ: 'ID', ...ADA, ...steward })),
      suspended: forbidden(openIdEvent(url, { typ: 'ID', ...GRACE, ...roles('data-steward', 'suspended') })),
      'without-default-role': forbidden(
        openIdEvent(url, { typ: 'ID', ...GRACE, realm_access: { roles: ['data-steward'] } }),
      ),
      'other-realm': forbidden(openIdEvent(`${url}-2`, { typ: 'ID', ...MALLORY, ...steward })),
    };
  },
};

const entra: Template = {
  issuer:
    /^https:\/\/login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/v2\.0$/,
  example: 'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0',
  mapping: ({ url, part }) => `import { mapOpenIdLogin } from 'login-hooks';

const TENANT = '${part}';
const EDITORS = '${EDITORS}';

export default mapOpenIdLogin({
  issuers: { [\`${url.replace(part, `\${TENANT}`)}\`]: {} },
  groups: { from: ['groups'], table: [{ group: EDITORS, uuid: '${STAFF_UUID}' }] },
  rules: [{ any_group: [EDITORS], message: 'Ask your IT department for access to this service.' }],
});
`,
  logins: ({ url, part }) => {
    // Entra sends no email_verified.
    const claims = ({ email_verified: _, ...one }: typeof ADA, tid: string, groups: string[]) => ({
      ...one,
      ...{ preferred_username: one.email, tid, ver: '2.0', groups },
    });
    const other = url.replace(part, OTHER_TENANT);
    return {
      person: authorized(openIdEvent(url, claims(ADA, part, [EDITORS]))),
      'not-an-editor': forbidden(
        openIdEvent(url, claims(GRACE, part, ['9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'])),
      ),
      'other-tenant': forbidden(openIdEvent(other, claims(MALLORY, OTHER_TENANT, [EDITORS]))),
    };
  },
};

const okta: Template = {
  issuer: /^https:\/\/[^/?#]+(?:\/oauth2\/\w+)?$/,
  example: 'https://dev-1234567.okta.com/oauth2/default',
  mapping: ({ url }) => `import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  issuers: { '${url}': {} },
  groups: {
    from: ['groups'],
    required: true,
    table: [{ group: 'Engineering', uuid: '${STEWARDS_UUID}' }],
  },
});
`,
  logins: ({ url }) => {
    const groups = ['Everyone', 'Engineering'];
    return {
      person: authorized(openIdEvent(url, { ver: 1, ...ADA, groups })),
      'without-groups': failed(openIdEvent(url, { ver: 1, ...GRACE })),
      'other-organisation': forbidden(
        openIdEvent(`https://attacker.okta.com`, { ver: 1, ...MALLORY, groups }),
      ),
    };
  },
};

const google: Template = {
  issuer: /^https:\/\/accounts\.google\.com$/,
  example: 'https://accounts.google.com',
  mapping: ({ url }) => `import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  issuers: { '${url}': {} },
  image_url: ['picture'],
  email: { unverified: 'demand_proof' },
  groups: { from: ['hd'] },
  rules: [{ any_group: ['example.com'], message: 'Please log in with your example.com account.' }],
});
`,
  logins: ({ url }) => ({
    person: authorized(
      openIdEvent(url, { hd: 'example.com', ...ADA, picture: 'https://images.example.com/ada=s96-c' }),
    ),
    'other-domain': forbidden(openIdEvent(url, { hd: 'example.net', ...GRACE, email: 'grace@example.net' })),
    'private-account': forbidden(openIdEvent(url, MALLORY)),
    'other-issuer': forbidden(
      openIdEvent('https://accounts.google.example', { hd: 'example.com', ...MALLORY }),
    ),
  }),
};

const other: Template = {
  issuer: /^https?:\/\/[^/]+/,
  example: 'https://login.example.org',
  mapping: ({ url }) => `import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  issuers: { '${url}': {} },
});
`,
  logins: ({ url }) => ({
    person: authorized(openIdEvent(url, ADA)),
    'unverified-email': failed(openIdEvent(url, { ...GRACE, email_verified: false })),
    'other-issuer': forbidden(openIdEvent('https://attacker.example', MALLORY)),
  }),
};

export const OPENID_TEMPLATES = { keycloak, entra, okta, google, other };
