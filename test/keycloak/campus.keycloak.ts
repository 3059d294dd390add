/** Sign-ins at a real Keycloak by people of each kind: the steps, mappers and mappings of docs/providers/keycloak.md. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { blocksOf, textOf } from '../support/pages.ts';
import { inkOf, Person } from '../support/person.ts';
import { refusalIn, type Studio, signInAt, startStudio } from '../support/studio.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { admin, type Change, type Client, REALM, whileChanged } from './machine/admin.ts';
import { HOME } from './machine/keycloak.ts';

jest.setTimeout(240_000);

const PAGE = 'docs/providers/keycloak.md';
const ISSUER = `${process.env.KEYCLOAK_URL}/realms/campus`;
/** Ada's, and of all others too. */
const PASSWORD = 'lovelace';

type Protocol = 'openid' | 'saml';
/** The fields of the form. */
type Asked = Readonly<Record<string, string>>;

const home = temporaryFolder();
const clients = {} as Record<Protocol, Client>;
let asked: Record<Protocol, Asked>;
let studio: Studio;

/** The mappings of the page for this realm; that for OpenID with what its pitfalls add where the mappers are there. */
async function mappings(): Promise<Record<string, string>> {
  const blocks = (await blocksOf(PAGE)).filter(({ language }) => language === 'ts');
  const [openid = '', saml = ''] = blocks.map(({ text }) =>
    text.replace('https://sso.example.edu/realms/campus', ISSUER).replace('example.edu', 'example.org'),
  );
  const careful = openid
    .replace("from: ['realm_access.roles', 'groups'],", "$& absent: ['groups'],")
    .replace('rules: [{', "rules: [{ no_group: ['suspended'] }, {");
  return { 'handlers/campus-openid.ts': careful, 'handlers/campus-saml.ts': saml };
}

/** "On your own machine": a realm, Ada and a client. */
async function takeSteps(): Promise<void> {
  const steps = Array.from((await textOf(PAGE)).matchAll(/^ {4}(bin\/kcadm\.sh .*)$/gm), ([, step]) => step);
  expect(steps).toHaveLength(5);
  const commands = steps
    .join(' && ')
    .replaceAll('http://127.0.0.1:8181', '"$KEYCLOAK_URL"')
    .replaceAll('--password admin', '--password "$KEYCLOAK_PASSWORD"')
    .replaceAll('localhost:3003', `localhost:${studio.ports.studio}`);
  await promisify(execFile)('sh', ['-c', commands], { cwd: HOME, env: { ...process.env, HOME: home } });
}

async function clientNamed(clientId: string): Promise<Client> {
  const [client] = await admin<Client[]>('GET', `${REALM}/clients?${new URLSearchParams({ clientId })}`);
  return client as Client;
}

beforeAll(async () => {
  studio = await startStudio(await mappings(), {
    samples: [],
    settings: {
      OPENID_HANDLER_MODULE: 'handlers/campus-openid',
      SAML_HANDLER_MODULE: 'handlers/campus-saml',
    },
  });
  await studio.ready();
  await takeSteps();
  // The studio has an identity once its page is open.
  await studio.page('#/sign-in');
  const ours = await (await fetch(`${studio.origin}/saml/metadata`)).text();
  // "Clients", "Import client".
  const imported = await admin<Change>('POST', `${REALM}/client-description-converter`, ours);
  await admin('POST', `${REALM}/clients`, imported);
  clients.openid = await clientNamed('login-hooks');
  clients.saml = await clientNamed(String(imported.clientId));
  asked = {
    openid: { issuer: ISSUER, clientId: 'login-hooks' },
    saml: { metadataUrl: `${ISSUER}/protocol/saml/descriptor` },
  };
});
afterAll(() => studio?.close());

/** What a sign-in begins with: the address for the browser, or what the page says in its place. */
const start = (protocol: Protocol, more: Asked = {}) =>
  studio.send(`sign-in/${protocol}`, { ...asked[protocol], ...more });

/** What the studio shows after the person has signed in, in a browser that may be signed in already. */
async function signIn(protocol: Protocol, username: string, more: Asked = {}, browser = new Person()) {
  const { open = '', html = '' } = await start(protocol, more);
  if (open === '') throw new Error(inkOf(html));
  const form = await browser.open(open);
  const isAsked = form.text.includes('id="kc-form-login"');
  const { url, text } = isAsked ? await browser.submit(form, { username, password: PASSWORD }) : form;
  if (url.origin !== studio.origin) throw new Error(`expected the studio, found ${inkOf(text)}`);
  const { reason, heading, text: shown, refused, findings } = await signInAt(studio, url.hash);
  const [, groups = 0] = /, (\d+) groups?/.exec(heading) ?? [];
  const codesOf = (wanted: string) =>
    findings.filter(({ level }) => level === wanted).map(({ code }) => code);
  return {
    text: shown,
    /** With the number of groups of who is authorized. */
    answer: reason === 'authorized' ? `${reason}, ${groups}` : reason,
    refused,
    notes: codesOf('note'),
    errors: codesOf('error'),
  };
}

describe('before there are mappers, Ada signs in', () => {
  test('by openid, with a profile and without groups', async () => {
    expect(await signIn('openid', 'ada')).toMatchObject({ answer: 'groups_unknown', errors: [] });
  });

  test('by saml, with roles alone', async () => {
    const { answer, notes } = await signIn('saml', 'ada');
    expect(answer).toBe('profile_incomplete');
    expect(notes).toEqual(expect.arrayContaining(['assertion_opened', 'signed']));
  });
});

describe('on a campus', () => {
  const SECRET = 'a secret of the test';
  /** What is special about them, in the words of Keycloak; how they are answered, and how by SAML where that differs. */
  const PEOPLE: [username: string, answer: string, special: Record<string, unknown>, bySaml?: string][] = [
    ['staff1', 'authorized, 1', { groups: ['/staff/data'] }],
    // A steward has a role of the realm, which the mapping for SAML does not read.
    ['steward1', 'authorized, 1', { realmRoles: ['data-steward'] }, 'authorized, 0'],
    ['plain1', 'authorized, 0', {}],
    ['suspended1', 'rule_refused', { groups: ['/suspended'] }],
    ['suspended-below1', 'rule_refused', { groups: ['/staff/data', '/suspended/2024'] }],
    ['without-address1', 'profile_incomplete', { email: '' }],
    ['unverified1', 'email_unverified', { emailVerified: false }],
  ];
  const users = PEOPLE.map(([username, , { realmRoles = [], ...special }]) => ({
    username,
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `${username}@example.org`,
    emailVerified: true,
    enabled: true,
    ...special,
    realmRoles: ['default-roles-campus', realmRoles].flat(),
    credentials: [{ type: 'password', value: PASSWORD }],
  }));
  const roles = ['staff', 'suspended', 'data-steward'].map((name) => ({ name }));
  /** Each subgroup has the roles of its group. */
  const groups = [
    { name: 'staff', path: '/staff', realmRoles: ['staff'], subGroups: [{ name: 'data' }] },
    { name: 'suspended', path: '/suspended', realmRoles: ['suspended'], subGroups: [{ name: '2024' }] },
  ];
  const mapper = (protocol: string, protocolMapper: string, config: Record<string, string>) => {
    return { name: protocolMapper, protocol, protocolMapper, config };
  };
  const ID_TOKEN = { 'id.token.claim': 'true' };
  const ROLES = { ...ID_TOKEN, 'claim.name': 'realm_access.roles', multivalued: 'true' };
  const GROUP_PATHS = { ...ID_TOKEN, 'claim.name': 'groups', 'full.path': 'true' };
  /** OpenID: steps 3 and 4. */
  const OPENID = [
    mapper('openid-connect', 'oidc-usermodel-realm-role-mapper', ROLES),
    mapper('openid-connect', 'oidc-group-membership-mapper', GROUP_PATHS),
  ];
  const GROUP_LIST = { 'attribute.name': 'groups', single: 'false', 'full.path': 'true' };
  const VERIFIED = { 'user.attribute': 'emailVerified', 'attribute.name': 'emailVerified' };
  /** SAML: steps 2 and 4, and the second pitfall. */
  const X500 = ['X500 email', 'X500 givenName', 'X500 surname'];
  const SAML = [
    mapper('saml', 'saml-group-membership-mapper', GROUP_LIST),
    mapper('saml', 'saml-user-property-mapper', VERIFIED),
  ];

  beforeAll(async () => {
    await admin('POST', `${REALM}/partialImport`, { roles: { realm: roles }, groups, users });
    // "User profile": people need no address.
    type Profile = { attributes: { name: string; required?: object }[] };
    const profile = await admin<Profile>('GET', `${REALM}/users/profile`);
    for (const attribute of profile.attributes) if (attribute.name === 'email') delete attribute.required;
    await admin('PUT', `${REALM}/users/profile`, profile);
    // "Add mapper", "From predefined mappers".
    type Info = { builtinProtocolMappers: { saml: { name: string }[] } };
    const { builtinProtocolMappers } = await admin<Info>('GET', '/serverinfo');
    const predefined = builtinProtocolMappers.saml.filter(({ name }) => X500.includes(name));
    const add = ({ id }: Client, mappers: object[]) =>
      admin('POST', `${REALM}/clients/${id}/protocol-mappers/add-models`, mappers);
    await add(clients.saml, [...predefined, ...SAML]);
    await add(clients.openid, OPENID);
    // "Client authentication".
    Object.assign(clients.openid, { publicClient: false, secret: SECRET });
    await admin('PUT', `${REALM}/clients/${clients.openid.id}`, clients.openid);
    Object.assign(asked.openid, { clientSecret: SECRET });
  });

  describe.each<Protocol>(['openid', 'saml'])('by %s', (protocol) => {
    test.each(PEOPLE)('the person %s is answered: %s', async (who, answer, _, bySaml = answer) => {
      expect((await signIn(protocol, who)).answer).toBe(protocol === 'saml' ? bySaml : answer);
    });

    test('a second person signs in after the first has signed out at Keycloak, and only then', async () => {
      const browser = new Person();
      const somebodyElse = { somebodyElse: 'yes' };
      await signIn(protocol, 'staff1', {}, browser);
      expect((await signIn(protocol, 'plain1', {}, browser)).text).toContain('staff1@example.org');
      const { open = '' } = await start(protocol, somebodyElse);
      expect(inkOf((await browser.open(open)).text)).toContain('Please re-authenticate to continue');
      const page = await browser.open(`${ISSUER}/protocol/openid-connect/logout`);
      await browser.submit(page, { confirmLogout: 'Logout' });
      expect((await signIn(protocol, 'plain1', somebodyElse, browser)).text).toContain('plain1@example.org');
    });
  });

  const ELSEWHERE = { redirectUris: ['http://localhost:1/'] };
  const POST_ELSEWHERE = { attributes: { saml_assertion_consumer_url_post: 'http://localhost:1/' } };
  const PUSHED = { attributes: { 'require.pushed.authorization.requests': 'true' } };
  const MADE_BY_HAND = { attributes: { 'saml.signing.certificate': '' } };
  const SIGNATURE_OFF = /"Client signature required" off/;
  const ACS = /^Register exactly this ACS URL .*\/callback\/saml$/;

  test.each<[string, Protocol, Change, Asked, theirs: RegExp, ours?: RegExp]>([
    ['a client that it does not know', 'openid', {}, { clientId: 'unknown' }, /client not found/i],
    ['a client that is off', 'openid', { enabled: false }, {}, /client disabled/i],
    ['another redirect address', 'openid', ELSEWHERE, {}, /redirect_uri/],
    ['a scope that it does not have', 'openid', {}, { scopes: 'openid unknown' }, /invalid_scope/],
    ['no standard flow', 'openid', { standardFlowEnabled: false }, {}, /standard flow is disabled/i],
    ['a client that has to push its requests', 'openid', PUSHED, {}, /pushed authorization request/i],
    ['a service', 'saml', { clientId: 'other' }, {}, /Invalid Request/, /^Register this machine/],
    ['a service that is off', 'saml', { enabled: false }, {}, /not enabled/, /^Turn the client .* on/],
    ['another ACS', 'saml', { ...ELSEWHERE, ...POST_ELSEWHERE }, {}, /Invalid redirect uri/, ACS],
    ['a service made by hand', 'saml', MADE_BY_HAND, {}, /Invalid requester/, SIGNATURE_OFF],
  ])(
    'Keycloak refuses %s before the browser leaves',
    async (_, protocol, change, more, theirs, ours = /./) => {
      const { html = '' } = await whileChanged(clients[protocol], change, () => start(protocol, more));
      expect(refusalIn(html)).toEqual({
        theirs: expect.stringMatching(theirs),
        ours: expect.stringMatching(ours),
      });
    },
  );

  test('Keycloak refuses another secret afterwards', async () => {
    expect((await signIn('openid', 'staff1', { clientSecret: 'another' })).refused).toEqual({
      theirs: expect.stringMatching(/^unauthorized_client: Invalid client or Invalid client credentials/),
      ours: expect.stringMatching(/^Check the client id and the secret/),
    });
  });

  const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
  const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';
  /** "Keys", "Encryption keys config": the tests of decryption have the others. */
  const OAEP = {
    'saml.encryption.keyAlgorithm': `${XMLENC11}rsa-oaep`,
    'saml.encryption.digestMethod': `${XMLENC}sha512`,
    'saml.encryption.maskGenerationFunction': `${XMLENC11}mgf1sha384`,
  };

  test.each<[what: string, attributes: Record<string, string>]>([
    ['encrypted with AES-128 in CBC mode', { 'saml.encryption.algorithm': `${XMLENC}aes128-cbc` }],
    ['encrypted with RSA-OAEP and other hashes', OAEP],
    ['encrypted with RSA of PKCS #1', { 'saml.encryption.keyAlgorithm': `${XMLENC}rsa-1_5` }],
    ['signed with RSA-PSS', { 'saml.signature.algorithm': 'RSA_SHA512_MGF1' }],
    ['signed with SHA-1', { 'saml.signature.algorithm': 'RSA_SHA1' }],
    ['with a signed document alone', { 'saml.assertion.signature': 'false' }],
    ['with a signed assertion alone', { 'saml.server.signature': 'false' }],
    [
      'without a signature of the request',
      { 'saml.client.signature': 'false', 'saml.signing.certificate': '' },
    ],
  ])('a login by SAML is accepted: %s', async (_, attributes) => {
    const login = await whileChanged(clients.saml, { attributes }, () => signIn('saml', 'staff1'));
    expect(login).toMatchObject({ answer: 'authorized, 1', errors: [] });
    expect(login.notes).toContain('assertion_opened');
  });

  test('after Keycloak has another key, people sign in as before', async () => {
    const keys = { providerId: 'rsa-generated', providerType: 'org.keycloak.keys.KeyProvider' };
    const preferred = { name: 'new', config: { priority: ['1000'] } };
    await admin('POST', `${REALM}/components`, { ...keys, ...preferred });
    expect(await signIn('openid', 'staff1')).toMatchObject({ answer: 'authorized, 1', errors: [] });
    expect(await signIn('saml', 'staff1')).toMatchObject({ answer: 'authorized, 1', errors: [] });
  });
});
