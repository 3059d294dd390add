/** Tokens of a real provider, as people find them in the developer tools of their browser. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logInByCode, type Tokens } from '../support/openIdLogin.ts';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { signingKey } from '../support/signingKeys.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';

let open: OpenStudio;
let page: Page;
let provider: OpenIdProvider;
let tokens: Tokens;
beforeAll(async () => {
  provider = await openIdProvider([await signingKey('RS256')], { conformIdTokenClaims: false });
  tokens = await logInByCode(provider);
  open = await openStudio();
  ({ page } = open);
  await open.studio.ready();
  await page.locator('article.login h1').waitFor();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await open?.close();
  await provider?.close();
});

test.each<[string, (received: Tokens) => string]>([
  ['an ID token', ({ id_token }) => id_token],
  ['a token response', (received) => JSON.stringify(received)],
  [
    'the address of a callback',
    ({ id_token }) => `https://app.example.net/callback#id_token=${id_token}&state=x`,
  ],
])('%s becomes a login, of which no token is shown whole', async (_, made) => {
  await page.goto(`${open.studio.origin}/#/logins`);
  await page.getByRole('link', { name: 'Paste', exact: true }).click();
  await page.getByLabel('Capture', { exact: true }).fill(made(tokens));
  await page.getByRole('button', { name: 'Read it' }).click();
  const found = page.getByRole('region', { name: 'Captured logins' });
  await found.getByRole('link', { name: 'See the response' }).first().click();
  await page.locator('article.login[aria-busy="false"] [role="tree"]').first().waitFor();
  expect(await page.locator('article.login h1').innerText()).toMatch(/^Authorized as Ada Lovelace/);
  const shown = await page.content();
  for (const secret of [tokens.id_token, tokens.access_token, tokens.refresh_token ?? tokens.id_token]) {
    expect(shown.includes(secret)).toBe(false);
  }
});

test('nothing went wrong unseen, and nothing of it was printed', () => {
  expect(open.complaints).toEqual([]);
  expect(open.studio.command.stdout() + open.studio.command.stderr()).not.toMatch(/Lovelace|eyJ/);
});
