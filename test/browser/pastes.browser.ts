/** What was caught elsewhere is pasted, explained, kept without the person, and checked from then on. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { base64, encryption, PERSON as PERSON_OF_SAMLP, response } from '../capture/caught.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';
import { type Issued, type SamlProvider, samlProvider } from '../support/samlProvider.ts';
import { ACS, ENTITY_ID } from '../support/samlService.ts';
import { caughtResponse, harOf, metadataOf, traceOf } from './caught.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';

const IDP = 'https://idp.example.org/saml';
const PERSON = /Ada|Lovelace|ada@example\.org/i;
const SETTINGS = `SAML_ASSERTION_CHECK=on
SAML_ISSUERS=${JSON.stringify({ [IDP]: { audiences: [ENTITY_ID], recipients: [ACS] } })}
`;

let open: OpenStudio;
let page: Page;
let provider: SamlProvider;
beforeAll(async () => {
  provider = await samlProvider(IDP, ACS);
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
    const text = await caughtResponse(provider, { audience: ENTITY_ID });
    expect(await paste(text, metadataOf(IDP, provider))).toBe('1 capture found');
    expect(await problems()).toEqual([]);
    expect(await seeIt()).toMatch(/^Authorized as Ada Lovelace/);
  });

  test('without metadata is said to be unchecked', async () => {
    await paste(await caughtResponse(provider, { audience: ENTITY_ID }));
    expect((await found().innerText()).toLowerCase()).toContain('signature');
    expect(await problems()).toEqual([]);
  });

  test.each<[string, Issued, string]>([
    ['for another audience', { audience: 'https://other.example.net' }, 'audience'],
    ['that is over', { audience: ENTITY_ID, lifetimeInSeconds: -600 }, 'time'],
    ['of another issuer', { audience: ENTITY_ID, issuer: 'https://evil.example.org' }, 'issuer'],
    [
      'for another recipient',
      { audience: ENTITY_ID, recipient: 'https://other.example.net/acs' },
      'recipient',
    ],
  ])('%s: what is wrong, and what mends it', async (_, issued, word) => {
    await paste(await caughtResponse(provider, issued), metadataOf(IDP, provider));
    const wrong = found().locator('.findings li', { hasText: 'Problem' });
    expect((await wrong.allInnerTexts()).join('\n')).toMatch(new RegExp(word, 'i'));
    expect(await wrong.locator('.cure').count()).toBeGreaterThan(0);
  });

  test('with all of it wrong: all findings at once', async () => {
    const issued = {
      audience: 'https://other.example.net',
      lifetimeInSeconds: -600,
      recipient: 'https://a.example',
    };
    await paste(await caughtResponse(provider, issued), metadataOf(IDP, provider));
    expect(new Set(await codes()).size).toBeGreaterThanOrEqual(3);
  });

  test('whose signature is of another key', async () => {
    const other = await samlProvider(IDP, ACS);
    await paste(await caughtResponse(other, { audience: ENTITY_ID }), metadataOf(IDP, provider));
    expect((await problems()).join('\n')).toMatch(/signature/i);
  });
});

describe('a SAMLResponse that says too little', () => {
  test('because it is encrypted: what to do, and no event', async () => {
    await paste(base64(await response(provider, { options: encryption(provider) })));
    expect(await codes()).toContain('assertion_encrypted');
    expect(await found().locator('.cure').first().innerText()).toContain('Encrypt');
    expect(await found().getByRole('link', { name: 'See the response' }).count()).toBe(0);
  });

  test('because groups are joined into one value', async () => {
    const claims = { ...PERSON_OF_SAMLP, Role: 'staff;students' };
    await paste(base64(await response(provider, { claims, options: { audience: ENTITY_ID } })));
    expect(await codes()).toContain('groups_ambiguous');
  });
});

test.each<[string, (response: string) => string, RegExp]>([
  ['XML', (response) => Buffer.from(response, 'base64').toString(), /SAMLResponse/],
  [
    'the body of the request',
    (response) => new URLSearchParams({ SAMLResponse: response }).toString(),
    /SAMLResponse/,
  ],
  ['a HAR file', harOf, /entry 3/],
  ['an export of SAML-tracer', traceOf, /request 2/],
])('is found in %s', async (_, made, where) => {
  const text = made(await caughtResponse(provider, { audience: ENTITY_ID }));
  expect(await paste(text)).toBe('1 capture found');
  expect(await found().innerText()).toMatch(where);
  expect(await seeIt()).toMatch(/^Authorized as Ada Lovelace/);
});

test.each([
  ['words', 'I cannot log in since Monday'],
  ['a page', '<!doctype html><html><body><form></form></body></html>'],
  ['JSON of something else', '{"a":1}'],
  ['a HAR file without a login', '{"log":{"entries":[]}}'],
  ['a DOCTYPE', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
  ['half of a response', Buffer.from('<samlp:Response xmlns:samlp="urn:oasis').toString('base64')],
])('%s: why it is none of these', async (_, text) => {
  expect(await paste(text)).toBe('No capture found');
  const told = await found().locator('.problem').innerText();
  expect(told.length).toBeGreaterThan(20);
  expect(told).not.toMatch(/root:|undefined|\[object/);
});

describe('what was pasted is kept without the person', () => {
  const files = () => readdir(join(open.studio.folder, 'events/samlLoggedIn'));

  test('the texts that stay are shown, and nothing is written before they are confirmed', async () => {
    const before = await files();
    await paste(await caughtResponse(provider, { audience: ENTITY_ID }), metadataOf(IDP, provider));
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
      const check = runCommand(['tools/cli/check.ts', 'events/samlLoggedIn/pasted.json'], {
        cwd: open.studio.folder,
        env,
      });
      expect([await check.end(0), check.stderr()]).toEqual([0, expect.not.stringContaining('differs')]);
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
    await page.getByRole('cell', { name: 'ticked', exact: true }).waitFor();
    expect(await page.getByRole('checkbox', { name: /^I have read the list/ }).isChecked()).toBe(false);
  });

  test('every text that stays is on the page, without scrolling in the list', async () => {
    const list = page.getByRole('region', { name: 'Texts that stay' });
    expect(await list.getByRole('row').count()).toBeGreaterThan(10);
    expect(await list.locator('.scrolls').count()).toBe(0);
  });
});

test('nothing went wrong unseen, and no log or file of the project has the person', async () => {
  expect(open.complaints).toEqual([]);
  expect(open.studio.command.stdout() + open.studio.command.stderr()).not.toMatch(PERSON);
});
