/**
 * What a new handler is made of, by provider: a mapping that asks for nothing but what each provider sends once it is set up, and
 * people with their logins. docs/providers/ shows each mapping.
 */
import type { OpenIdMapping, SamlMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { type MadeAttribute, type NameId, openIdEvent, samlEvent } from './madeEvents.ts';

/** What an operator says of their provider. */
export interface Given {
  /** The issuer, as an event has it. */
  url: string;
  /** What the group of the pattern matches, e.g. a realm or a tenant; empty if there is none. */
  part: string;
  /** Of the addresses of those who may log in. */
  domain: string;
}

export interface Starter {
  /** What an issuer of the provider looks like. */
  issuer: RegExp;
  /** The issuer and the domain on the page of the providers; no domain where logins have no address. */
  example: { url: string; domain?: string };
  /** What each stage needs, e.g. `REQUIRED_FIELDS`. */
  settings?: Readonly<Record<string, string>>;
  mapping(given: Given): OpenIdMapping | SamlMapping;
  /** Events by their names: `person` gets in, nobody else does, and the last one is an attack. */
  logins(given: Given): Readonly<Record<string, unknown>>;
}

const GROUP_UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const STAFF_UUID = '8e1b6f42-97d3-4a08-b5ce-73f0d2a49c11';
const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';
const ENTRA_GROUP = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
const OTHER_TENANT = '00000000-1111-4222-8333-444444444444';
const ZITADEL_ROLES = 'urn:zitadel:iam:org:project:roles';
const ORCID_ID = '0000-0002-1825-0097';

/** Of Keycloak, for both kinds of login. */
const REALM = {
  issuer: /^https?:\/\/[^/]+(?:\/[^?#]+)?\/realms\/([\w.-]+)$/,
  example: { url: 'https://sso.example.edu/realms/campus', domain: 'example.edu' },
};

/** The role that everybody of a realm has. */
function defaultRole(realm: string): string {
  return `default-roles-${realm.toLowerCase()}`;
}

interface Person {
  first: string;
  last: string;
  email: string;
}

function person(name: string, domain: string): Person {
  const [first = '', last = ''] = name.split(' ');
  return { first, last, email: `${first}.${last}@${domain}`.toLowerCase() };
}

/** Nobody's own domain (RFC 6761 section 6.5). */
const ELSEWHERE = 'elsewhere.example';
const PROVEN = { email: { unverified: 'demand_proof' } } as const;

type Claims = Readonly<Record<string, unknown>>;

/** The standard claims (OpenID Connect Core 5.1). */
function claimsOf({ first, last, email }: Person): Claims {
  return { name: `${first} ${last}`, given_name: first, family_name: last, email, email_verified: true };
}

/** Makes the events of a provider: `more` adds to the claims that all of them have, or replaces some. */
type MakeEvent<TMore> = (one: Person, given: Given, more?: TMore, issuer?: string) => unknown;

interface Provider<TMore> extends Pick<Starter, 'issuer' | 'example'> {
  event: MakeEvent<TMore>;
  /** What the mapping has, with its rules, beside the issuer. Default: a rule on the domain of the address. */
  mapping?(given: Given): OpenIdMapping & SamlMapping;
  /** What is otherwise for somebody whom the rules refuse, by the name of the event. */
  refused?(given: Given): Readonly<Record<string, TMore>>;
  /** The name of the attack, and the issuer that it is from. */
  attack: readonly [name: string, issuerOf: (given: Given) => string];
}

function starter<TMore>({ issuer, example, event, attack, ...provider }: Provider<TMore>): Starter {
  const [attackName, attacker] = attack;
  return {
    issuer,
    example,
    mapping: (given) => ({
      issuers: { [given.url]: {} },
      ...(provider.mapping?.(given) ?? { rules: inDomain(given) }),
    }),
    logins(given) {
      const grace = person('Grace Hopper', given.domain);
      const refused = Object.entries(provider.refused?.(given) ?? {});
      return {
        person: event(person('Ada Lovelace', given.domain), given),
        'other-domain': event(person('Grace Hopper', ELSEWHERE), given),
        ...Object.fromEntries(refused.map(([name, more]) => [name, event(grace, given, more)])),
        [attackName]: event(person('Mallory Malone', given.domain), given, undefined, attacker(given)),
      };
    },
  };
}

function inDomain({ domain }: Given) {
  return [{ email_domains: [domain] }];
}

function grants(from: string, group: string, uuid = GROUP_UUID) {
  return { groups: { from: [from], table: [{ group, uuid }] } };
}

/** @param claims what a token has beside the standard claims, or in their place; undefined leaves one out */
function withClaims(claims: (one: Person, given: Given) => Claims): MakeEvent<Claims> {
  return (one, given, more, issuer = given.url) =>
    openIdEvent(issuer, { ...claimsOf(one), ...claims(one, given), ...more });
}

const UNVERIFIED = { 'unverified-address': { email_verified: false } };

const OPENID_STARTERS = {
  keycloak: starter({
    ...REALM,
    mapping: (given) => ({
      ...PROVEN,
      groups: {
        from: ['realm_access.roles', 'groups'],
        table: [
          { group: 'data-steward', uuid: GROUP_UUID },
          { group: { prefix: '/staff/' }, uuid: STAFF_UUID },
        ],
      },
      rules: inDomain(given),
    }),
    event: withClaims((_, { part }) => ({
      typ: 'ID',
      realm_access: { roles: [defaultRole(part), 'offline_access', 'data-steward'] },
      groups: ['/staff/data'],
    })),
    refused: () => UNVERIFIED,
    attack: ['other-realm', ({ url }) => `${url}-2`],
  }),
  entra: starter({
    issuer:
      /^https:\/\/login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/v2\.0$/,
    example: {
      url: 'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0',
      domain: 'example.com',
    },
    mapping: ({ domain }) => ({
      ...grants('groups', EDITORS, STAFF_UUID),
      rules: [
        {
          email_domains: [domain],
          message: 'Ask your IT department for access to this service. (Reference: {reference})',
        },
      ],
    }),
    // Entra sends no email_verified.
    event: withClaims(({ email }, { part: tid }) => ({
      ...{ preferred_username: email, email_verified: undefined, tid, ver: '2.0', groups: [EDITORS] },
    })),
    attack: ['other-tenant', ({ url, part }) => url.replace(part, OTHER_TENANT)],
  }),
  okta: starter({
    issuer: /^https:\/\/[^/?#]+(?:\/oauth2\/\w+)?$/,
    example: { url: 'https://dev-1234567.okta.com/oauth2/default', domain: 'example.com' },
    mapping: (given) => ({ ...grants('groups', 'Engineering'), rules: inDomain(given) }),
    // With the authorization code flow, its ID token has neither halves of the name nor email_verified.
    event: withClaims(() => ({
      ...{ ver: 1, given_name: undefined, family_name: undefined, email_verified: undefined },
      groups: ['Everyone', 'Engineering'],
    })),
    attack: ['other-organisation', () => 'https://attacker.okta.com'],
  }),
  google: starter({
    issuer: /^https:\/\/accounts\.google\.com$/,
    example: { url: 'https://accounts.google.com', domain: 'example.com' },
    mapping: ({ domain }) => ({
      image_url: ['picture'],
      ...PROVEN,
      groups: { from: ['hd'] },
      rules: [
        {
          any_group: [domain],
          message: `Please log in with your ${domain} account. (Reference: {reference})`,
        },
      ],
    }),
    event: withClaims(({ email }) => ({
      hd: email.slice(email.indexOf('@') + 1),
      picture: 'https://images.example.com/person=s96-c',
    })),
    refused: () => ({ ...UNVERIFIED, 'private-account': { hd: undefined } }),
    attack: ['other-issuer', () => 'https://accounts.google.example'],
  }),
  authentik: starter({
    issuer: /^https?:\/\/[^/]+(?:\/[^?#]+)?\/application\/o\/[\w-]+\/$/,
    example: { url: 'https://sso.example.edu/application/o/lab/', domain: 'example.edu' },
    mapping: ({ domain }) => ({
      ...PROVEN,
      ...grants('groups', 'lab-admins'),
      rules: [{ email_domains: [domain] }, { no_group: ['suspended'] }],
    }),
    // Its only name is the full one.
    event: withClaims(({ first, last }) => ({
      ...{ given_name: `${first} ${last}`, family_name: undefined, groups: ['lab-admins'] },
    })),
    refused: () => ({ ...UNVERIFIED, suspended: { groups: ['lab-admins', 'suspended'] } }),
    attack: ['other-application', ({ url }) => url.replace(/\/$/, '-2/')],
  }),
  zitadel: starter({
    issuer: /^https?:\/\/[^/?#]+$/,
    example: { url: 'https://login.lab.example', domain: 'example.edu' },
    mapping: (given) => ({ ...PROVEN, ...grants(ZITADEL_ROLES, 'editor'), rules: inDomain(given) }),
    event: withClaims(() => ({ [ZITADEL_ROLES]: { editor: { '284999999999999999': 'lab.example' } } })),
    refused: () => UNVERIFIED,
    attack: ['other-issuer', () => 'https://attacker.zitadel.example'],
  }),
  cognito: starter({
    issuer: /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com(?:\.cn)?\/[\w-]+$/,
    example: {
      url: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab1Cd2Ef3',
      domain: 'example.org',
    },
    mapping: (given) => ({ ...PROVEN, ...grants('cognito:groups', 'researchers'), rules: inDomain(given) }),
    event: withClaims(() => ({ token_use: 'id', 'cognito:groups': ['researchers'] })),
    refused: () => UNVERIFIED,
    attack: ['other-pool', ({ url }) => `${url}2`],
  }),
  orcid: {
    issuer: /^https:\/\/(?:sandbox\.)?orcid\.org$/,
    example: { url: 'https://orcid.org' },
    // Its tokens have no address, and people need no family name.
    settings: { REQUIRED_FIELDS: 'first_name', OPENID_EXTERNAL_ID: 'sub' },
    mapping: ({ url }) => ({ issuers: { [url]: {} }, rules: [{ claim: 'sub', is: [ORCID_ID] }] }),
    logins({ url }) {
      const names = { given_name: 'Josiah', family_name: 'Carberry' };
      return {
        person: openIdEvent(url, names, ORCID_ID),
        'not-listed': openIdEvent(url, { given_name: 'Grace' }, '0000-0001-5109-3700'),
        'other-issuer': openIdEvent('https://orcid.example', names, ORCID_ID),
      };
    },
  },
  other: starter({
    issuer: /^https?:\/\/[^/]+/,
    example: { url: 'https://login.example.org', domain: 'example.org' },
    mapping: (given) => ({ ...PROVEN, rules: inDomain(given) }),
    event: withClaims(() => ({})),
    refused: () => UNVERIFIED,
    attack: ['other-issuer', () => 'https://attacker.example'],
  }),
} satisfies Record<string, Starter>;

/** What a provider calls the address, the first name and the last name, each with its friendly name. */
type ProfileNames = readonly (readonly [name: string, friendlyName?: string])[];

const X500: ProfileNames = [
  ['urn:oid:1.2.840.113549.1.9.1', 'email'],
  ['urn:oid:2.5.4.42', 'givenName'],
  ['urn:oid:2.5.4.4', 'surname'],
];
const EDU: ProfileNames = [['urn:oid:0.9.2342.19200300.100.1.3', 'mail'], ...X500.slice(1)];
const SHORT: ProfileNames = [['email'], ['firstName'], ['lastName']];
const ENTRA_NAMES: ProfileNames = ['emailaddress', 'givenname', 'surname'].map((name) => [
  `http://schemas.xmlsoap.org/ws/2005/05/identity/claims/${name}`,
]);
const ENTRA_GROUPS = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';

/**
 * @param names of the address and the names; the NameID is the address too where these are the provider's own
 * @param attributes that stand beside the name and the address
 */
function withAttributes(
  names: ProfileNames,
  attributes: (given: Given) => readonly MadeAttribute[],
): MakeEvent<readonly MadeAttribute[]> {
  return (one, given, more = attributes(given), issuer = given.url) => {
    const values = [one.email, one.first, one.last];
    const ofProfile = names.map(([name, friendlyName], index) => ({
      ...{ name, friendlyName, values: [values[index] ?? ''] },
    }));
    return samlEvent(issuer, [...ofProfile, ...more], names === SHORT ? nameId(one) : undefined);
  };
}

function nameId({ email }: Person): NameId {
  return { format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', value: email };
}

const engineering = withAttributes(SHORT, () => [{ name: 'groups', values: ['Engineering'] }]);
const ofEngineering = (given: Given) => ({ ...grants('groups', 'Engineering'), rules: inDomain(given) });

function scopedAffiliation(domain: string, affiliation: string): MadeAttribute {
  const name = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
  return { name, friendlyName: 'eduPersonScopedAffiliation', values: [`${affiliation}@${domain}`] };
}

const ORGANISATION = { name: 'urn:oid:2.5.4.10', friendlyName: 'o', values: ['Example University'] };

const SAML_STARTERS = {
  keycloak: starter({
    ...REALM,
    mapping: ({ part, domain }) => ({
      groups: { from: ['Role'], separator: 'none', table: [{ group: 'staff', uuid: GROUP_UUID }] },
      rules: [
        { email_domains: [domain] },
        // Roles that are joined into one text are not it: somebody suspended could not be seen among them.
        { any_group: [defaultRole(part)] },
        { no_group: ['suspended'] },
      ],
    }),
    event: withAttributes(X500, ({ part }) => [
      { name: 'Role', values: [defaultRole(part), 'offline_access', 'staff'] },
    ]),
    refused: ({ part }) => ({
      suspended: [{ name: 'Role', values: [defaultRole(part), 'suspended'] }],
      'joined-roles': [{ name: 'Role', values: [`${defaultRole(part)}staff`] }],
    }),
    attack: ['other-realm', ({ url }) => `${url}-2`],
  }),
  entra: starter({
    issuer: /^https:\/\/sts\.windows\.net\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/$/,
    example: {
      url: 'https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/',
      domain: 'example.com',
    },
    mapping: (given) => ({ ...grants(ENTRA_GROUPS, ENTRA_GROUP), rules: inDomain(given) }),
    event: withAttributes(ENTRA_NAMES, () => [{ name: ENTRA_GROUPS, values: [ENTRA_GROUP] }]),
    attack: ['other-tenant', ({ url, part }) => url.replace(part, OTHER_TENANT)],
  }),
  okta: starter({
    issuer: /^http:\/\/www\.okta\.com\/\w+$/,
    example: { url: 'http://www.okta.com/exk1a2b3c4d5e6f7g8h9', domain: 'example.com' },
    mapping: ofEngineering,
    event: engineering,
    attack: ['other-organisation', ({ url }) => `${url}2`],
  }),
  google: starter({
    issuer: /^https:\/\/accounts\.google\.com\/o\/saml2\?idpid=\w+$/,
    example: { url: 'https://accounts.google.com/o/saml2?idpid=C01abc2de', domain: 'example.com' },
    mapping: ofEngineering,
    event: engineering,
    attack: ['other-organisation', ({ url }) => `${url}2`],
  }),
  edugain: starter({
    issuer: /^\S+$/,
    example: { url: 'https://idp.example.ac.uk/idp/shibboleth', domain: 'example.ac.uk' },
    mapping: ({ url, domain }) => ({
      affiliation: ['o'],
      issuers: {
        [url]: {
          rules: [{ scopes: [domain], affiliations: ['member'] }, { email_domains: [domain] }],
        },
      },
    }),
    event: withAttributes(EDU, ({ domain }) => [scopedAffiliation(domain, 'member'), ORGANISATION]),
    refused: () => ({ 'other-scope': [scopedAffiliation(ELSEWHERE, 'member')] }),
    attack: ['unlisted-university', ({ url }) => `${url}2`],
  }),
  other: starter({
    issuer: /^\S+$/,
    example: { url: 'https://login.example.org/saml/metadata', domain: 'example.org' },
    event: withAttributes(X500, () => []),
    attack: ['other-issuer', () => 'https://attacker.example/saml'],
  }),
} satisfies Record<string, Starter>;

/** By the word of the kind, and by the name of the provider. */
export const STARTERS: Readonly<Record<string, Readonly<Record<string, Starter>>>> = {
  openid: OPENID_STARTERS,
  saml: SAML_STARTERS,
};
