/** The studio, open in a browser. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Studio, startStudio } from '../support/studio.ts';
import { launchBrowser } from './chromium/chromium.ts';

/** Leads to this machine, as the name of a site does after DNS rebinding. */
export const REBOUND = 'rebound.example';

export interface OpenStudio {
  studio: Studio;
  browser: Browser;
  context: BrowserContext;
  page: Page;
  /** What goes wrong in a page without a sign to those who look at it: errors, dialogs, violations of the policy. */
  complaints: string[];
  /** Another tab of the same profile. */
  tab(address?: string): Promise<Page>;
  close(): Promise<void>;
}

/** @param files what is added to the copy of the project, by path */
export async function openStudio(files: Record<string, string> = {}): Promise<OpenStudio> {
  const browser = await launchBrowser([`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`]);
  const context = await browser.newContext();
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const closing = [() => browser.close()];
  const close = async () => {
    for (const one of closing) await one();
  };
  try {
    const studio = await startStudio(files);
    closing.push(studio.close);
    const tab = async (address = studio.address) => {
      const page = await context.newPage();
      await page.goto(address);
      return page;
    };
    return { studio, browser, context, complaints, tab, close, page: await tab() };
  } catch (error) {
    await close();
    throw error;
  }
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
