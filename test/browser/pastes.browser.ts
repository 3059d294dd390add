/** What was caught elsewhere is pasted, explained, kept without the person, and checked from then on. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { entry, har, metadataOf, posted, provider, response, SAML_ISSUERS } from '../capture/caught.ts';
import type { SamlProvider } from '../support/samlIdp.ts';
import { useStudio } from './useStudio.ts';

// A stand-in of syllables may end with the letters of the given name.
const PERSON = /\bAda\b|Lovelace|ada@example\.org/i;
const SETTINGS = `SAML_ASSERTION_CHECK=on\nSAML_ISSUERS=${SAML_ISSUERS}\n`;

const open = useStudio({ '.env.dev': SETTINGS });
let idp: SamlProvider;
beforeAll(async () => {
  idp = await provider();
});

async function openForm(): Promise<void> {
  await open.page.goto(`${open.studio.origin}/#/paste`);
  await open.page.reload();
}

async function readIt(): Promise<void> {
  await open.page.getByRole('button', { name: 'Read it' }).click();
  await open.page.locator('article').waitFor();
}

const heading = () => open.page.locator('main h1').innerText();

test('a SAMLResponse is found in a HAR file that is chosen', async () => {
  await openForm();
  const buffer = Buffer.from(har(entry({}), posted(await response(idp))));
  await open.page
    .getByLabel('Capture, from a file')
    .setInputFiles({ name: 'login.har', mimeType: 'application/json', buffer });
  await readIt();
  expect(await heading()).toMatch(/^Authorized as Ada Lovelace/);
});

describe('what was pasted is kept without the person', () => {
  const folder = () => join(open.studio.folder, 'events/samlLoggedIn');
  const plan = async (name: string) => {
    await open.page.getByRole('link', { name: 'Keep as a sample' }).click();
    await open.page.getByLabel('Name of the sample').fill(name);
    await open.page.getByRole('button', { name: 'Show what would be written', exact: true }).click();
    await open.page.locator('#plan h2').first().waitFor();
  };

  test('and nothing is written before the texts that are kept are shown', async () => {
    const before = await readdir(folder());
    await openForm();
    await open.page.getByLabel('Capture', { exact: true }).fill(await response(idp));
    await open.page.getByLabel('SAML metadata of the provider', { exact: true }).fill(metadataOf(idp.cert));
    await readIt();
    await plan('pasted');
    const kept = open.page.getByRole('region', { name: 'Texts that are kept' }).getByRole('listitem');
    expect(await kept.count()).toBeGreaterThan(0);
    expect(await readdir(folder())).toEqual(before);
    await open.page.getByRole('button', { name: /^Write / }).click();
    await open.page.locator('article[data-verdict="expected"]').waitFor();
    expect(await heading()).not.toMatch(PERSON);
    const written = (await readdir(folder())).filter((file) => !before.includes(file));
    expect(written).toEqual(['pasted.expected.json', 'pasted.json']);
    for (const file of written) expect(await readFile(join(folder(), file), 'utf8')).not.toMatch(PERSON);
  });

  test('a text that is ticked stays, and is in the list that is read', async () => {
    await plan('pasted-and-ticked');
    await open.page.getByText('Let some of them stay').click();
    await open.page.getByRole('table', { name: 'Texts that may stay' }).getByRole('checkbox').first().check();
    await open.page.getByRole('button', { name: 'Show what would be written with the ticked texts' }).click();
    await open.page.getByRole('rowheader', { name: 'allowed', exact: true }).waitFor();
  });
});

test('no log has the person or a token', () => {
  expect(open.studio.command.stdout() + open.studio.command.stderr()).not.toMatch(
    new RegExp(`eyJ|${PERSON.source}`, 'i'),
  );
});
