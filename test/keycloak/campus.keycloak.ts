/** Sign-ins at a real Keycloak: a campus with people of each kind, and the clients, mappers and mappings of docs/providers/keycloak.md. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { blocksOf } from '../support/pages.ts';
import { inkOf, type Page, Person } from '../support/person.ts';
import { refusalIn, type ShownSignIn, signInAt, startStudio } from '../support/studio.ts';
import { adminHere, type Change, type Client, type Mapper } from './machine/admin.ts';
import { logIn } from './machine/keycloak.ts';

jest.setTimeout(120_000);

const REALM = 'campus';
const PASSWORD = 'a password of the test';
const SECRET = 'a secret of the test';

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
type Username = keyof typeof PEOPLE;
/** It is in no other text of the project. */
const SURNAME = 'Quillfeather';

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
const OPENID_MAPPERS: Mapper[] = [
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
const X500 = ['X500 email', 'X500 givenName', 'X500 surname'];
/** docs/providers/keycloak.md, SAML: step 4, and the second pitfall. */
const SAML_MAPPERS: Mapper[] = [
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

type Protocol = 'openid' | 'saml';
/** The fields of the form. */
type Asked = Readonly<Record<string, string>>;
type Campus = Awaited<ReturnType<typeof openCampus>>;

async function openCampus() {
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
      return result(await logIn(browser, url, username, PASSWORD));
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

const PROTOCOLS: readonly Protocol[] = ['openid', 'saml'];

let campus: Campus;
let clients: Record<Protocol, Client>;
let asked: Record<Protocol, Asked>;
beforeAll(async () => {
  campus = await openCampus();
  const { admin, studio } = campus;
  await studio.page('#/sign-in');
  const ours = await (await fetch(`${studio.origin}/saml/metadata`)).text();
  clients = {
    openid: await admin.makeClient({
      clientId: 'login-hooks',
      publicClient: false,
      secret: SECRET,
      standardFlowEnabled: true,
      redirectUris: [`${studio.origin}/callback/openid`],
      attributes: { 'pkce.code.challenge.method': 'S256' },
    }),
    saml: await admin.makeClient(await admin.importMetadata(ours)),
  };
  await admin.addMappers(clients.openid, OPENID_MAPPERS);
  const predefined = await admin.predefinedMappers('saml', X500);
  await admin.addMappers(clients.saml, [...predefined, ...SAML_MAPPERS]);
  asked = {
    openid: { issuer: admin.issuer, clientId: 'login-hooks', clientSecret: SECRET },
    saml: { metadataUrl: `${admin.issuer}/protocol/saml/descriptor` },
  };
});
afterAll(() => campus?.close());

/** Why the person got in or not; of somebody who is authorized, with the number of groups. */
function answered({ login, refused, reason, heading }: ShownSignIn): string {
  if (login === null) throw new Error(refused?.ours);
  return heading.startsWith('Authorized')
    ? `${reason}, ${/, (\d+) groups?/.exec(heading)?.[1] ?? 0}`
    : reason;
}

describe.each(PROTOCOLS)('by %s', (protocol) => {
  const signIn = (who: string, browser?: Person, more: Asked = {}) =>
    campus.signIn(protocol, { ...asked[protocol], ...more }, who, browser);

  test.each<[Username, answer: string, bySaml?: string]>([
    ['staff1', 'authorized, 1'],
    // A steward has a role of the realm, which the mapping for SAML does not read.
    ['steward1', 'authorized, 1', 'authorized, 0'],
    ['plain1', 'authorized, 0'],
    ['suspended1', 'rule_refused'],
    ['suspended-below1', 'rule_refused'],
    ['without-address1', 'profile_incomplete'],
    ['unverified1', 'email_unverified'],
  ])('the person %s is answered: %s', async (who, answer, bySaml = answer) => {
    expect(answered(await signIn(who))).toBe(protocol === 'saml' ? bySaml : answer);
  });

  test('one who is disabled stays at Keycloak', async () => {
    const { url = '' } = await campus.start(protocol, asked[protocol]);
    expect(inkOf((await logIn(new Person(), url, 'disabled1', PASSWORD)).text)).toContain(
      'Account is disabled',
    );
  });

  test('one who gives no consent is refused', async () => {
    const browser = new Person();
    await campus.admin.whileChanged(clients[protocol], { consentRequired: true }, async () => {
      const { url = '' } = await campus.start(protocol, asked[protocol]);
      const page = await browser.submit(await logIn(browser, url, 'staff1', PASSWORD), { cancel: 'No' });
      const { refused } = await campus.result(page);
      expect(refused?.theirs).toMatch(/^access_denied|RequestDenied/);
    });
  });

  test('a second person signs in after the first has signed out at Keycloak, and only then', async () => {
    const browser = new Person();
    const somebodyElse = { somebodyElse: 'yes' };
    await signIn('staff1', browser);
    expect((await signIn('plain1', browser)).text).toContain('staff1@example.edu');
    const { url = '' } = await campus.start(protocol, { ...asked[protocol], ...somebodyElse });
    expect(inkOf((await browser.open(url)).text)).toContain('Please re-authenticate to continue');
    await campus.signOut(browser);
    expect((await signIn('plain1', browser, somebodyElse)).text).toContain('plain1@example.edu');
  });

  test('a login is kept without the person, and npm run check passes with it', async () => {
    const { studio } = campus;
    const { login } = await signIn('staff1');
    const { html = '' } = await studio.send(`logins/${login}/keep`, { name: 'kept' });
    const [, plan = ''] = /data-action="(keeps\/[^"]+)"/.exec(html) ?? [];
    const files = Array.from(html.matchAll(/<li><code>(.*?)<\/code>/g), ([, file = '']) => inkOf(file));
    await studio.send(plan);
    expect(files).not.toEqual([]);
    for (const file of files)
      expect(await readFile(join(studio.folder, file), 'utf8')).not.toMatch(
        new RegExp(`staff1|${SURNAME}`, 'i'),
      );
    const sample = files.find((file) => file.endsWith('kept.json')) ?? '';
    const env = commandEnvironment({ HOME: studio.folder, LOGIN_HOOKS_ENV_FOLDER: studio.folder });
    const check = runCommand(['tools/cli/bin.cjs', 'check', sample], { cwd: studio.folder, env });
    expect(await check.end(0)).toMatchObject({ status: 0 });
  });
});

const ELSEWHERE = { redirectUris: ['http://localhost:1/'] };
const POST_ELSEWHERE = { attributes: { saml_assertion_consumer_url_post: 'http://localhost:1/' } };
const PUSHED = { attributes: { 'require.pushed.authorization.requests': 'true' } };
const NO_FLOW = { standardFlowEnabled: false };
const ACS = /^Register exactly this ACS URL .*\/callback\/saml$/;

describe('Keycloak refuses before the browser leaves', () => {
  test.each<[string, Protocol, Change, Asked, theirs: RegExp, ours?: RegExp]>([
    ['a client that it does not know', 'openid', {}, { clientId: 'unknown' }, /client not found/i],
    ['a client that is off', 'openid', { enabled: false }, {}, /client disabled/i],
    ['another redirect address', 'openid', ELSEWHERE, {}, /redirect_uri/],
    ['a scope that it does not have', 'openid', {}, { scopes: 'openid unknown' }, /invalid_scope/],
    ['a client without its standard flow', 'openid', NO_FLOW, {}, /standard flow is disabled/i],
    ['a client that has to push its requests', 'openid', PUSHED, {}, /pushed authorization request/i],
    ['a service', 'saml', { clientId: 'other' }, {}, /Invalid Request/, /^Register this machine/],
    [
      'a service that is off',
      'saml',
      { enabled: false },
      {},
      /requester not enabled/,
      /^Turn the client .* on/,
    ],
    ['another ACS', 'saml', { ...ELSEWHERE, ...POST_ELSEWHERE }, {}, /Invalid redirect uri/, ACS],
  ])('%s', async (_, protocol, change, other, theirs, ours = /./) => {
    const started = await campus.admin.whileChanged(clients[protocol], change, () =>
      campus.start(protocol, { ...asked[protocol], ...other }),
    );
    expect(started.refused).toEqual({
      theirs: expect.stringMatching(theirs),
      ours: expect.stringMatching(ours),
    });
  });

  test('a service that was made by hand, until it accepts requests without a signature', async () => {
    const { clientId, redirectUris } = clients.saml;
    await campus.admin.whileChanged(clients.saml, { clientId: 'other' }, async () => {
      const made = await campus.admin.makeClient({ clientId, redirectUris, protocol: 'saml' });
      expect((await campus.start('saml', asked.saml)).refused).toEqual({
        theirs: expect.stringMatching(/Invalid requester/),
        ours: expect.stringMatching(/"Client signature required" off/),
      });
      const attributes = { 'saml.client.signature': 'false' };
      await campus.admin.whileChanged(made, { attributes }, async () => {
        expect((await campus.signIn('saml', asked.saml, 'staff1')).refused).toBeNull();
      });
      await campus.admin.removeClient(made);
    });
  });
});

test('another secret is refused afterwards', async () => {
  const { refused } = await campus.signIn('openid', { ...asked.openid, clientSecret: 'another' }, 'staff1');
  expect(refused).toEqual({
    theirs: expect.stringMatching(/^unauthorized_client: Invalid client or Invalid client credentials/),
    ours: expect.stringMatching(/^Check the client id and the secret/),
  });
});

/** Somebody of the staff, who is signed in. */
const browser = new Person();

/** How a login by SAML goes while the client has these attributes. */
function signInWith(attributes: Record<string, string>): Promise<ShownSignIn> {
  return campus.admin.whileChanged(clients.saml, { attributes }, () =>
    campus.signIn('saml', asked.saml, 'staff1', browser),
  );
}

const errorsOf = ({ findings }: ShownSignIn) => findings.filter(({ level }) => level === 'error');

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';
/** "Keys", "Encryption keys config": a choice of each kind. The tests of decryption have the others. */
const ENCRYPTION: Record<string, string>[] = [
  { algorithm: `${XMLENC11}aes256-gcm` },
  { algorithm: `${XMLENC}aes128-cbc` },
  { keyAlgorithm: `${XMLENC}rsa-oaep-mgf1p`, digestMethod: `${XMLENC}sha256` },
  {
    keyAlgorithm: `${XMLENC11}rsa-oaep`,
    digestMethod: `${XMLENC}sha512`,
    maskGenerationFunction: `${XMLENC11}mgf1sha384`,
  },
  { keyAlgorithm: `${XMLENC}rsa-1_5` },
];
const nameOf = (algorithm: string) => algorithm.replace(/^.*#/, '');

describe('an assertion is opened that is encrypted by', () => {
  test.each(ENCRYPTION.map((chosen) => ({ chosen, title: Object.values(chosen).map(nameOf).join(', ') })))(
    '$title',
    async ({ chosen }) => {
      const settings = Object.entries(chosen).map(([name, value]) => [`saml.encryption.${name}`, value]);
      const result = await signInWith(Object.fromEntries(settings));
      expect([result.refused, errorsOf(result)]).toEqual([null, []]);
      expect(result.findings.map(({ code }) => code)).toContain('assertion_opened');
    },
  );
});

const SIGNED = ['RSA_SHA1', 'RSA_SHA256', 'RSA_SHA512', 'RSA_SHA256_MGF1', 'RSA_SHA512_MGF1'];

test.each<[what: string, attributes: Record<string, string>]>([
  ['with a signed document alone', { 'saml.assertion.signature': 'false' }],
  ['with a signed assertion alone', { 'saml.server.signature': 'false' }],
  ['unencrypted', { 'saml.encrypt': 'false' }],
  ...SIGNED.map((name): [string, Record<string, string>] => [name, { 'saml.signature.algorithm': name }]),
])('a login is accepted: %s', async (_, attributes) => {
  const result = await signInWith(attributes);
  expect([answered(result), errorsOf(result)]).toEqual(['authorized, 1', []]);
});

test('a login without any signature is refused', async () => {
  const attributes = { 'saml.assertion.signature': 'false', 'saml.server.signature': 'false' };
  expect(await signInWith(attributes)).toMatchObject({
    login: null,
    refused: { ours: expect.stringMatching(/^Neither the response nor the assertion is signed/) },
  });
});
