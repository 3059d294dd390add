/** A campus of 20 people in a realm, with the clients of docs/providers/keycloak.md, and the studio with its mapping. */

import { blocksOf } from '../../support/pages.ts';
import { type Page, Person, shown } from '../../support/person.ts';
import { refusalIn, type ShownSignIn, type Studio, signInAt, startStudio } from '../../support/studio.ts';
import { type Admin, adminHere, type Mapper } from './admin.ts';

const REALM = 'campus';
const PASSWORD = 'a password of the test';
export const SECRET = 'a secret of the test';

/** What is special about somebody, in the words of Keycloak. */
const KINDS = {
  staff: { groups: ['/staff/data'] },
  steward: { realmRoles: ['data-steward'] },
  plain: {},
  suspended: { groups: ['/suspended'] },
  'suspended below': { groups: ['/staff/data', '/suspended/2024'] },
  'without address': { email: '' },
  unverified: { emailVerified: false },
  disabled: { enabled: false },
} as const;
export type Kind = keyof typeof KINDS;

const COUNTS: Record<Kind, number> = {
  staff: 6,
  steward: 3,
  plain: 3,
  suspended: 2,
  'suspended below': 1,
  'without address': 2,
  unverified: 2,
  disabled: 1,
};

/** By name; the surname is in no other text of the project. */
export const PEOPLE = Object.entries(COUNTS).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, index) => ({
    kind: kind as Kind,
    username: `${kind.replace(' ', '-')}${index + 1}`,
  })),
);
export const SURNAME = 'Quillfeather';

function user({ kind, username }: (typeof PEOPLE)[number]) {
  const usual = { email: `${username}@example.edu`, emailVerified: true, enabled: true, realmRoles: [] };
  const { realmRoles, ...special } = { ...usual, ...KINDS[kind] };
  return {
    ...{ username, firstName: 'Ada', lastName: SURNAME, ...special },
    realmRoles: [`default-roles-${REALM}`, ...realmRoles],
    credentials: [{ type: 'password', value: PASSWORD }],
  };
}

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

export interface Campus {
  admin: Admin;
  studio: Studio;
  /** What a sign-in begins with: an address to open, or why there is none. */
  start(protocol: Protocol, asked: Asked): Promise<Started>;
  /** Signs in as the person, in a browser that may be signed in already. */
  signIn(protocol: Protocol, asked: Asked, username: string, browser?: Person): Promise<ShownSignIn>;
  /** What the studio shows on the page to which a sign-in has led. */
  result(page: Page): Promise<ShownSignIn>;
  close(): Promise<void>;
}

export type Protocol = 'openid' | 'saml';
/** The fields of the form. */
export type Asked = Readonly<Record<string, string>>;
/** `message` and `theirs` of a refusal. */
interface Started {
  url?: string;
  message?: string;
  theirs?: string | null;
}

export async function openCampus(): Promise<Campus> {
  const admin = adminHere(REALM);
  await admin.makeRealm({ users: PEOPLE.map(user), groups: GROUPS, roles: { realm: ROLES } });
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
  const start = async (protocol: Protocol, asked: Asked): Promise<Started> => {
    const { open, html = '' } = await studio.send(`sign-in/${protocol}`, asked);
    if (open !== undefined) return { url: open };
    const { theirs, ours } = refusalIn(html);
    return { theirs, message: ours };
  };
  const result = (page: Page) => signInAt(studio, hashOf(page));
  return {
    ...{ admin, studio, start, result },
    async signIn(protocol, asked, username, browser = new Person()) {
      const { url, message } = await start(protocol, asked);
      if (url === undefined) throw new Error(message);
      return result(await logIn(browser, url, username));
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
  const after = page.text.includes('id="kc-form-login"')
    ? await browser.submit(page, { username, password })
    : page;
  return carriedOn(browser, after);
}

/** A script posts the form of SAML. */
export function carriedOn(browser: Person, page: Page): Promise<Page> | Page {
  return page.text.includes('name="SAMLResponse"') ? browser.submit(page, {}) : page;
}

/** Where the studio shows what came of a sign-in. */
function hashOf({ url, text }: Page): string {
  if (!/^#\/(?:sign-in|logins)\/./.test(url.hash))
    throw new Error(`expected the page of the studio, found ${url.host}: ${shown(text)}`);
  return url.hash;
}

/** Ends the session in Keycloak, which asks whether that is meant. */
export async function signOut({ admin }: Campus, browser: Person): Promise<void> {
  const page = await browser.open(`${admin.issuer}/protocol/openid-connect/logout`);
  await browser.submit(page, { confirmLogout: 'Logout' });
}

/** How the handler answers: the outcome, the reason, and the number of groups of somebody who is authorized. */
export type Answered = readonly [outcome: string, reason: string, groups?: number];

export function answered({ login, refused, reason, heading }: ShownSignIn): Answered {
  if (login === null) throw new Error(refused?.ours);
  if (!heading.startsWith('Authorized'))
    return [heading.startsWith('Forbidden') ? 'forbidden' : 'error', reason];
  return ['authorized', reason, Number(/, (\d+) groups?/.exec(heading)?.[1] ?? 0)];
}

/** The address of the person who signed in. */
export function addressIn({ text }: ShownSignIn): string | undefined {
  return /[\w-]+@example\.edu/.exec(text)?.[0];
}
