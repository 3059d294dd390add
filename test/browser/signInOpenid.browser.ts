/** Signing in at one's own OpenID provider, out of the page. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type OpenIdPages, openIdPages } from '../support/openIdPages.ts';
import { OF_ANOTHER_ADDRESS, SECRET } from '../support/openIdSignIn.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';
import {
  beginOpenId,
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

const NAMED = 'secrets-of-the-test.json';
const PERSON = new RegExp(`${CANARY}|Lovelace of`, 'i');

let open: OpenStudio;
let page: Page;
let full: OpenIdPages;
let thin: OpenIdPages;
/** Those with which the provider led back. */
const codesSeen: string[] = [];
beforeAll(async () => {
  const secrets = { 'client/basic': SECRET, 'client/post': { client_secret: SECRET } };
  open = await openStudio({ '.env.dev': `SECRETS_FILE=${NAMED}\n`, [NAMED]: JSON.stringify(secrets) });
  ({ page } = open);
  open.context.on('request', (request) => {
    const code = new URL(request.url()).searchParams.get('code');
    if (code !== null) codesSeen.push(code);
  });
  const redirectUri = `${open.studio.origin}/callback/openid`;
  [full, thin] = await Promise.all([
    openIdPages({ redirectUri }),
    openIdPages({ redirectUri, isThin: true }),
  ]);
  await open.studio.ready();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await open?.close();
  await Promise.all([full?.close(), thin?.close()]);
});
beforeEach(async () => {
  // Nobody is signed in at the provider.
  await open.context.clearCookies();
});

async function signIn(client: Client, person = CANARY): Promise<string> {
  await beginOpenId(page, open.studio, client);
  await logInAs(page, person);
  return result(page);
}

const names = async () => (await open.studio.logins()).map(({ id }) => id);

describe('a sign-in', () => {
  test('leads to its login, with its claims', async () => {
    expect(await signIn({ issuer: full.issuer })).toContain(`Authorized as Ada Lovelace of ${CANARY}`);
    const { sub, nonce } = await claims(page);
    expect([sub, nonce]).toEqual([
      expect.stringMatching(/\S \/ the same$/),
      expect.stringMatching(/\S \/ absent$/),
    ]);
    expect(await page.getByRole('region', { name: 'This session' }).getByRole('listitem').count()).toBe(1);
  });

  test('by somebody else begins where the last one ended', async () => {
    await signIn({ issuer: full.issuer });
    await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await logInAs(page, `${CANARY}2`);
    expect(await result(page)).toContain(`Ada Lovelace of ${CANARY}2`);
  });

  test.each<[string, Omit<Client, 'issuer'>]>([
    ['typed', { clientId: 'client_secret_basic', secret: SECRET }],
    ['typed, and sent in the body', { clientId: 'client_secret_post', secret: SECRET }],
    ['named', { clientId: 'client_secret_basic', secretName: 'client/basic' }],
    ['named as a field', { clientId: 'client_secret_post', secretName: 'client/post' }],
  ])('with a secret that is %s', async (_, client) => {
    expect(await signIn({ issuer: full.issuer, ...client })).toMatch(/^Authorized/);
    expect(await tabPlacesOf(/client\+\/=%/, page)).toEqual([]);
  });

  test('at a provider that keeps profile claims for UserInfo: what the event lacks', async () => {
    expect(await signIn({ issuer: thin.issuer })).toMatch(/^Error: no source has email or first_name/);
    const { sub, email } = await claims(page);
    expect([sub, email]).toEqual([
      expect.stringMatching(/ the same$/),
      expect.stringMatching(/^absent \/ \S+@/),
    ]);
    expect(await codes(page)).toContain('claims_in_userinfo_only');
  });
});

describe('a sign-in that the provider refuses', () => {
  test.each<[string, Omit<Client, 'issuer'>, RegExp, RegExp]>([
    [
      'for its redirect address',
      { clientId: OF_ANOTHER_ADDRESS },
      /invalid_redirect_uri .*client's registered/,
      /register exactly this redirect address.*\/callback\/openid$/,
    ],
  ])('%s does not start', async (_, client, theirs, ours) => {
    await beginOpenId(page, open.studio, { issuer: full.issuer, ...client });
    expect(await words(page)).toEqual({
      theirs: expect.stringMatching(theirs),
      ours: expect.stringMatching(ours),
    });
    expect(page.url()).toContain(`${open.studio.origin}/#/sign-in?`);
  });

  test.each<[string, Omit<Client, 'issuer'>, (page: Page) => Promise<void>, RegExp, RegExp]>([
    [
      'its consent',
      {},
      decline,
      /^access_denied: the person declined$/,
      /^The person or a rule of the provider refused/,
    ],
    [
      'a secret that is left out',
      { clientId: 'client_secret_basic' },
      (tab) => logInAs(tab, CANARY),
      /^invalid_client/,
      /If the client has a secret, give it/,
    ],
  ])('%s: in its words and in ours', async (_, client, act, theirs, ours) => {
    const before = await names();
    await beginOpenId(page, open.studio, { issuer: full.issuer, ...client });
    await act(page);
    expect(await result(page)).toBe('The sign-in was refused: OpenID Connect');
    expect(await words(page)).toEqual({
      theirs: expect.stringMatching(theirs),
      ours: expect.stringMatching(ours),
    });
    expect(await names()).toEqual(before);
    expect(await tabPlacesOf(new RegExp(`${CANARY}|code=|state=`), page)).toEqual([]);
    await page.getByRole('link', { name: 'Change the form and try again' }).click();
    expect(await page.getByLabel('Issuer').inputValue()).toBe(full.issuer);
  });
});

test('no file and no line of the terminal has the person, a secret or a token', async () => {
  expect(await placesOf(PERSON, open)).toEqual([]);
  expect(await placesOf(/client\+\/=%/, open, [NAMED])).toEqual([]);
  const secret = [...full.issued, ...thin.issued, ...codesSeen];
  expect(secret.length).toBeGreaterThan(codesSeen.length);
  expect(codesSeen.length).toBeGreaterThan(0);
  expect(await placesOf(new RegExp(secret.join('|')), open)).toEqual([]);
  expect(open.studio.command.stderr()).toBe('');
});

test('nothing went wrong unseen', () => {
  // The browser itself writes a line for each response with a status of 400 or more.
  expect(open.complaints.filter((text) => !text.includes('422'))).toEqual([]);
});
