/** What a new handler is made of, by provider: a mapping, and people with their logins. docs/providers/ shows each mapping. */
import type { OpenIdMapping, SamlMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { type MadeAttribute, type NameId, openIdEvent, samlEvent } from './madeEvents.ts';

export interface Issuer {
  url: string;
  /** What the group of the pattern matches, e.g. a realm or a tenant; empty if there is none. */
  part: string;
}

export interface Starter {
  issuer: RegExp;
  example: string;
  mapping(issuer: Issuer): OpenIdMapping | SamlMapping;
  /** Events by their names: `person` gets in, nobody else does, and the last one is an attack. */
  logins(issuer: Issuer): Readonly<Record<string, unknown>>;
}

const GROUP_UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const STAFF_UUID = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';
const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';
const ENTRA_GROUP = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
const OTHER_TENANT = '00000000-1111-4222-8333-444444444444';

const REALM = {
  issuer: /^https?:\/\/[^/]+(?:\/[^?#]+)?\/realms\/([\w.-]+)$/,
  example: 'https://sso.example.edu/realms/campus',
};

function defaultRole(realm: string): string {
  return `default-roles-${realm.toLowerCase()}`;
}

interface Person {
  first: string;
  last: string;
  email: string;
}

const ADA = person('Ada', 'Lovelace');
const GRACE = person('Grace', 'Hopper');
const MALLORY = person('Mallory', 'Malone');

function person(first: string, last: string): Person {
  return { first, last, email: `${first}.${last}@example.com`.toLowerCase() };
}

/** The standard claims (OpenID Connect Core 5.1). */
function claimsOf({ first, last, email }: Person) {
  return { name: `${first} ${last}`, given_name: first, family_name: last, email, email_verified: true };
}

const OPENID_STARTERS = {
  keycloak: {
    ...REALM,
    mapping: ({ url, part }) => ({
      issuers: { [url]: {} },
      groups: {
        from: ['realm_access.roles', 'groups'],
        absent: ['groups'],
        table: [
          { group: 'data-steward', uuid: GROUP_UUID },
          { group: { prefix: '/staff/' }, uuid: STAFF_UUID },
        ],
      },
      rules: [{ any_group: [defaultRole(part)] }, { no_group: ['suspended'] }],
    }),
    logins: ({ url, part }) => {
      const event = (issuer: string, one: Person, roles: readonly string[], more = {}) =>
        openIdEvent(issuer, { typ: 'ID', ...claimsOf(one), ...more, realm_access: { roles } });
      const roles = [defaultRole(part), 'offline_access', 'data-steward'];
      const groups = ['/staff/data'];
      return {
        person: event(url, ADA, roles, { groups }),
        suspended: event(url, GRACE, [...roles, 'suspended']),
        'without-default-role': event(url, GRACE, ['data-steward']),
        'other-realm': event(`${url}-2`, MALLORY, roles, { groups }),
      };
    },
  },
  entra: {
    issuer:
      /^https:\/\/login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/v2\.0$/,
    example: 'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0',
    mapping: ({ url }) => ({
      issuers: { [url]: {} },
      groups: { from: ['groups'], table: [{ group: EDITORS, uuid: STAFF_UUID }] },
      rules: [{ any_group: [EDITORS], message: 'Ask your IT department for access to this service.' }],
    }),
    logins: ({ url, part }) => {
      const event = (tid: string, one: Person, group: string) => {
        // Entra sends no email_verified.
        const { email_verified: _, ...claims } = claimsOf(one);
        const ofEntra = { preferred_username: one.email, tid, ver: '2.0', groups: [group] };
        return openIdEvent(url.replace(part, tid), { ...claims, ...ofEntra });
      };
      return {
        person: event(part, ADA, EDITORS),
        'not-an-editor': event(part, GRACE, '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'),
        'other-tenant': event(OTHER_TENANT, MALLORY, EDITORS),
      };
    },
  },
  okta: {
    issuer: /^https:\/\/[^/?#]+(?:\/oauth2\/\w+)?$/,
    example: 'https://dev-1234567.okta.com/oauth2/default',
    mapping: ({ url }) => ({
      issuers: { [url]: {} },
      groups: { from: ['groups'], required: true, table: [{ group: 'Engineering', uuid: GROUP_UUID }] },
    }),
    logins: ({ url }) => {
      const groups = ['Everyone', 'Engineering'];
      return {
        person: openIdEvent(url, { ver: 1, ...claimsOf(ADA), groups }),
        'without-groups': openIdEvent(url, { ver: 1, ...claimsOf(GRACE) }),
        'other-organisation': openIdEvent('https://attacker.okta.com', {
          ver: 1,
          ...claimsOf(MALLORY),
          groups,
        }),
      };
    },
  },
  google: {
    issuer: /^https:\/\/accounts\.google\.com$/,
    example: 'https://accounts.google.com',
    mapping: ({ url }) => ({
      issuers: { [url]: {} },
      image_url: ['picture'],
      email: { unverified: 'demand_proof' },
      groups: { from: ['hd'] },
      rules: [{ any_group: ['example.com'], message: 'Please log in with your example.com account.' }],
    }),
    logins: ({ url }) => {
      const hd = 'example.com';
      const picture = 'https://images.example.com/ada=s96-c';
      const elsewhere = { ...claimsOf(GRACE), hd: 'example.net', email: 'grace@example.net' };
      return {
        person: openIdEvent(url, { hd, ...claimsOf(ADA), picture }),
        'other-domain': openIdEvent(url, elsewhere),
        'private-account': openIdEvent(url, claimsOf(MALLORY)),
        'other-issuer': openIdEvent('https://accounts.google.example', { hd, ...claimsOf(MALLORY) }),
      };
    },
  },
  other: {
    issuer: /^https?:\/\/[^/]+/,
    example: 'https://login.example.org',
    mapping: ({ url }) => ({ issuers: { [url]: {} } }),
    logins: ({ url }) => ({
      person: openIdEvent(url, claimsOf(ADA)),
      'unverified-email': openIdEvent(url, { ...claimsOf(GRACE), email_verified: false }),
      'other-issuer': openIdEvent('https://attacker.example', claimsOf(MALLORY)),
    }),
  },
} satisfies Record<string, Starter>;

/** What a provider calls the address, the first name and the last name, each with its friendly name. */
type ProfileNames = readonly (readonly [name: string, friendlyName?: string])[];

const X500: ProfileNames = [
  ['urn:oid:1.2.840.113549.1.9.1', 'email'],
  ['urn:oid:2.5.4.42', 'givenName'],
  ['urn:oid:2.5.4.4', 'surname'],
];
const EDU: ProfileNames = [['urn:oid:0.9.2342.19200300.100.1.3', 'mail'], ...X500.slice(1)];
const ENTRA_NAMES: ProfileNames = ['emailaddress', 'givenname', 'surname'].map((name) => [
  `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`,
]);
const ENTRA_GROUPS = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';

function profile(names: ProfileNames, { email, first, last }: Person): MadeAttribute[] {
  const values = [email, first, last];
  return names.map(([name, friendlyName], index) => ({ name, friendlyName, values: [values[index] ?? ''] }));
}

function nameId({ email }: Person, format = 'emailAddress'): NameId {
  return { format: `urn:oasis:names:tc:SAML:1.1:nameid-format:${format}`, value: email };
}

function engineering({ url }: Issuer): SamlMapping {
  return {
    issuers: { [url]: {} },
    groups: { from: ['groups'], table: [{ group: 'Engineering', uuid: GROUP_UUID }] },
  };
}

const SAML_STARTERS = {
  keycloak: {
    ...REALM,
    mapping: ({ url, part }) => ({
      issuers: { [url]: {} },
      groups: { from: ['Role'], separator: 'none', table: [{ group: 'staff', uuid: GROUP_UUID }] },
      rules: [{ any_group: [defaultRole(part)] }, { no_group: ['suspended'] }],
    }),
    logins: ({ url, part }) => {
      const event = (issuer: string, one: Person, ...roles: string[]) =>
        samlEvent(issuer, [...profile(X500, one), { name: 'Role', values: roles }]);
      const role = defaultRole(part);
      return {
        person: event(url, ADA, role, 'offline_access', 'staff'),
        suspended: event(url, GRACE, role, 'staff', 'suspended'),
        'without-default-role': event(url, GRACE, 'staff'),
        'other-realm': event(`${url}-2`, MALLORY, role, 'staff'),
      };
    },
  },
  entra: {
    issuer: /^https:\/\/sts\.windows\.net\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/$/,
    example: 'https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/',
    mapping: ({ url }) => ({
      issuers: { [url]: {} },
      groups: { from: [ENTRA_GROUPS], table: [{ group: ENTRA_GROUP, uuid: GROUP_UUID }] },
    }),
    logins: ({ url, part }) => {
      const groups = { name: ENTRA_GROUPS, values: [ENTRA_GROUP] };
      const [, ...withoutMail] = profile(ENTRA_NAMES, GRACE);
      const other = url.replace(part, OTHER_TENANT);
      return {
        // Here the NameID is the user principal name.
        person: samlEvent(url, [...profile(ENTRA_NAMES, ADA), groups], nameId(ADA)),
        'without-mailbox': samlEvent(url, [...withoutMail, groups], nameId(GRACE)),
        'other-tenant': samlEvent(other, [...profile(ENTRA_NAMES, MALLORY), groups]),
      };
    },
  },
  okta: {
    issuer: /^http:\/\/www\.okta\.com\/\w+$/,
    example: 'http://www.okta.com/exk1a2b3c4d5e6f7g8h9',
    mapping: engineering,
    logins: ({ url }) => {
      const names: ProfileNames = [['email'], ['firstName'], ['lastName']];
      const groups = { name: 'groups', values: ['Everyone', 'Engineering'] };
      return {
        person: samlEvent(url, [...profile(names, ADA), groups], nameId(ADA)),
        'without-attributes': samlEvent(url, [], nameId(GRACE)),
        'other-organisation': samlEvent(`${url}2`, [...profile(names, MALLORY), groups]),
      };
    },
  },
  google: {
    issuer: /^https:\/\/accounts\.google\.com\/o\/saml2\?idpid=\w+$/,
    example: 'https://accounts.google.com/o/saml2?idpid=C01abc2de',
    mapping: engineering,
    logins: ({ url }) => {
      const event = (issuer: string, one: Person, format?: string) => {
        const [, ...names] = profile([['email'], ['firstName'], ['lastName']], one);
        return samlEvent(
          issuer,
          [...names, { name: 'groups', values: ['Engineering'] }],
          nameId(one, format),
        );
      };
      return {
        person: event(url, ADA),
        'unspecified-name-id': event(url, GRACE, 'unspecified'),
        'other-organisation': event(`${url}2`, MALLORY),
      };
    },
  },
  edugain: {
    issuer: /^\S+$/,
    example: 'https://idp.example.ac.uk/idp/shibboleth',
    mapping: ({ url }) => ({
      affiliation: ['o'],
      issuers: {
        [url]: {
          rules: [
            { scopes: ['example.ac.uk'], affiliations: ['member'] },
            { email_domains: ['example.ac.uk'] },
          ],
        },
      },
    }),
    logins: ({ url }) => {
      const event = (issuer: string, one: Person, email: string, affiliation: string) =>
        samlEvent(issuer, [
          ...profile(EDU, { ...one, email }),
          {
            name: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9',
            friendlyName: 'eduPersonScopedAffiliation',
            values: [`${affiliation}@example.ac.uk`],
          },
          { name: 'urn:oid:2.5.4.10', friendlyName: 'o', values: ['Example University'] },
        ]);
      return {
        person: event(url, ADA, 'ada@example.ac.uk', 'member'),
        alumna: event(url, GRACE, 'grace@example.ac.uk', 'alum'),
        'foreign-address': event(url, MALLORY, 'rector@uni.example', 'member'),
        'unlisted-university': event(`${url}2`, MALLORY, 'ada@example.ac.uk', 'member'),
      };
    },
  },
  other: {
    issuer: /^\S+$/,
    example: 'https://login.example.org/saml/metadata',
    mapping: ({ url }) => ({ issuers: { [url]: {} } }),
    logins: ({ url }) => ({
      person: samlEvent(url, profile(X500, ADA)),
      'without-email': samlEvent(url, profile(X500, GRACE).slice(1)),
      'other-issuer': samlEvent('https://attacker.example/saml', profile(X500, MALLORY)),
    }),
  },
} satisfies Record<string, Starter>;

/** By the word of the kind, and by the name of the provider. */
export const STARTERS: Readonly<Record<string, Readonly<Record<string, Starter>>>> = {
  openid: OPENID_STARTERS,
  saml: SAML_STARTERS,
};
