/** SAML providers: the attributes of their assertions, and mappings. */
import { type MadeAttribute, type NameId, samlEvent } from './madeEvents.ts';
import {
  authorized,
  defaultRole,
  failed,
  forbidden,
  OTHER_TENANT,
  REALM,
  type Template,
} from './template.ts';

const GROUP_UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';

/** What a provider calls the address, the first name and the last name. */
type ProfileNames = readonly (readonly [name: string, friendlyName?: string])[];

const ADA = ['ada.lovelace@example.com', 'Ada', 'Lovelace'];
const GRACE = ['grace.hopper@example.com', 'Grace', 'Hopper'];
const MALLORY = ['mallory.malone@example.com', 'Mallory', 'Malone'];

function profile(names: ProfileNames, person: readonly string[]): MadeAttribute[] {
  return names.map(([name, friendlyName], index) => ({
    name,
    friendlyName,
    values: [person[index] ?? ''],
  }));
}

function nameId([value = '']: readonly string[], format = 'emailAddress'): NameId {
  return { format: `urn:oasis:names:tc:SAML:1.1:nameid-format:${format}`, value };
}

const X500: ProfileNames = [
  ['urn:oid:1.2.840.113549.1.9.1', 'email'],
  ['urn:oid:2.5.4.42', 'givenName'],
  ['urn:oid:2.5.4.4', 'surname'],
];

const keycloak: Template = {
  ...REALM,
  mapping: ({ url, part }) => `import { mapSamlLogin } from 'login-hooks';

export default mapSamlLogin({
  issuers: { '${url}': {} },
  groups: {
    from: ['Role'],
    separator: 'none',
    table: [{ group: 'staff', uuid: '${GROUP_UUID}' }],
  },
  rules: [{ any_group: ['${defaultRole(part)}'] }, { no_group: ['suspended'] }],
});
`,
  logins: ({ url, part }) => {
    const event = (issuer: string, person: readonly string[], ...roles: string[]) =>
      samlEvent(issuer, [...profile(X500, person), { name: 'Role', values: roles }]);
    const role = defaultRole(part);
    return {
      person: authorized(event(url, ADA, role, 'offline_access', 'staff')),
      suspended: forbidden(event(url, GRACE, role, 'staff', 'suspended')),
      'without-default-role': forbidden(event(url, GRACE, 'staff')),
      'other-realm': forbidden(event(`${url}-2`, MALLORY, role, 'staff')),
    };
  },
};

const ENTRA_GROUPS = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';
const ENTRA_GROUP = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
const ENTRA_NAMES: ProfileNames = ['emailaddress', 'givenname', 'surname'].map((name) => [
  `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`,
]);

const entra: Template = {
  issuer: /^https:\/\/sts\.windows\.net\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/$/,
  example: 'https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/',
  mapping: ({ url }) => `import { mapSamlLogin } from 'login-hooks';

export default mapSamlLogin({
  issuers: { '${url}': {} },
  groups: {
    from: ['${ENTRA_GROUPS}'],
    table: [
      { group: '${ENTRA_GROUP}', uuid: '${GROUP_UUID}' },
    ],
  },
});
`,
  logins: ({ url, part }) => {
    const groups = { name: ENTRA_GROUPS, values: [ENTRA_GROUP] };
    const [, ...withoutMail] = profile(ENTRA_NAMES, GRACE);
    return {
      // Here the NameID is the user principal name.
      person: authorized(samlEvent(url, [...profile(ENTRA_NAMES, ADA), groups], nameId(ADA))),
      'without-mailbox': failed(samlEvent(url, [...withoutMail, groups], nameId(GRACE))),
      'other-tenant': forbidden(
        samlEvent(url.replace(part, OTHER_TENANT), [...profile(ENTRA_NAMES, MALLORY), groups]),
      ),
    };
  },
};

const okta: Template = {
  issuer: /^http:\/\/www\.okta\.com\/\w+$/,
  example: 'http://www.okta.com/exk1a2b3c4d5e6f7g8h9',
  mapping: engineering,
  logins: ({ url }) => {
    const names: ProfileNames = [['email'], ['firstName'], ['lastName']];
    const groups = { name: 'groups', values: ['Everyone', 'Engineering'] };
    return {
      person: authorized(samlEvent(url, [...profile(names, ADA), groups], nameId(ADA))),
      'without-attributes': failed(samlEvent(url, [], nameId(GRACE))),
      'other-organisation': forbidden(samlEvent(`${url}2`, [...profile(names, MALLORY), groups])),
    };
  },
};

function engineering({ url }: { url: string }): string {
  return `import { mapSamlLogin } from 'login-hooks';

export default mapSamlLogin({
  issuers: { '${url}': {} },
  groups: {
    from: ['groups'],
    table: [{ group: 'Engineering', uuid: '${GROUP_UUID}' }],
  },
});
`;
}

const google: Template = {
  issuer: /^https:\/\/accounts\.google\.com\/o\/saml2\?idpid=\w+$/,
  example: 'https://accounts.google.com/o/saml2?idpid=C01abc2de',
  mapping: engineering,
  logins: ({ url }) => {
    const groups = { name: 'groups', values: ['Engineering'] };
    const event = (issuer: string, person: readonly string[], format?: string) =>
      samlEvent(
        issuer,
        [...profile([['firstName'], ['lastName']], person.slice(1)), groups],
        nameId(person, format),
      );
    return {
      person: authorized(event(url, ADA)),
      'unspecified-name-id': failed(event(url, GRACE, 'unspecified')),
      'other-organisation': forbidden(event(`${url}2`, MALLORY)),
    };
  },
};

const EDU: ProfileNames = [['urn:oid:0.9.2342.19200300.100.1.3', 'mail'], ...X500.slice(1)];

const edugain: Template = {
  issuer: /^\S+$/,
  example: 'https://idp.example.ac.uk/idp/shibboleth',
  mapping: ({ url }) => `import { mapSamlLogin } from 'login-hooks';

export default mapSamlLogin({
  affiliation: ['o'],
  issuers: {
    '${url}': {
      rules: [{ scopes: ['example.ac.uk'], affiliations: ['member'] }, { email_domains: ['example.ac.uk'] }],
    },
  },
});
`,
  logins: ({ url }) => {
    const event = (issuer: string, email: string, [, ...names]: readonly string[], affiliation: string) =>
      samlEvent(issuer, [
        ...profile(EDU, [email, ...names]),
        {
          name: 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9',
          friendlyName: 'eduPersonScopedAffiliation',
          values: [`${affiliation}@example.ac.uk`],
        },
        { name: 'urn:oid:2.5.4.10', friendlyName: 'o', values: ['Example University'] },
      ]);
    return {
      person: authorized(event(url, 'ada@example.ac.uk', ADA, 'member')),
      alumna: forbidden(event(url, 'grace@example.ac.uk', GRACE, 'alum')),
      'foreign-address': forbidden(event(url, 'rector@uni.example', MALLORY, 'member')),
      'unlisted-university': forbidden(event(`${url}2`, 'ada@example.ac.uk', MALLORY, 'member')),
    };
  },
};

const other: Template = {
  issuer: /^\S+$/,
  example: 'https://login.example.org/saml/metadata',
  mapping: ({ url }) => `import { mapSamlLogin } from 'login-hooks';

export default mapSamlLogin({
  issuers: { '${url}': {} },
});
`,
  logins: ({ url }) => ({
    person: authorized(samlEvent(url, profile(X500, ADA))),
    'without-email': failed(samlEvent(url, profile(X500, GRACE).slice(1))),
    'other-issuer': forbidden(samlEvent('https://attacker.example/saml', profile(X500, MALLORY))),
  }),
};

export const SAML_TEMPLATES = { keycloak, entra, okta, google, edugain, other };
