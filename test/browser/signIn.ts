/** Sign-ins at one's own provider, as a person does them on the page. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Studio } from '../support/studio.ts';
import type { OpenStudio } from './openStudio.ts';

/** The person: it is in no other text of the project. */
export const CANARY = 'quillfeather';

export interface Client {
  issuer: string;
  clientId?: string;
  /** Typed; left out: a public client. */
  secret?: string;
  /** Of the secret in SECRETS_FILE. */
  secretName?: string;
}

/** Fills in the form, and presses its button. */
export async function beginOpenId(page: Page, studio: Studio, client: Client): Promise<void> {
  const { issuer, clientId = 'none', secret = '', secretName = '' } = client;
  await openForm(page, studio, 'openid');
  await page.getByLabel('Issuer').fill(issuer);
  await page.getByLabel('Client id').fill(clientId);
  await page.getByLabel('Client secret').fill(secret);
  const named = page.getByLabel('Or a secret of SECRETS_FILE');
  if ((await named.count()) > 0) await named.selectOption(secretName);
  await pressButton(page);
}

/** @param metadata an address, or XML */
export async function beginSaml(page: Page, studio: Studio, metadata: string): Promise<void> {
  await openForm(page, studio, 'saml');
  const isAddress = metadata.startsWith('http');
  await page.getByLabel("Address of the provider's metadata").fill(isAddress ? metadata : '');
  await page.getByLabel('Or the metadata itself', { exact: true }).fill(isAddress ? '' : metadata);
  await pressButton(page);
}

async function openForm(page: Page, { origin }: Studio, protocol: string): Promise<void> {
  await page.goto(`${origin}/#/sign-in?protocol=${protocol}`);
  await page.locator(`form[data-action="sign-in/${protocol}"]`).waitFor();
}

async function pressButton(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in at the provider' }).click();
}

/** On the page of the OpenID provider. */
export async function logInAs(page: Page, person: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(person);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const BACK = /\/#\/(?:sign-in|logins)\/.+/;

/** What the page says when the provider has led back to it: of a login, who got in. @returns its heading */
export async function result(page: Page): Promise<string> {
  await page.waitForURL(BACK);
  // What was shown before may stand there still.
  const place = page.url().includes('#/logins/') ? page.locator('article') : page.locator('main .page');
  const heading = place.getByRole('heading', { level: 1 }).filter({ hasNotText: /^Sign in at/ });
  await heading.waitFor();
  return heading.innerText();
}

/** Of a refusal. */
export async function words(page: Page): Promise<{ theirs: string | null; ours: string }> {
  const refusal = page.locator('section.refusal');
  await refusal.waitFor();
  const [theirs = null] = await refusal.locator('blockquote').allInnerTexts();
  return { theirs, ours: await refusal.locator('.fix').innerText() };
}

/** The codes of the findings. */
export function codes(page: Page): Promise<string[]> {
  return page
    .getByRole('region', { name: 'Findings' })
    .locator('li')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-code') ?? ''));
}

/** The claims with what ID token and UserInfo have of each. */
export async function claims(page: Page): Promise<Record<string, string>> {
  const rows = await page
    .getByRole('region', { name: 'ID token and UserInfo' })
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map(({ textContent }) => textContent ?? '')));
  return Object.fromEntries(rows.map(([name = '', token, userInfo]) => [name, `${token} / ${userInfo}`]));
}

/** The places that have the text, of all that others may see: files of the project and what the terminal shows. */
export async function placesOf(
  pattern: RegExp,
  { studio }: OpenStudio,
  except: string[] = [],
): Promise<string[]> {
  const entries = await readdir(studio.folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = files.map(async (file) => [file, await readFile(file, 'utf8')] as const);
  const { stdout, stderr } = studio.command;
  const all = [...(await Promise.all(read)), ['stdout', stdout()] as const, ['stderr', stderr()] as const];
  return all
    .filter(([place, content]) => pattern.test(place + content) && !except.some((one) => place.endsWith(one)))
    .map(([place]) => place);
}

/** The same of a tab: its address, what it shows, and what it stores. */
export async function tabPlacesOf(pattern: RegExp, page: Page): Promise<string[]> {
  const places: Record<string, string> = await page.evaluate(`({
    address: location.href,
    referrer: document.referrer,
    history: JSON.stringify(history.state),
    requests: JSON.stringify(performance.getEntries().map(({ name }) => name)),
    page: document.documentElement.outerHTML,
    session: JSON.stringify(sessionStorage),
    local: JSON.stringify(localStorage),
  })`);
  return Object.keys(places).filter((place) => pattern.test(places[place] ?? ''));
}
