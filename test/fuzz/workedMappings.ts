/** What the worked handlers promise that are mappings: whom each lets in, and to which user groups. */
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { DEFAULTS } from '../../lib/profile/reader.ts';

export const ENTRA_ISSUER = 'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0';
export const ADMINISTRATORS = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
export const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';

/** By which user groups Entra's groups are known. */
export const ENTRA_TABLE = [
  { group: ADMINISTRATORS, uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
  { group: EDITORS, uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
];

export const WORKED_OPENID: Readonly<Record<string, Mapping>> = {
  'accept-unverified-email': {
    issuers: {
      'https://sso.example.edu/realms/campus': {
        email: { unverified: 'accept' },
        rules: [{ email_domains: ['example.edu'] }],
      },
    },
  },
  'email-domain': {
    issuers: {
      'https://sso.example.org/realms/staff': {},
      'https://login.microsoftonline.com/5d3a9c1b-8e7f-4a62-b0d4-6c2e1f9a8b73/v2.0': {},
    },
    email: { unverified: 'demand_proof' },
    rules: [
      {
        email_domains: ['example.org', '*.example.org'],
        message: 'Please log in with your example.org account.',
      },
    ],
  },
  'entra-group-table': {
    issuers: { [ENTRA_ISSUER]: {} },
    groups: { from: ['groups'], table: ENTRA_TABLE },
    rules: [{ any_group: [ADMINISTRATORS, EDITORS] }],
  },
  'entra-groups': { issuers: { [ENTRA_ISSUER]: {} }, groups: { from: ['groups'], table: ENTRA_TABLE } },
  'keycloak-roles': {
    issuers: { 'https://sso.example.edu/realms/campus': {} },
    groups: {
      from: ['realm_access.roles', 'groups'],
      absent: ['groups'],
      table: [
        { group: 'data-steward', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
        { group: { prefix: '/staff/' }, uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
      ],
    },
    rules: [{ any_group: ['default-roles-campus'] }, { no_group: ['suspended'] }],
  },
};

/** Groups that stand in the ID token, in UserInfo, or in both. */
export const USER_INFO_GROUPS: Mapping = {
  groups: {
    from: ['realm_access.roles', 'groups'],
    absent: ['realm_access.roles', 'groups'],
    table: [
      { group: 'staff', uuid: '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30' },
      { group: 'editor', uuid: '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11' },
    ],
  },
  rules: [{ no_group: ['suspended'] }],
};

export const WORKED_SAML: Readonly<Record<string, Mapping>> = {
  'edugain-federation': {
    affiliation: [DEFAULTS],
    issuers: {
      'https://idp.example.ac.uk/idp/shibboleth': {
        rules: [
          { scopes: ['example.ac.uk'], affiliations: ['member'] },
          { email_domains: ['example.ac.uk'] },
        ],
      },
      'https://login.uni.example/saml2/idp/metadata': {
        affiliation: { fallback: 'Example University' },
        rules: [
          { scopes: ['uni.example', '*.uni.example'], affiliations: ['staff', 'faculty'] },
          { email_domains: ['uni.example', '*.uni.example'] },
        ],
      },
    },
  },
  'renamed-attributes': {
    issuers: { 'https://app.onelogin.com/saml/metadata/1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d': {} },
    email: ['User.email', DEFAULTS],
    first_name: ['User.FirstName', DEFAULTS],
    last_name: { from: ['User.LastName', DEFAULTS], fallback: '-' },
  },
};
