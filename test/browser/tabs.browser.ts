/** The token in the browser, and tabs beside each other. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { choose, placesIn, START_TIMEOUT_MS, shows, useStudio } from './useStudio.ts';

const ENTRA = 'openidLoggedIn.entra';
const OKTA = 'openidLoggedIn.okta';
const TABS = 8;
const NO_TOKEN = 'Open the studio by its whole address';

const open = useStudio();
beforeAll(() => open.page.locator('article').waitFor());

test('the token is in the storage of this origin alone after the page has loaded', async () => {
  const { page, context, studio } = open;
  // The browser itself remembers the address with which the page was opened, for the page.
  expect(await placesIn(page, new RegExp(studio.token))).toEqual(['requests', 'local']);
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate('indexedDB.databases()')).toEqual([]);
  await page.goBack();
  expect(page.url()).not.toContain(studio.token);
  await page.goForward();
});

test('no request has it but in Authorization, and none leaves for elsewhere', async () => {
  const { studio } = open;
  const page = await open.context.newPage();
  const asked: { url: string; headers: Record<string, string> }[] = [];
  page.on('request', (request) => void asked.push({ url: request.url(), headers: request.headers() }));
  await page.goto(studio.address);
  await page.locator('article').waitFor();
  expect(asked.map(({ url }) => new URL(url).origin)).toEqual(asked.map(() => studio.origin));
  for (const { url, headers } of asked) {
    const { authorization, ...others } = headers;
    expect(JSON.stringify(others)).not.toContain(studio.token);
    expect(new URL(url).pathname + new URL(url).search).not.toContain(studio.token);
    if (url.includes('/api/')) expect(authorization).toBe(`Bearer ${studio.token}`);
  }
  expect(asked.filter(({ url }) => url.includes('/api/page'))).not.toEqual([]);
  await page.close();
});

test('a reload and a second tab of this browser have it, whatever token their address has', async () => {
  await open.page.reload();
  await open.page.locator('article').waitFor();
  for (const end of ['', '#token=guessed']) {
    const second = await open.tab(`${open.studio.origin}/${end}`);
    await second.locator('article').waitFor();
    expect(await second.evaluate('Object.values(localStorage)')).toEqual([open.studio.token]);
    await second.close();
  }
});

test('another browser shows nothing, and keeps no token that is wrong', async () => {
  const other = await open.browser.newContext();
  for (const end of ['', '#token=guessed']) {
    const bare = await other.newPage();
    await bare.goto(`${open.studio.origin}/${end}`);
    await bare.getByRole('heading', { name: NO_TOKEN }).waitFor();
    expect(await bare.locator('body').innerText()).not.toMatch(/LoggedIn|Lovelace/);
    expect(await bare.evaluate('localStorage.length')).toBe(0);
  }
  await other.close();
});

test('two tabs show the same at once, and each what was chosen in it', async () => {
  const tabs = [open.page, await open.tab()] as const;
  await choose(tabs[0], ENTRA);
  await choose(tabs[1], OKTA);
  await open.studio.login('/openid', openIdEvent());
  for (const [index, tab] of tabs.entries()) {
    await tab.bringToFront();
    await tab
      .getByRole('region', { name: 'This session' })
      .getByRole('link', { name: /not seen yet/ })
      .waitFor();
    await shows(tab, index === 0 ? ENTRA : OKTA);
  }
  await tabs[1].getByRole('link', { name: 'Follow the newest' }).click();
  await shows(tabs[1], 'received.1');
  await open.studio.login('/openid', openIdEvent());
  await shows(tabs[1], 'received.2');
  await shows(tabs[0], ENTRA);
  await tabs[1].close();
});

test(
  'tabs in the background do not keep others waiting: a browser has six connections to a server',
  async () => {
    const tabs: Page[] = [];
    for (let count = 0; count < TABS; count++) {
      const tab = await open.tab();
      await tab.locator('article').waitFor();
      tabs.push(tab);
      await tab.evaluate(HIDE);
    }
    const last = await open.tab();
    await choose(last, ENTRA);
    await Promise.all([last, ...tabs].map((tab) => tab.close()));
  },
  START_TIMEOUT_MS,
);

/** In the page: what a browser does to a tab in the background. One without a window has none. */
const HIDE = `Object.defineProperty(document, 'hidden', { value: true });
  document.dispatchEvent(new Event('visibilitychange'))`;
