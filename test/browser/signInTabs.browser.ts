/** Sign-ins beside and after each other: one that is left, one that comes back twice, three in three tabs. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type OpenIdPages, openIdPages } from '../support/openIdPages.ts';
import { type SamlIdp, samlIdp } from '../support/samlIdp.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';
import { beginOpenId, beginSaml, logInAs, result, words } from './signIn.ts';

let open: OpenStudio;
let page: Page;
let openid: OpenIdPages;
let idp: SamlIdp;
beforeAll(async () => {
  open = await openStudio();
  ({ page } = open);
  openid = await openIdPages({ redirectUri: `${open.studio.origin}/callback/openid` });
  idp = await samlIdp(`${open.studio.origin}/callback/saml`, () => ({}));
  await open.studio.ready();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await open?.close();
  await openid?.close();
  idp?.close();
});
beforeEach(() => open.context.clearCookies());

const begin = async (tab: Page) => {
  await beginOpenId(tab, open.studio, { issuer: openid.issuer });
  await tab.waitForURL('**/interaction/*');
};
const signedIn = async () => (await open.studio.logins()).filter(({ id }) => id.startsWith('signed-in.'));
const sentence = (tab: Page) => tab.locator('main h1').innerText();

test('one that is left keeps nothing back: another begins in its tab', async () => {
  await begin(page);
  await page.goBack();
  expect(await page.getByLabel('Issuer').inputValue()).toBe(openid.issuer);
  await begin(page);
  await logInAs(page, 'ada');
  expect(await result(page)).toMatch(/^Authorized/);
  await beginSaml(page, open.studio, `${idp.address}/metadata`);
  expect(await result(page)).toMatch(/^Authorized/);
  expect(await signedIn()).toHaveLength(2);
});

test('one that comes back twice: the second time is refused, and the first result is still there', async () => {
  await begin(page);
  const callbacks: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/callback/')) callbacks.push(request.url());
  });
  await logInAs(page, 'ada');
  expect(await result(page)).toMatch(/^Authorized/);
  const [shown, before] = [page.url(), (await signedIn()).length];
  expect(callbacks).toHaveLength(1);
  await page.goto(callbacks[0] ?? '');
  expect(await result(page)).toMatch(/^The sign-in was refused/);
  expect((await words(page)).ours).toMatch(/it came twice/);
  await page.goto(shown);
  expect(await result(page)).toMatch(/^Authorized/);
  expect(await signedIn()).toHaveLength(before);
});

test('three at once in three tabs: each tab shows its own', async () => {
  const people = ['first', 'second', 'third'];
  const tabs = await Promise.all(people.map(() => open.tab()));
  await Promise.all(tabs.map(begin));
  for (const [index, tab] of tabs.entries()) {
    await open.context.clearCookies({ name: /^_session/ });
    await logInAs(tab, people[index] ?? '');
    await result(tab);
  }
  const sentences = await Promise.all(tabs.map(sentence));
  expect(sentences.map((text) => text.split(' of ').at(-1)?.split(',')[0])).toEqual(people);
  expect(new Set(tabs.map((tab) => tab.url())).size).toBe(people.length);
  await Promise.all(tabs.map((tab) => tab.close()));
});

test('the way back leads to the form, with what was typed but the secret', async () => {
  await beginOpenId(page, open.studio, {
    issuer: openid.issuer,
    clientId: 'client_secret_basic',
    secret: 'typed',
  });
  await page.waitForURL('**/interaction/*');
  await page.goBack();
  await page.reload();
  await page.locator('form[data-action="sign-in/openid"]').waitFor();
  expect(await page.getByLabel('Client id').inputValue()).toBe('client_secret_basic');
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
});

test('nothing went wrong unseen', () => {
  expect(open.complaints).toEqual([]);
  expect(open.studio.command.stderr()).toBe('');
});
