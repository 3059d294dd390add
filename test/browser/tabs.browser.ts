/** The token in the browser, and tabs beside each other. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { choose, type OpenStudio, openStudio } from './openStudio.ts';

const ENTRA = 'openidLoggedIn.entra';
const TABS = 8;
const OKTA = 'openidLoggedIn.okta';

let open: OpenStudio;
beforeAll(async () => {
  open = await openStudio();
  await open.studio.ready();
  await open.page.locator('article.login h1').waitFor();
}, START_TIMEOUT_MS);
afterAll(() => open?.close());

test('the token is in sessionStorage alone after the page has loaded', async () => {
  const { page, context, studio } = open;
  const kept: Record<string, string> = await page.evaluate(`({
    address: location.href,
    title: document.title,
    session: JSON.stringify(sessionStorage),
    local: JSON.stringify(localStorage),
    cookies: document.cookie,
    history: JSON.stringify(history.state),
    opened: window.name,
    page: document.documentElement.outerHTML,
  })`);
  const where = Object.keys(kept).filter((place) => kept[place]?.includes(studio.token));
  expect(where).toEqual(['session']);
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
  await page.locator('article.login h1').waitFor();
  expect(asked.map(({ url }) => new URL(url).origin)).toEqual(asked.map(() => studio.origin));
  for (const { url, headers } of asked) {
    const { authorization, ...others } = headers;
    expect(JSON.stringify(others)).not.toContain(studio.token);
    expect(new URL(url).pathname + new URL(url).search).not.toContain(studio.token);
    if (url.includes('/api/')) expect(authorization).toBe(`Bearer ${studio.token}`);
  }
  await page.close();
});

test('a reload keeps it, and another tab without it is told what to do', async () => {
  await open.page.reload();
  await open.page.locator('article.login h1').waitFor();
  const other = await open.tab(`${open.studio.origin}/`);
  await other.getByRole('heading', { name: 'Open the studio by its whole address' }).waitFor();
  expect(await other.locator('body').innerText()).not.toMatch(/LoggedIn|Lovelace/);
  await other.close();
});

test('a token that is wrong shows nothing, and is dropped', async () => {
  const other = await open.tab(`${open.studio.origin}/#token=guessed`);
  await other.getByRole('heading', { name: 'Open the studio by its whole address' }).waitFor();
  expect(await other.evaluate('sessionStorage.length')).toBe(0);
  await other.close();
  // The browser itself writes a line for each response with a status of 400 or more.
  expect(open.complaints.splice(0)).toEqual([expect.stringContaining('401')]);
});

test('two tabs show the same at once, and each what was chosen in it', async () => {
  const tabs = [open.page, await open.tab()];
  await choose(tabs[0] ?? open.page, ENTRA);
  await choose(tabs[1] ?? open.page, OKTA);
  await open.studio.login('/openid', openIdEvent());
  for (const tab of tabs) {
    await tab.bringToFront();
    await tab
      .getByRole('region', { name: /Received/ })
      .getByRole('link')
      .first()
      .waitFor();
  }
  const chosen = await Promise.all(tabs.map((tab) => tab.locator('article.login h1').innerText()));
  const sentences = await Promise.all(
    [ENTRA, OKTA].map(async (id) => (await open.studio.detail(id)).sentence),
  );
  expect(chosen).toEqual(sentences);
  await tabs[1]?.close();
});

test('tabs in the background do not keep others waiting: a browser has six connections to a server', async () => {
  const tabs: Page[] = [];
  for (let count = 0; count < TABS; count++) {
    const tab = await open.tab();
    await tab.locator('article.login h1').waitFor();
    tabs.push(tab);
    await tab.evaluate(HIDE);
  }
  const last = await open.tab();
  await choose(last, ENTRA);
  await Promise.all([last, ...tabs].map((tab) => tab.close()));
}, 60_000);

/** In the page: what a browser does to a tab in the background. One without a window has none. */
const HIDE = `Object.defineProperty(document, 'hidden', { value: true });
  document.dispatchEvent(new Event('visibilitychange'))`;

test('nothing went wrong unseen', () => {
  expect(open.complaints).toEqual([]);
  expect(open.studio.command.stderr()).toBe('');
});
