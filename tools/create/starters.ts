/**
 * What a new project knows of each provider: its issuer, and people with their logins. The mapping stands on the provider's page
 * of the guide, and asks for nothing but what the provider sends once it is set up.
 */
import { type Claims, openIdEvent, samlEvent } from './madeEvents.ts';

/** What an operator says of their provider. */
export interface Given {
  /** The issuer, as an event has it. */
  url: string;
  /** What the group of the pattern matches, e.g. a realm or a tenant; empty if there is none. */
  part: string;
  /** Of the addresses of those who may log in; empty where logins have none. */
  domain: string;
}

export interface Starter {
  /** What an issuer of the provider looks like. */
  issuer: RegExp;
  /** The issuer and the domain on the page of the providers; no domain where logins have no address. */
  example: { url: string; domain?: string };
  /** What each stage needs, e.g. `REQUIRED_FIELDS`. */
  settings?: Readonly<Record<string, string>>;
  /** Of somebody, as the provider sends them. */
  claims(one: Person, given: Given): Claims;
  /** What is otherwise for somebody whom a rule refuses, by the name of the event. */
  refused?(given: Given): Readonly<Record<string, Claims>>;
}

interface Person {
  first: string;
  last: string;
  email: string;
}

const EDITORS = '0c1d2e3f-4a5b-4c6d-9e8f-a0b1c2d3e4f5';
const ENTRA_GROUP = 'd7f9a3b1-52c4-4e0a-8b6d-1f3e5a7c9b20';
const ZITADEL_ROLES = 'urn:zitadel:iam:org:project:roles';
const ENTRA_CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const ENTRA_GROUPS = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';
const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3';
const AFFILIATION = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.9';
const ORCID_ID = '0000-0002-1825-0097';

/** Nobody's own domain (RFC 6761 section 6.5). */
const ELSEWHERE = 'elsewhere.example';

/** Events by their names: `person` gets in, nobody else does, and the last one is an attack. */
export function loginsOf(kind: string, starter: Starter, given: Given): Readonly<Record<string, unknown>> {
  const login = (name: string, more: Claims = {}, domain = given.domain, url = given.url) => {
    const [first = '', last = ''] = name.split(' ');
    const email = `${first}.${last}@${domain}`.toLowerCase();
    const claims = { ...starter.claims({ first, last, email }, given), ...more };
    return kind === 'saml' ? samlEvent(url, claims) : openIdEvent(url, claims);
  };
  const refused = Object.entries(starter.refused?.(given) ?? {});
  return {
    person: login('Ada Lovelace'),
    ...(given.domain !== '' && { 'other-domain': login('Grace Hopper', {}, ELSEWHERE) }),
    ...Object.fromEntries(refused.map(([name, more]) => [name, login('Grace Hopper', more)])),
    'other-issuer': login('Mallory Malone', {}, given.domain, 'https://attacker.example'),
  };
}

/** The standard claims (OpenID Connect Core 5.1). */
function standard({ first, last, email }: Person): Claims {
  return { name: `${first} ${last}`, given_name: first, family_name: last, email, email_verified: true };
}

/** The attributes of a directory. @param address the Name of the address */
function ofDirectory({ first, last, email }: Person, address = 'urn:oid:1.2.840.113549.1.9.1'): Claims {
  return { [address]: email, 'urn:oid:2.5.4.42': first, 'urn:oid:2.5.4.4': last };
}

/** Of Keycloak, for both kinds of login. */
const REALM = {
  issuer: /^https?:\/\/[^/]+(?:\/[^?#]+)?\/realms\/([\w.-]+)$/,
  example: { url: 'https://sso.example.edu/realms/campus', domain: 'example.edu' },
};

/** The role that everybody of a realm has. */
export function defaultRole(realm: string): string {
  return `default-roles-${realm.toLowerCase()}`;
}

/** Attributes whose names are of one's own choice. */
function engineering({ first, last, email }: Person): Claims {
  return { email, firstName: first, lastName: last, groups: ['Engineering'] };
}

const OPENID_STARTERS: Readonly<Record<string, Starter>> = {
  keycloak: {
    ...REALM,
    claims: (one, { part }) => ({
      ...standard(one),
      typ: 'ID',
      realm_access: { roles: [defaultRole(part), 'offline_access', 'data-steward'] },
      groups: ['/staff/data'],
    }),
  },
  entra: {
    issuer:
      /^https:\/\/login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/v2\.0$/,
    example: {
      url: 'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0',
      domain: 'example.com',
    },
    // Entra sends no email_verified.
    claims: (one, { part: tid }) => ({
      ...standard(one),
      ...{ preferred_username: one.email, email_verified: undefined, tid, ver: '2.0', groups: [EDITORS] },
    }),
  },
  okta: {
    issuer: /^https:\/\/[^/?#]+(?:\/oauth2\/\w+)?$/,
    example: { url: 'https://dev-1234567.okta.com/oauth2/default', domain: 'example.com' },
    // With the authorization code flow, its ID token has neither halves of the name nor email_verified.
    claims: ({ first, last, email }) => ({
      ...{ ver: 1, name: `${first} ${last}`, email, groups: ['Everyone', 'Engineering'] },
    }),
  },
  google: {
    issuer: /^https:\/\/accounts\.google\.com$/,
    example: { url: 'https://accounts.google.com', domain: 'example.com' },
    claims: (one) => ({
      ...standard(one),
      hd: one.email.slice(one.email.indexOf('@') + 1),
      picture: 'https://images.example.com/person=s96-c',
    }),
  },
  authentik: {
    issuer: /^https?:\/\/[^/]+(?:\/[^?#]+)?\/application\/o\/[\w-]+\/$/,
    example: { url: 'https://sso.example.edu/application/o/lab/', domain: 'example.edu' },
    // Its only name is the full one.
    claims: (one) => ({
      ...standard(one),
      ...{ given_name: `${one.first} ${one.last}`, family_name: undefined, groups: ['lab-admins'] },
    }),
    refused: () => ({ suspended: { groups: ['lab-admins', 'suspended'] } }),
  },
  zitadel: {
    issuer: /^https?:\/\/[^/?#]+$/,
    example: { url: 'https://login.lab.example', domain: 'example.edu' },
    claims: (one) => ({
      ...standard(one),
      [ZITADEL_ROLES]: { editor: { '284999999999999999': 'lab.example' } },
    }),
  },
  cognito: {
    issuer: /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com(?:\.cn)?\/[\w-]+$/,
    example: {
      url: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab1Cd2Ef3',
      domain: 'example.org',
    },
    claims: (one) => ({ ...standard(one), token_use: 'id', 'cognito:groups': ['researchers'] }),
  },
  orcid: {
    issuer: /^https:\/\/(?:sandbox\.)?orcid\.org$/,
    example: { url: 'https://orcid.org' },
    // Its tokens have no address, and people need no family name.
    settings: { REQUIRED_FIELDS: 'first_name', OPENID_EXTERNAL_ID: 'sub' },
    claims: ({ first, last }) => ({ sub: ORCID_ID, given_name: first, family_name: last }),
    refused: () => ({ 'not-listed': { sub: '0000-0001-5109-3700' } }),
  },
  other: {
    issuer: /^https?:\/\/[^/]+/,
    example: { url: 'https://login.example.org', domain: 'example.org' },
    claims: standard,
  },
};

const SAML_STARTERS: Readonly<Record<string, Starter>> = {
  keycloak: {
    ...REALM,
    claims: (one, { part }) => ({
      ...ofDirectory(one),
      Role: [defaultRole(part), 'offline_access', 'staff'],
    }),
    refused: ({ part }) => ({
      suspended: { Role: [defaultRole(part), 'suspended'] },
      'joined-roles': { Role: `${defaultRole(part)}staff` },
    }),
  },
  entra: {
    issuer: /^https:\/\/sts\.windows\.net\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/$/,
    example: {
      url: 'https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/',
      domain: 'example.com',
    },
    claims: ({ first, last, email }) => ({
      [`${ENTRA_CLAIMS}/emailaddress`]: email,
      [`${ENTRA_CLAIMS}/givenname`]: first,
      [`${ENTRA_CLAIMS}/surname`]: last,
      [ENTRA_GROUPS]: [ENTRA_GROUP],
    }),
  },
  okta: {
    issuer: /^http:\/\/www\.okta\.com\/\w+$/,
    example: { url: 'http://www.okta.com/exk1a2b3c4d5e6f7g8h9', domain: 'example.com' },
    claims: engineering,
  },
  google: {
    issuer: /^https:\/\/accounts\.google\.com\/o\/saml2\?idpid=\w+$/,
    example: { url: 'https://accounts.google.com/o/saml2?idpid=C01abc2de', domain: 'example.com' },
    claims: engineering,
  },
  edugain: {
    issuer: /^\S+$/,
    example: { url: 'https://idp.example.ac.uk/idp/shibboleth', domain: 'example.ac.uk' },
    claims: (one, { domain }) => ({
      ...ofDirectory(one, MAIL),
      [AFFILIATION]: `member@${domain}`,
      'urn:oid:2.5.4.10': 'Example University',
    }),
    refused: () => ({ 'other-scope': { [AFFILIATION]: `member@${ELSEWHERE}` } }),
  },
  other: {
    issuer: /^\S+$/,
    example: { url: 'https://login.example.org/saml/metadata', domain: 'example.org' },
    claims: (one) => ofDirectory(one),
  },
};

/** By the word of the kind, and by the name of the provider. */
export const STARTERS: Readonly<Record<string, Readonly<Record<string, Starter>>>> = {
  openid: OPENID_STARTERS,
  saml: SAML_STARTERS,
};
