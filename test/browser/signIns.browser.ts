/** Signing in at one's own provider, out of the page: what comes of it, and what of the person is seen where. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { clientsAt, SECRET } from '../support/openIdSignIn.ts';
import { certificateIn, encryptionFor } from '../support/samlEncryption.ts';
import { PERSON, type SamlIdp, samlIdp, type Wishes } from '../support/samlIdp.ts';
import { signingKey } from '../support/signingKeys.ts';
import {
  beginOpenId,
  beginSaml,
  CANARY,
  type Client,
  claims,
  codes,
  logInAs,
  placesOf,
  result,
  tabPlacesOf,
  words,
} from './signIn.ts';
import { useStudio } from './useStudio.ts';

const NAMED = 'secrets-of-the-test.json';
const SECRETS = { 'client/post': { client_secret: SECRET } };
const OF_PERSON = new RegExp(`${CANARY}|Lovelace of`, 'i');
const CLAIMS = Object.fromEntries(
  Object.entries(PERSON).map(([name, value]) => [name, value.replace(/ada@|Lovelace/, `${CANARY}$&`)]),
);

const open = useStudio({ '.env.dev': `SECRETS_FILE=${NAMED}\n`, [NAMED]: JSON.stringify(SECRETS) });
let full: OpenIdProvider;
let thin: OpenIdProvider;
let idp: SamlIdp;
let wishes: Wishes = {};
/** Those with which the provider led back. */
const codesSeen: string[] = [];
beforeAll(async () => {
  open.context.on('request', (request) => {
    const code = new URL(request.url()).searchParams.get('code');
    if (code !== null) codesSeen.push(code);
  });
  const clients = clientsAt(`${open.studio.origin}/callback/openid`);
  const keys = [await signingKey('RS256')];
  [full, thin, idp] = await Promise.all([
    openIdProvider(keys, { clients, conformIdTokenClaims: false }, { hasPages: true }),
    openIdProvider(keys, { clients }, { hasPages: true }),
    samlIdp(`${open.studio.origin}/callback/saml`, () => ({ claims: CLAIMS, ...wishes })),
  ]);
});
afterAll(async () => {
  await Promise.all([full?.close(), thin?.close()]);
  idp?.close();
});
beforeEach(async () => {
  wishes = {};
  // Nobody is signed in at the provider.
  await open.context.clearCookies();
});

async function signIn(client: Client, person = CANARY): Promise<string> {
  await beginOpenId(open.page, open.studio, client);
  await logInAs(open.page, person);
  return result(open.page);
}

async function signInBySaml(metadata = `${idp.address}/metadata`): Promise<string> {
  await beginSaml(open.page, open.studio, metadata);
  return result(open.page);
}

const names = async () => (await open.studio.logins()).map(({ id }) => id);

describe('by OpenID', () => {
  test('leads to its login, with its claims', async () => {
    expect(await signIn({ issuer: full.issuer })).toContain(`Authorized as Ada Lovelace of ${CANARY}`);
    expect(await claims(open.page)).toMatchObject({
      sub: expect.stringMatching(/\S \/ the same$/),
      nonce: expect.stringMatching(/\S \/ absent$/),
    });
    expect(await names()).toEqual(expect.arrayContaining([expect.stringMatching(/^signed-in\./)]));
  });

  test('by somebody else begins where the last one ended', async () => {
    await signIn({ issuer: full.issuer });
    await open.page.getByRole('link', { name: 'Sign in again' }).click();
    expect(await open.page.getByLabel('Issuer').inputValue()).toBe(full.issuer);
    const asked = open.page.waitForRequest(/[?&]prompt=login/);
    await open.page.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await asked;
    await logInAs(open.page, `${CANARY}2`);
    expect(await result(open.page)).toContain(`Ada Lovelace of ${CANARY}2`);
  });

  test.each<[string, Omit<Client, 'issuer'>]>([
    ['typed', { clientId: 'client_secret_basic', secret: SECRET }],
    ['named', { clientId: 'client_secret_post', secretName: 'client/post' }],
  ])('with a secret that is %s', async (_, client) => {
    expect(await signIn({ issuer: full.issuer, ...client })).toMatch(/^Authorized/);
    expect(await tabPlacesOf(/client\+\/=%/, open.page)).toEqual([]);
  });

  test('at a provider that keeps profile claims for UserInfo: what the event lacks', async () => {
    expect(await signIn({ issuer: thin.issuer })).toMatch(/^Error: no source has email or first_name/);
    expect(await claims(open.page)).toMatchObject({
      sub: expect.stringMatching(/ the same$/),
      email: expect.stringMatching(/^absent \/ \S+@/),
    });
    expect(await codes(open.page)).toContain('claims_in_userinfo_only');
  });

  test('without consent is refused, in its words and in ours', async () => {
    const before = await names();
    await beginOpenId(open.page, open.studio, { issuer: full.issuer });
    await open.page.getByRole('button', { name: 'Decline' }).click();
    expect(await result(open.page)).toBe('The sign-in was refused: OpenID Connect');
    expect(await words(open.page)).toEqual({
      theirs: 'access_denied: the person declined',
      ours: expect.stringMatching(/^The person or a rule of the provider refused/),
    });
    expect(await names()).toEqual(before);
    expect(await tabPlacesOf(new RegExp(`${CANARY}|code=|state=`), open.page)).toEqual([]);
    await open.page.getByRole('link', { name: 'Change the form and try again' }).click();
    expect(await open.page.getByLabel('Issuer').inputValue()).toBe(full.issuer);
  });
});

describe('a callback of OpenID', () => {
  const HTML =
    '<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">here</a>';
  const GUESSED = 'A'.repeat(43);

  async function comeBack(query: Record<string, string>) {
    await open.page.goto(`${open.studio.origin}/callback/openid?${new URLSearchParams(query)}`);
    expect(await result(open.page)).toMatch(/^The sign-in was refused/);
    expect(await tabPlacesOf(new RegExp(`${CANARY}|${GUESSED}|code=|state=`), open.page)).toEqual([]);
    return words(open.page);
  }

  test('with a guessed state changes nothing, and in its own the words of the provider are text', async () => {
    const before = await names();
    const { issuer } = full;
    const { open: address = '' } = await open.studio.send('sign-in/openid', { issuer, clientId: 'none' });
    const ours = expect.stringMatching(/^No sign-in is waiting for this callback/);
    expect(await comeBack({ state: GUESSED, code: CANARY })).toEqual({ theirs: null, ours });
    const state = new URL(address).searchParams.get('state') ?? '';
    const refusal = { error: 'access_denied', error_description: HTML };
    const { theirs } = await comeBack({ state, iss: issuer, ...refusal });
    expect(theirs).toContain('<img src=x onerror=');
    expect(await open.page.locator('blockquote :is(img, script, a)').count()).toBe(0);
    expect(await names()).toEqual(before);
  });
});

describe('by SAML', () => {
  test.each<[string, () => string, () => Promise<Wishes>, string[]]>([
    ['the address of the metadata', () => `${idp.address}/metadata`, async () => ({}), []],
    [
      'metadata that is pasted, and an assertion that is encrypted for our certificate',
      () => idp.metadata(),
      async () => {
        const metadata = await (await fetch(`${open.studio.origin}/saml/metadata`)).text();
        return encryptionFor(certificateIn(metadata));
      },
      ['assertion_opened'],
    ],
  ])('with %s shows the login and its answer', async (_, metadata, wished, found) => {
    wishes = await wished();
    expect(await signInBySaml(metadata())).toContain(`Authorized as Ada ${CANARY}Lovelace`);
    expect(await open.page.locator('[data-level="error"]').count()).toBe(0);
    expect(await codes(open.page)).toEqual(expect.arrayContaining(found));
  });

  test('is refused where the provider refuses, in its words without the person', async () => {
    const before = await names();
    const description = `${CANARY}@example.org is not assigned to this service`;
    wishes = { error: { code: 'urn:oasis:names:tc:SAML:2.0:status:Responder', description } };
    expect(await signInBySaml()).toBe('The sign-in was refused: SAML');
    expect(await words(open.page)).toEqual({
      theirs: 'Responder: … is not assigned to this service',
      ours: expect.stringMatching(/^Assign the person to this application/),
    });
    expect(await codes(open.page)).toContain('status_not_success');
    expect(await names()).toEqual(before);
    expect(await tabPlacesOf(OF_PERSON, open.page)).toEqual([]);
  });
});

test('a sign-in that is left leads back to its form, without the secret; another begins in its tab', async () => {
  const { page } = open;
  const client = { issuer: full.issuer, clientId: 'client_secret_basic', secret: 'typed' };
  await beginOpenId(page, open.studio, client);
  await page.waitForURL('**/interaction/*');
  await page.goBack();
  await page.reload();
  await page.locator('form[data-action="sign-in/openid"]').waitFor();
  expect(await page.getByLabel('Issuer').inputValue()).toBe(full.issuer);
  expect(await page.getByLabel('Client id').inputValue()).toBe('client_secret_basic');
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
  expect(await signIn({ issuer: full.issuer })).toMatch(/^Authorized/);
  expect(await signInBySaml()).toMatch(/^Authorized/);
});

test('no file and no line of the terminal has the person, a secret or a token', async () => {
  expect(await placesOf(OF_PERSON, open)).toEqual([]);
  expect(await placesOf(/client\+\/=%/, open, [NAMED])).toEqual([]);
  const secret = [...full.issued, ...thin.issued, ...codesSeen];
  expect(secret.length).toBeGreaterThan(codesSeen.length);
  expect(codesSeen.length).toBeGreaterThan(0);
  expect(await placesOf(new RegExp(secret.join('|')), open)).toEqual([]);
  expect(open.studio.command.stderr()).toBe('');
});
