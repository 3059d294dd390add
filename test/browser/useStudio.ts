/** The studio, open in a browser: one for the tests of a file. */
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Studio, type StudioOptions, startStudio } from '../support/studio.ts';
import { launchBrowser } from './chromium/chromium.ts';

export const START_TIMEOUT_MS = 150_000;
/** The browser itself writes a line for each response with a status of 400 or more. */
const OF_STATUS = /status of 4\d\d/;

export interface OpenStudio {
  studio: Studio;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** What goes wrong in a page without a sign to those who look at it: errors, dialogs, violations of the policy. */
  complaints: string[];
  /** Another tab of the same profile. */
  tab(address?: string): Promise<Page>;
}

/**
 * The same for all tests of a file, from the first one on. After each of them, nothing went wrong unseen.
 *
 * @param files what is added to the copy of the project, by path
 */
export function useStudio(files: Record<string, string> = {}, options: StudioOptions = {}): OpenStudio {
  const complaints: string[] = [];
  const open = { complaints } as OpenStudio;
  beforeAll(async () => {
    open.browser = await launchBrowser();
    const context = await open.browser.newContext();
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    context.on('weberror', (error) => complaints.push(String(error.error())));
    context.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    const studio = await startStudio(files, options);
    const tab = async (address = studio.address) => {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    };
    Object.assign(open, { context, studio, tab });
    open.page = await tab();
    await studio.ready();
  }, START_TIMEOUT_MS);
  afterEach(() => {
    expect(complaints.splice(0).filter((text) => !OF_STATUS.test(text))).toEqual([]);
  });
  afterAll(async () => {
    await open.browser?.close();
    await open.studio?.close();
  });
  return open;
}

/** Chooses a login in the list. */
export async function choose(page: Page, id: string): Promise<void> {
  await page.locator(`#list a[data-id="${id}"]`).click();
  await shows(page, id);
}

/** Waits until the login is what the page shows. */
export async function shows(page: Page, id: string): Promise<void> {
  await page.locator(`article[id="login-${id}"]`).waitFor();
  await page.locator(`#list a[data-id="${id}"][aria-current]`).waitFor({ state: 'attached' });
}

/** Where a tab has a text: in its address, in what it shows and stores, or in what it asked for. */
export async function placesIn(page: Page, pattern: RegExp): Promise<string[]> {
  const places: Record<string, string> = await page.evaluate(`({
    address: location.href,
    referrer: document.referrer,
    history: JSON.stringify(history.state),
    requests: JSON.stringify(performance.getEntries().map(({ name }) => name)),
    page: document.documentElement.outerHTML,
    session: JSON.stringify(sessionStorage),
    local: JSON.stringify(localStorage),
    opened: window.name,
  })`);
  return Object.keys(places).filter((place) => pattern.test(places[place] ?? ''));
}
