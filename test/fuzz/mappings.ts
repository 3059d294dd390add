/** Mappings of every kind, as data that the handlers under test and the oracle both read. */
import type { LoginKind } from '../../lib/kinds.ts';
import type { Mapping } from '../../lib/profile/mappingSchema.ts';
import { DEFAULTS, NAME_ID } from '../../lib/profile/reader.ts';

export const FIRST_UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
export const SECOND_UUID = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';
const THIRD_UUID = '0d9a4c77-1be2-4f36-a8d0-6c5e3b2f1a98';
const ADMINISTRATORS = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
const SUSPENDED_ID = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';

const DIRECTORY = 'OU=Groups,DC=example,DC=org';

const everyForm: Mapping = {
  groups: {
    from: ['memberOf', 'realm_access.roles'],
    table: [
      { group: 'Staff', uuid: FIRST_UUID },
      { group: { prefix: '/projects/' }, uuid: SECOND_UUID },
      { group: { dn: `CN=Staff,${DIRECTORY}` }, uuid: FIRST_UUID },
      { group: { dn_suffix: `OU=Editors,${DIRECTORY}` }, uuid: THIRD_UUID },
      { group: { dn: `CN=\\5CFF,${DIRECTORY}` }, uuid: SECOND_UUID },
    ],
  },
};

const deniedTexts: Mapping = {
  groups: {
    from: ['realm_access.roles', 'groups'],
    table: [
      { group: 'data-steward', uuid: FIRST_UUID },
      { group: { prefix: '/staff/' }, uuid: SECOND_UUID },
    ],
  },
  rules: [
    { any_group: ['default-roles-campus', 'data-steward'] },
    { no_group: ['suspended', { prefix: '/blocked/' }], message: 'Your account is suspended.' },
  ],
};

const deniedNames: Mapping = {
  groups: { from: ['memberOf'], table: [{ group: { dn: `CN=Staff,${DIRECTORY}` }, uuid: FIRST_UUID }] },
  rules: [
    {
      no_group: [
        { dn: `CN=Suspended,${DIRECTORY}` },
        { dn_suffix: 'OU=Blocked,DC=example,DC=org' },
        { dn: `CN=M\\C3\\BCller\\, Ada,${DIRECTORY}` },
      ],
    },
  ],
};

const rulesAlone: Mapping = {
  groups: { from: ['groups', 'memberOf'], absent: ['groups', 'memberOf'] },
  rules: [{ no_group: ['Suspended students', 'alumni'] }],
};

const paths: Mapping = {
  groups: {
    from: ['groups', 'urn:zitadel:iam:org:project:roles'],
    absent: ['urn:zitadel:iam:org:project:roles'],
    table: [{ group: '/staff', uuid: FIRST_UUID }],
  },
  rules: [{ no_group: ['suspended', '/staff/locked out', 'R~/D', 'C#', '100%25'] }],
};

const separate: Mapping = {
  groups: {
    from: ['groups', 'memberOf', 'roles'],
    absent: ['memberOf', 'roles'],
    separate: true,
    table: [{ group: 'suspended-in-the-past', uuid: FIRST_UUID }],
  },
  rules: [{ no_group: ['suspended', { dn: `CN=Suspended,${DIRECTORY}` }] }],
};

const identifiers: Mapping = {
  groups: {
    from: ['groups'],
    required: true,
    table: [
      { group: ADMINISTRATORS, uuid: FIRST_UUID },
      { group: SUSPENDED_ID, uuid: SECOND_UUID },
    ],
  },
  rules: [{ any_group: [ADMINISTRATORS, SUSPENDED_ID] }, { no_group: [SUSPENDED_ID] }],
};

const unknownIsNone: Mapping = {
  groups: {
    from: ['Role', 'roles'],
    unknown: 'none',
    table: [{ group: 'editor', uuid: FIRST_UUID }],
  },
  rules: [{ no_group: ['guest'] }],
};

const domains: Mapping = {
  rules: [
    {
      email_domains: ['example.org', '*.example.org'],
      message: 'Please log in with your account of example.org.',
    },
  ],
};

const scopes: Mapping = {
  affiliation: [DEFAULTS],
  rules: [
    { scopes: ['uni.example', '*.uni.example'] },
    { scopes: ['uni.example', 'u.example'], affiliations: ['member', 'staff'] },
  ],
};

const claims: Mapping = {
  rules: [
    { claim: 'department', is: ['physics', 7, true] },
    { claim: 'a.b.c', present: true, message: 'Ask the registry.' },
  ],
};

const attributes: Mapping = {
  rules: [
    { attribute: 'memberOf', is: ['staff', 'students'] },
    { attribute: 'department', present: true, message: 'Ask the registry.' },
  ],
};

const signIns: Mapping = {
  rules: [
    { assurance: { acr: ['gold', 'silver'], amr: ['hwk', ['pwd', 'otp']], max_age: '8h' } },
    { assurance: { eduPersonAssurance: ['https://refeds.org/assurance/IAP/high'] } },
  ],
};

const assertions: Mapping = {
  rules: [{ assurance: { eduPersonAssurance: ['high', ['low', 'checked']], max_age: '30m' } }],
};

const proven: Mapping = {
  email: { unverified: 'demand_proof' },
  rules: [{ email_domains: ['example.org'] }],
};

const unproven: Mapping = {
  email: { from: ['preferred_mail', DEFAULTS], unverified: 'accept' },
  image_url: ['picture'],
  affiliation: { fallback: 'Example University' },
};

const otherAddresses: Mapping = {
  email: { from: ['work_email', 'profile.email', DEFAULTS], fallback: 'nobody@example.org' },
};

const fallbacks: Mapping = {
  email: { from: ['contact', DEFAULTS], fallback: 'nobody@example.org' },
  first_name: { from: ['nickname', DEFAULTS], fallback: 'Somebody' },
  last_name: { from: ['nickname2', DEFAULTS], fallback: '-' },
  image_url: { from: ['photo'], fallback: 'https://example.org/nobody.png' },
};

const nameIds: Mapping = {
  email: [NAME_ID, DEFAULTS],
  affiliation: [NAME_ID],
  groups: { from: [NAME_ID, 'Role'], table: [{ group: 'admin', uuid: FIRST_UUID }] },
  rules: [{ no_group: ['suspended'] }],
};

const issuers: Mapping = {
  rules: [{ email_domains: ['example.org', 'uni.example', '*.uni.example'] }],
  groups: { from: ['groups'], table: [{ group: 'staff', uuid: FIRST_UUID }] },
  issuers: {
    'https://idp.example.org': { rules: [{ no_group: ['suspended'] }] },
    'https://login.uni.example/idp': {
      email: { unverified: 'accept' },
      groups: { from: ['Role', 'roles'], table: [{ group: 'staff', uuid: SECOND_UUID }] },
      rules: [
        { scopes: ['uni.example'], affiliations: ['staff', 'faculty'] },
        { email_domains: ['uni.example', '*.uni.example'] },
      ],
    },
    'https://sts.windows.net/tenant/': { rules: [{ any_group: ['staff', { prefix: 'project ' }] }] },
  },
};

export const FIXED: Readonly<Record<string, Mapping>> = {
  'every form of a group': everyForm,
  'texts and prefixes denied': deniedTexts,
  'distinguished names denied': deniedNames,
  'rules alone': rulesAlone,
  paths,
  'separate values': separate,
  identifiers,
  'unknown groups are none': unknownIsNone,
  'e-mail domains': domains,
  scopes,
  claims,
  attributes,
  'sign-ins': signIns,
  'sign-ins of assertions': assertions,
  'proof demanded': proven,
  'unverified accepted': unproven,
  'other addresses': otherAddresses,
  fallbacks,
  'the NameID': nameIds,
  issuers,
};

/** Only an ID token says that an address is verified, or has claims. An assertion cannot prove an address. */
const OF_ONE_KIND: Readonly<Record<LoginKind, RegExp>> = {
  OpenID: /"(?:demand_proof|claim|acr|amr)"/,
  SAML: /"attribute"/,
};

export function isFor(kind: LoginKind, mapping: Mapping): boolean {
  return !OF_ONE_KIND[kind === 'SAML' ? 'OpenID' : 'SAML'].test(JSON.stringify(mapping));
}
