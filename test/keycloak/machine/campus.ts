/** A campus with people of each kind in a realm, and the studio with the mappings of docs/providers/keycloak.md. */

import { blocksOf } from '../../support/pages.ts';
import { inkOf, type Page, Person } from '../../support/person.ts';
import { refusalIn, signInAt, startStudio } from '../../support/studio.ts';
import { adminHere, type Mapper } from './admin.ts';

const REALM = 'campus';
const PASSWORD = 'a password of the test';
export const SECRET = 'a secret of the test';

/** By name, what is special about them, in the words of Keycloak. */
const PEOPLE = {
  staff1: { groups: ['/staff/data'] },
  steward1: { realmRoles: ['data-steward'] },
  plain1: {},
  suspended1: { groups: ['/suspended'] },
  'suspended-below1': { groups: ['/staff/data', '/suspended/2024'] },
  'without-address1': { email: '' },
  unverified1: { emailVerified: false },
  disabled1: { enabled: false },
};
export type Username = keyof typeof PEOPLE;
/** It is in no other text of the project. */
export const SURNAME = 'Quillfeather';

const users = Object.entries(PEOPLE).map(([username, special]) => {
  const usual = { email: `${username}@example.edu`, emailVerified: true, enabled: true, realmRoles: [] };
  const { realmRoles, ...others } = { ...usual, ...special };
  return {
    ...{ username, firstName: 'Ada', lastName: SURNAME, ...others },
    realmRoles: [`default-roles-${REALM}`, ...realmRoles],
    credentials: [{ type: 'password', value: PASSWORD }],
  };
});

/** Each subgroup has the roles of its group. */
const GROUPS = [
  { name: 'staff', realmRoles: ['staff'], subGroups: [{ name: 'data' }] },
  { name: 'suspended', realmRoles: ['suspended'], subGroups: [{ name: '2024' }] },
];
const ROLES = ['staff', 'suspended', 'data-steward'].map((name) => ({ name }));

const inIdToken = { 'id.token.claim': 'true' };
/** docs/providers/keycloak.md, OpenID: steps 3 and 4. */
export const OPENID_MAPPERS: Mapper[] = [
  {
    ...{ name: 'realm roles', protocol: 'openid-connect' },
    protocolMapper: 'oidc-usermodel-realm-role-mapper',
    config: { ...inIdToken, 'claim.name': 'realm_access.roles', multivalued: 'true' },
  },
  {
    ...{ name: 'groups', protocol: 'openid-connect' },
    protocolMapper: 'oidc-group-membership-mapper',
    config: { ...inIdToken, 'claim.name': 'groups', 'full.path': 'true' },
  },
];
/** docs/providers/keycloak.md, SAML: step 2. */
export const X500 = ['X500 email', 'X500 givenName', 'X500 surname'];
/** docs/providers/keycloak.md, SAML: step 4, and the second pitfall. */
export const SAML_MAPPERS: Mapper[] = [
  {
    ...{ name: 'groups', protocol: 'saml', protocolMapper: 'saml-group-membership-mapper' },
    config: { 'attribute.name': 'groups', single: 'false', 'full.path': 'true' },
  },
  {
    ...{ name: 'emailVerified', protocol: 'saml', protocolMapper: 'saml-user-property-mapper' },
    config: { 'user.attribute': 'emailVerified', 'attribute.name': 'emailVerified' },
  },
];

/** The mapping of docs/providers/keycloak.md for the realm of this machine, whose ID tokens have all mappers that `no_group` needs. */
async function mapping(call: 'mapOpenIdLogin' | 'mapSamlLogin', issuer: string): Promise<string> {
  const blocks = await blocksOf('docs/providers/keycloak.md');
  const block = blocks.find(({ text }) => text.includes(call) && text.includes('/realms/campus'));
  if (!block) throw new Error(`docs/providers/keycloak.md has no ${call} for Keycloak`);
  return block.text
    .replace('https://sso.example.edu/realms/campus', issuer)
    .replace("from: ['realm_access.roles', 'groups'],", "$& absent: ['groups'],")
    .replace("rules: [{ email_domains: ['example.edu'] }]", "rules: [{ no_group: ['suspended'] }]");
}

export type Protocol = 'openid' | 'saml';
/** The fields of the form. */
export type Asked = Readonly<Record<string, string>>;
export type Campus = Awaited<ReturnType<typeof openCampus>>;

export async function openCampus() {
  const admin = adminHere(REALM);
  await admin.makeRealm({ users, groups: GROUPS, roles: { realm: ROLES } });
  await admin.letAddressBeAbsent();
  const { issuer } = admin;
  const studio = await startStudio(
    {
      'handlers/campus-openid.ts': await mapping('mapOpenIdLogin', issuer),
      'handlers/campus-saml.ts': await mapping('mapSamlLogin', issuer),
    },
    {
      samples: [],
      settings: {
        OPENID_HANDLER_MODULE: 'handlers/campus-openid',
        SAML_HANDLER_MODULE: 'handlers/campus-saml',
      },
    },
  );
  await studio.ready();
  /** What a sign-in begins with: an address to open, or why there is none. */
  const start = async (protocol: Protocol, asked: Asked) => {
    const { open, html = '' } = await studio.send(`sign-in/${protocol}`, asked);
    return { url: open, refused: open === undefined ? refusalIn(html) : null };
  };
  /** What the studio shows on the page to which a sign-in has led. */
  const result = ({ url, text }: Page) => {
    if (/^#\/(?:sign-in|logins)\/./.test(url.hash)) return signInAt(studio, url.hash);
    throw new Error(`expected the page of the studio, found ${url.host}: ${inkOf(text)}`);
  };
  return {
    ...{ admin, studio, start, result },
    /** Signs in as the person, in a browser that may be signed in already. */
    async signIn(protocol: Protocol, asked: Asked, username: string, browser = new Person()) {
      const { url, refused } = await start(protocol, asked);
      if (url === undefined) throw new Error(refused?.ours);
      return result(await logIn(browser, url, username));
    },
    /** Ends the session in Keycloak, which asks whether that is meant. */
    async signOut(browser: Person) {
      const page = await browser.open(`${issuer}/protocol/openid-connect/logout`);
      await browser.submit(page, { confirmLogout: 'Logout' });
    },
    async close() {
      await studio.close();
      await admin.removeRealm();
    },
  };
}

/** Fills in the provider's form, where it shows one, and goes on to where that leads. */
export async function logIn(
  browser: Person,
  url: string,
  username: string,
  password = PASSWORD,
): Promise<Page> {
  const page = await browser.open(url);
  return page.text.includes('id="kc-form-login"') ? browser.submit(page, { username, password }) : page;
}
