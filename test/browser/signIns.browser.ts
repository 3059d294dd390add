/** Signing in at one's own provider, out of the page: what comes of it, and what of the person is seen where. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type OpenIdPages, openIdPages } from '../support/openIdPages.ts';
import { OF_ANOTHER_ADDRESS, SECRET } from '../support/openIdSignIn.ts';
import { certificateIn, encryptionFor } from '../support/samlEncryption.ts';
import { PERSON, type SamlIdp, samlIdp, type Wishes } from '../support/samlIdp.ts';
import {
  beginOpenId,
  beginSaml,
  CANARY,
  type Client,
  claims,
  codes,
  decline,
  logInAs,
  placesOf,
  result,
  tabPlacesOf,
  words,
} from './signIn.ts';
import { useStudio } from './useStudio.ts';

const NAMED = 'secrets-of-the-test.json';
const SECRETS = { 'client/basic': SECRET, 'client/post': { client_secret: SECRET } };
const OF_PERSON = new RegExp(`${CANARY}|Lovelace of`, 'i');
const CLAIMS = Object.fromEntries(
  Object.entries(PERSON).map(([name, value]) => [name, value.replace(/ada@|Lovelace/, `${CANARY}$&`)]),
);

const open = useStudio({ '.env.dev': `SECRETS_FILE=${NAMED}\n`, [NAMED]: JSON.stringify(SECRETS) });
let full: OpenIdPages;
let thin: OpenIdPages;
let idp: SamlIdp;
let wishes: Wishes = {};
/** Those with which the provider led back. */
const codesSeen: string[] = [];
beforeAll(async () => {
  open.context.on('request', (request) => {
    const code = new URL(request.url()).searchParams.get('code');
    if (code !== null) codesSeen.push(code);
  });
  const redirectUri = `${open.studio.origin}/callback/openid`;
  [full, thin, idp] = await Promise.all([
    openIdPages({ redirectUri }),
    openIdPages({ redirectUri, isThin: true }),
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
    await open.page.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await logInAs(open.page, `${CANARY}2`);
    expect(await result(open.page)).toContain(`Ada Lovelace of ${CANARY}2`);
  });

  test.each<[string, Omit<Client, 'issuer'>]>([
    ['typed', { clientId: 'client_secret_basic', secret: SECRET }],
    ['typed, and sent in the body', { clientId: 'client_secret_post', secret: SECRET }],
    ['named', { clientId: 'client_secret_basic', secretName: 'client/basic' }],
    ['named as a field', { clientId: 'client_secret_post', secretName: 'client/post' }],
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

  test('of a client with another redirect address does not start', async () => {
    await beginOpenId(open.page, open.studio, { issuer: full.issuer, clientId: OF_ANOTHER_ADDRESS });
    expect(await words(open.page)).toEqual({
      theirs: expect.stringMatching(/invalid_redirect_uri .*client's registered/),
      ours: expect.stringMatching(/register exactly this redirect address.*\/callback\/openid$/),
    });
    expect(open.page.url()).toContain(`${open.studio.origin}/#/sign-in?`);
  });

  test.each<[string, Omit<Client, 'issuer'>, (page: Page) => Promise<void>, RegExp, RegExp]>([
    [
      'consent',
      {},
      decline,
      /^access_denied: the person declined$/,
      /^The person or a rule of the provider refused/,
    ],
    [
      'its secret',
      { clientId: 'client_secret_basic' },
      (tab) => logInAs(tab, CANARY),
      /^invalid_client/,
      /If the client has a secret, give it/,
    ],
  ])('without %s is refused, in its words and in ours', async (_, client, act, theirs, ours) => {
    const before = await names();
    await beginOpenId(open.page, open.studio, { issuer: full.issuer, ...client });
    await act(open.page);
    expect(await result(open.page)).toBe('The sign-in was refused: OpenID Connect');
    expect(await words(open.page)).toEqual({
      theirs: expect.stringMatching(theirs),
      ours: expect.stringMatching(ours),
    });
    expect(await names()).toEqual(before);
    expect(await tabPlacesOf(new RegExp(`${CANARY}|code=|state=`), open.page)).toEqual([]);
    await open.page.getByRole('link', { name: 'Change the form and try again' }).click();
    expect(await open.page.getByLabel('Issuer').inputValue()).toBe(full.issuer);
  });
});

describe('by SAML', () => {
  test.each<[string, () => string, () => Promise<Wishes>, string[]]>([
    ['the address of the metadata', () => `${idp.address}/metadata`, async () => ({}), []],
    ['metadata that is pasted', () => idp.metadata(), async () => ({}), []],
    [
      'groups that the known service joins',
      () => idp.metadata(),
      async () => ({ claims: { ...CLAIMS, groups: ['staff', 'students'] } }),
      ['values_joined'],
    ],
    [
      'an assertion that is encrypted for our certificate',
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

  test.each<[string, Wishes, string | null, RegExp, string]>([
    [
      'is for another audience',
      { audience: 'https://other.example.net' },
      null,
      /https:\/\/other\.example\.net.* as our entity ID at the provider/,
      'assertion_audience_refused',
    ],
    [
      'is a refusal of the provider',
      {
        error: {
          code: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
          description: `${CANARY}@example.org is not assigned to this service`,
        },
      },
      'Responder: … is not assigned to this service',
      /^Assign the person to this application/,
      'status_not_success',
    ],
    [
      'was changed on its way',
      { change: (xml) => xml.replace('>Ada<', '>Eve<') },
      null,
      /does not match/,
      'saml_signature_wrong',
    ],
  ])('is refused where the response %s', async (_, wished, theirs, ours, code) => {
    const before = await names();
    wishes = wished;
    expect(await signInBySaml()).toBe('The sign-in was refused: SAML');
    expect(await words(open.page)).toEqual({ theirs, ours: expect.stringMatching(ours) });
    expect(await codes(open.page)).toContain(code);
    expect(await names()).toEqual(before);
    expect(await tabPlacesOf(OF_PERSON, open.page)).toEqual([]);
  });

  test('does not start with metadata that has no provider', async () => {
    await beginSaml(
      open.page,
      open.studio,
      '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>',
    );
    const told = open.page.locator('#started').filter({ hasText: /\S.{20}/ });
    await told.waitFor();
  });
});

describe('beside and after each other', () => {
  const begin = async (tab: Page) => {
    await beginOpenId(tab, open.studio, { issuer: full.issuer });
    await tab.waitForURL('**/interaction/*');
  };

  test('one that is left leads back to its form, without the secret; another begins in its tab', async () => {
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

  test('one that comes back twice: the second time is refused, and the first result is still there', async () => {
    const { page } = open;
    await begin(page);
    const callbacks: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/callback/')) callbacks.push(request.url());
    });
    await logInAs(page, CANARY);
    expect(await result(page)).toMatch(/^Authorized/);
    const [shown, before] = [page.url(), await names()];
    expect(callbacks).toHaveLength(1);
    await page.goto(callbacks[0] ?? '');
    expect(await result(page)).toMatch(/^The sign-in was refused/);
    expect((await words(page)).ours).toMatch(/it came twice/);
    await page.goto(shown);
    expect(await result(page)).toMatch(/^Authorized/);
    expect(await names()).toEqual(before);
  });

  test('three at once in three tabs: each tab shows its own', async () => {
    const people = ['first', 'second', 'third'];
    const tabs = await Promise.all(people.map(() => open.tab()));
    await Promise.all(tabs.map(begin));
    for (const [index, tab] of tabs.entries()) {
      await open.context.clearCookies({ name: /^_session/ });
      await logInAs(tab, people[index] ?? '');
      expect(await result(tab)).toContain(` of ${people[index]},`);
    }
    expect(new Set(tabs.map((tab) => tab.url())).size).toBe(people.length);
    await Promise.all(tabs.map((tab) => tab.close()));
  });
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
