/**
 * What a new project knows of each provider: its issuer, and a sample of its logins. The mapping stands on the provider's page of
 * the guide, and asks for nothing but what the provider sends once it is set up.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE } from '../shared/project.ts';

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
  /** The sample of somebody who gets in, and what is otherwise in it. */
  sample: string;
  change?: Change;
  /** What is otherwise then for somebody whom a rule refuses, by the name of the event. */
  refused?: Readonly<Record<string, Change>>;
}

type Change = readonly [found: string, instead: string];

/** Nobody's own domain (RFC 6761 section 6.5). */
const ELSEWHERE = 'elsewhere.example';
const DOMAIN_OF_SAMPLE = /(?<=@)example\.[\w.]+/;

/** The file of its sample, from the folder of the package. */
export function sampleFile(kind: string, { sample }: Starter): string {
  return `events/${kind}LoggedIn/${sample}.json`;
}

/** Events by their names: `person` gets in, nobody else does, and the last one is an attack. */
export async function loginsOf(
  kind: string,
  starter: Starter,
  given: Given,
): Promise<Readonly<Record<string, unknown>>> {
  const file = join(PACKAGE, sampleFile(kind, starter));
  const sample = (await readFile(file, 'utf8')).replace(...(starter.change ?? ['', '']));
  const [domain] = DOMAIN_OF_SAMPLE.exec(sample) ?? [];
  const login = (text: string, of: Given) => {
    const { assertion, ...event } = JSON.parse(withGiven(text, starter, of, domain));
    if (assertion) return { assertion: { ...assertion, assertionIssuer: of.url } };
    // No JWT: only the check of tokens reads it.
    return { ...event, idToken: { ...event.idToken, iss: of.url }, idTokenJwt: 'made-up' };
  };
  const refused = Object.entries(starter.refused ?? {}).map(([name, [found, instead]]) => [
    name,
    login(sample.replaceAll(found, instead), given),
  ]);
  return {
    person: login(sample, given),
    ...(domain && { 'other-domain': login(sample, { ...given, domain: ELSEWHERE }) }),
    ...Object.fromEntries(refused),
    'other-issuer': login(sample, { ...given, url: 'https://attacker.example' }),
  };
}

/** A text of the guide, with what the operator says in the place of an example. */
export function withGiven(
  text: string,
  { issuer, example }: Starter,
  given: Given,
  domain = example.domain,
): string {
  const [, part] = issuer.exec(example.url) ?? [];
  const places = new Map([[example.url, given.url]]);
  if (part !== undefined)
    places.set(defaultRole(part), defaultRole(given.part)).set(`"${part}"`, `"${given.part}"`);
  if (domain !== undefined) places.set(domain, given.domain);
  // All in one pass: what is given may hold what another example has.
  const examples = new RegExp(Array.from(places.keys(), (one) => RegExp.escape(one)).join('|'), 'g');
  return text.replaceAll(examples, (found) => places.get(found) ?? found);
}

/** The role that everybody of a realm has. */
function defaultRole(realm: string): string {
  return `default-roles-${realm.toLowerCase()}`;
}

/** Of Keycloak, for both kinds of login. */
const REALM = {
  issuer: /^https?:\/\/[^/]+(?:\/[^?#]+)?\/realms\/([\w.-]+)$/,
  example: { url: 'https://sso.example.edu/realms/campus', domain: 'example.edu' },
};

/** By the word of the kind, and by the name of the provider. */
export const STARTERS: Readonly<Record<string, Readonly<Record<string, Starter>>>> = {
  openid: {
    keycloak: { ...REALM, sample: 'keycloak-nested-roles' },
    entra: {
      issuer:
        /^https:\/\/login\.(?:partner\.)?microsoftonline\.(?:com|us|cn)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/v2\.0$/,
      example: {
        url: 'https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0',
        domain: 'example.com',
      },
      sample: 'entra-groups',
    },
    okta: {
      issuer: /^https:\/\/[^/?#]+(?:\/oauth2\/\w+)?$/,
      example: { url: 'https://dev-1234567.okta.com/oauth2/default', domain: 'example.com' },
      sample: 'okta',
      // With the authorization code flow, its ID token has no such claim.
      change: ['"email_verified": true,', ''],
    },
    google: {
      issuer: /^https:\/\/accounts\.google\.com$/,
      example: { url: 'https://accounts.google.com', domain: 'example.com' },
      sample: 'google-workspace',
    },
    authentik: {
      issuer: /^https?:\/\/[^/]+(?:\/[^?#]+)?\/application\/o\/[\w-]+\/$/,
      example: { url: 'https://sso.example.edu/application/o/lab/', domain: 'example.edu' },
      sample: 'authentik',
      refused: { suspended: ['"lab-admins"', '"lab-admins", "suspended"'] },
    },
    zitadel: {
      issuer: /^https?:\/\/[^/?#]+$/,
      example: { url: 'https://login.lab.example', domain: 'example.edu' },
      sample: 'zitadel',
    },
    cognito: {
      issuer: /^https:\/\/cognito-idp\.[\w-]+\.amazonaws\.com(?:\.cn)?\/[\w-]+$/,
      example: {
        url: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab1Cd2Ef3',
        domain: 'example.org',
      },
      sample: 'cognito',
    },
    orcid: {
      issuer: /^https:\/\/(?:sandbox\.)?orcid\.org$/,
      example: { url: 'https://orcid.org' },
      // Its tokens have no address, and people need no family name.
      settings: { REQUIRED_FIELDS: 'first_name', OPENID_EXTERNAL_ID: 'sub' },
      sample: 'orcid',
      change: ['0000-0001-5109-3700', '0000-0002-1825-0097'],
      refused: { 'not-listed': ['0000-0002-1825-0097', '0000-0001-5109-3700'] },
    },
    other: {
      issuer: /^https?:\/\/[^/]+/,
      example: { url: 'https://login.example.org', domain: 'example.org' },
      // The standard claims (OpenID Connect Core 5.1), and no others.
      sample: 'email-verified-as-string',
      change: ['"email_verified": "false"', '"email_verified": true'],
    },
  },
  saml: {
    keycloak: {
      ...REALM,
      sample: 'keycloak-staff',
      refused: {
        suspended: ['"staff"', '"suspended"'],
        // The role that everybody has is not in the text: somebody suspended could not be seen in it.
        'joined-roles': ['"default-roles-campus"', '"default-roles-campusstaff"'],
      },
    },
    entra: {
      issuer: /^https:\/\/sts\.windows\.net\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/$/,
      example: {
        url: 'https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/',
        domain: 'example.com',
      },
      sample: 'entra',
    },
    okta: {
      issuer: /^http:\/\/www\.okta\.com\/\w+$/,
      example: { url: 'http://www.okta.com/exk1a2b3c4d5e6f7g8h9', domain: 'example.com' },
      sample: 'okta',
    },
    google: {
      issuer: /^https:\/\/accounts\.google\.com\/o\/saml2\?idpid=\w+$/,
      example: { url: 'https://accounts.google.com/o/saml2?idpid=C01abc2de', domain: 'example.com' },
      // Attributes have the names that one gives them.
      sample: 'okta',
    },
    edugain: {
      issuer: /^\S+$/,
      example: { url: 'https://idp.example.ac.uk/idp/shibboleth', domain: 'example.ac.uk' },
      sample: 'edugain-member',
      refused: { 'other-address': ['alan.turing@example.ac.uk', `alan.turing@${ELSEWHERE}`] },
    },
    other: {
      issuer: /^\S+$/,
      example: { url: 'https://login.example.org/saml/metadata', domain: 'example.org' },
      sample: 'keycloak',
    },
  },
};
