/** What was caught elsewhere is pasted, explained, kept without the person, and checked from then on. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  base64,
  encryption,
  entry,
  har,
  metadataOf,
  posted,
  provider,
  response,
  SAML_ISSUERS,
} from '../capture/caught.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import type { SamlProvider } from '../support/samlProvider.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';

// A stand-in of syllables may end with the letters of the given name.
const PERSON = /\bAda\b|Lovelace|ada@example\.org/i;
const SETTINGS = `SAML_ASSERTION_CHECK=on\nSAML_ISSUERS=${SAML_ISSUERS}\n`;

let open: OpenStudio;
let page: Page;
let idp: SamlProvider;
beforeAll(async () => {
  idp = await provider();
  open = await openStudio({ '.env.dev': SETTINGS });
  ({ page } = open);
  await open.studio.ready();
  await page.locator('article.login h1').waitFor();
}, START_TIMEOUT_MS);
afterAll(() => open?.close());

const found = () => page.getByRole('region', { name: 'Captured logins' });

/** Pastes a text as people do. @returns the title of what was found */
async function paste(text: string, metadata = ''): Promise<string> {
  await page.goto(`${open.studio.origin}/#/logins`);
  await page.getByRole('link', { name: 'Paste', exact: true }).click();
  await page.getByLabel('Capture', { exact: true }).fill(text);
  await page.getByLabel('SAML metadata of the provider', { exact: true }).fill(metadata);
  await page.getByRole('button', { name: 'Read it' }).click();
  await found().waitFor();
  return found().getByRole('heading').first().innerText();
}

const codes = () => found().locator('.findings code').allInnerTexts();
const problems = () => found().locator('.findings li', { hasText: 'Problem' }).allInnerTexts();

async function seeIt(): Promise<string> {
  await found().getByRole('link', { name: 'See the response' }).first().click();
  await page.locator('article.login[aria-busy="false"] [role="tree"]').first().waitFor();
  return page.locator('article.login h1').innerText();
}

describe('a SAMLResponse of a real provider', () => {
  test('that is right is answered as the service would be', async () => {
    expect(await paste(await response(idp), metadataOf(idp.cert))).toBe('1 capture found');
    expect(await problems()).toEqual([]);
    expect(await seeIt()).toMatch(/^Authorized as Ada Lovelace/);
  });

  test('that is wrong: what is wrong, and what mends it', async () => {
    const wrong = await response(idp, { options: { audience: 'https://other.example.net' } });
    await paste(wrong, metadataOf(idp.cert));
    const problem = found().locator('.findings li', { hasText: 'Problem' });
    expect((await problem.allInnerTexts()).join('\n')).toMatch(/audience/i);
    expect(await problem.locator('.cure').count()).toBeGreaterThan(0);
  });
});

describe('a SAMLResponse that says too little', () => {
  test('because it is encrypted: what to do, and no event', async () => {
    await paste(base64(await response(idp, { options: encryption(idp) })));
    expect(await codes()).toContain('assertion_encrypted');
    expect(await found().locator('.cure').first().innerText()).toContain('Encrypt');
    expect(await found().getByRole('link', { name: 'See the response' }).count()).toBe(0);
  });
});

test('is found in a HAR file', async () => {
  expect(await paste(har(entry({}), posted(await response(idp))))).toBe('1 capture found');
  expect(await found().innerText()).toMatch(/entry 2/);
  expect(await seeIt()).toMatch(/^Authorized as Ada Lovelace/);
});

test('what is no login is told', async () => {
  expect(await paste('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>')).toBe(
    'No capture found',
  );
  const told = await found().locator('.problem').innerText();
  expect(told.length).toBeGreaterThan(20);
  expect(told).not.toMatch(/root:|undefined|\[object/);
});

describe('what was pasted is kept without the person', () => {
  const files = () => readdir(join(open.studio.folder, 'events/samlLoggedIn'));

  test('the texts that stay are shown, and nothing is written before they are confirmed', async () => {
    const before = await files();
    await paste(await response(idp), metadataOf(idp.cert));
    await seeIt();
    await page.getByRole('link', { name: 'Keep as a sample' }).click();
    await page.getByLabel('Name of the sample').fill('pasted');
    await page.getByRole('button', { name: 'Show what would be written' }).click();
    await page.getByRole('heading', { name: 'Texts that stay' }).waitFor();
    expect(await page.getByRole('button', { name: /^Write / }).isDisabled()).toBe(true);
    expect(await files()).toEqual(before);
  });

  test('and then it is there, and has nothing of the person', async () => {
    await page.getByRole('checkbox', { name: /^I have read the list/ }).check();
    await page.getByRole('button', { name: /^Write / }).click();
    await page.getByRole('heading', { name: 'The sample is written' }).waitFor();
    const written = ['pasted.json', 'pasted.expected.json'];
    expect((await files()).filter((file) => file.startsWith('pasted'))).toEqual(written.toSorted());
    for (const file of written) {
      expect(await readFile(join(open.studio.folder, 'events/samlLoggedIn', file), 'utf8')).not.toMatch(
        PERSON,
      );
    }
    await page.getByRole('link', { name: 'See the sample' }).click();
    const { verdict, sentence } = await open.studio.detail('samlLoggedIn.pasted');
    expect(verdict).toBe('expected');
    expect(await page.locator('article.login h1').innerText()).toBe(sentence);
    expect(sentence).not.toMatch(PERSON);
  });

  test(
    'and npm run check passes with it',
    async () => {
      const env = commandEnvironment({
        HOME: open.studio.folder,
        LOGIN_HOOKS_ENV_FOLDER: open.studio.folder,
      });
      const check = runCommand(['tools/cli/bin.cjs', 'check', 'events/samlLoggedIn/pasted.json'], {
        cwd: open.studio.folder,
        env,
      });
      const stdout = expect.not.stringContaining('DIFFERS');
      expect(await check.end(0)).toEqual({ status: 0, stdout, stderr: expect.any(String) });
    },
    START_TIMEOUT_MS,
  );

  test('a name that is taken is refused, in words', async () => {
    await page.getByRole('link', { name: 'Keep as a sample' }).click();
    await page.getByLabel('Name of the sample').fill('pasted');
    await page.getByRole('button', { name: 'Show what would be written' }).click();
    await page
      .getByText(/pasted/)
      .and(page.getByRole('alert'))
      .or(page.getByText('This login cannot be kept'))
      .waitFor();
  });

  test('a text that is ticked stays, and is in the list that is read', async () => {
    await page.getByLabel('Name of the sample').fill('pasted-and-ticked');
    const choices = page.getByRole('region', { name: 'Texts that may stay' });
    await choices.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Show what would be written with 1 ticked text' }).click();
    await page.getByRole('rowheader', { name: 'ticked', exact: true }).waitFor();
    expect(await page.getByRole('checkbox', { name: /^I have read the list/ }).isChecked()).toBe(false);
  });

  test('every text that stays is on the page, without scrolling in the list', async () => {
    const list = page.getByRole('region', { name: 'Texts that stay' });
    expect(await list.getByRole('listitem').count()).toBeGreaterThan(5);
    const reasons = await list.getByRole('rowheader').allInnerTexts();
    expect(reasons).toEqual([...new Set(reasons)]);
    expect(await list.locator('.scrolls').count()).toBe(0);
  });
});

test('nothing went wrong unseen, and no log or file of the project has the person', async () => {
  expect(open.complaints).toEqual([]);
  expect(open.studio.command.stdout() + open.studio.command.stderr()).not.toMatch(PERSON);
});
