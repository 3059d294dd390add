/** Two handlers beside each other, and what the mapping's logins do not reach. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PROJECT } from '../../tools/shared/project.ts';
import type { Comparison, MappingCoverage } from '../../tools/studio/api.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio, tell } from './openStudio.ts';

const OTHER = 'handlers/entra-groups';
const EVENTS = 40;
const ENTRA = await readFile(join(PROJECT, 'events/openidLoggedIn/entra.json'), 'utf8');

let open: OpenStudio;
let page: Page;
beforeAll(async () => {
  const more = Array.from({ length: EVENTS }, (_, index) => [
    `events/openidLoggedIn/more-${index}.json`,
    ENTRA,
  ]);
  open = await openStudio({
    ...Object.fromEntries(more),
    // So that a row of the table has no event.
    'events/openidLoggedIn/entra-few-groups.json': ENTRA,
    '.env.dev': 'OPENID_HANDLER_MODULE=handlers/entra-group-table\n',
  });
  ({ page } = open);
  await open.studio.ready();
  await page.locator('article.login h1').waitFor();
}, START_TIMEOUT_MS);
afterAll(() => open?.close());

async function json<T>(path: string): Promise<T> {
  return (await (await open.studio.api(path)).json()) as T;
}

test('what another handler would answer differently over 40 events, field by field', async () => {
  const { rows } = await json<Comparison>(`/api/compare/openidLoggedIn?with=${encodeURIComponent(OTHER)}`);
  const differing = rows.filter(({ differences }) => differences.length > 0);
  expect(rows.length).toBeGreaterThan(EVENTS);
  expect(differing.length).toBeGreaterThan(0);
  await page.getByRole('link', { name: 'Compare' }).click();
  const begun = performance.now();
  await page.getByLabel('Beside').selectOption(OTHER);
  await page
    .getByRole('heading', { name: `${differing.length} of ${rows.length} logins have another response` })
    .waitFor();
  tell(`${rows.length} logins are compared`, performance.now() - begun);
  const shown = page.getByRole('region', { name: 'Comparison' }).locator('tr:has(details)');
  const fields = differing.map(({ differences }) => differences.map(({ field }) => field));
  expect((await shown.locator('summary').allInnerTexts()).toSorted()).toEqual(
    fields.map((names) => names.join(', ')).toSorted(),
  );
});

test('each field of an answer is shown before and after', async () => {
  await page.locator('tr:has(details) summary').first().click();
  const table = page.getByRole('table', { name: /^What differs in / }).first();
  const names = await table.getByRole('rowheader').allInnerTexts();
  expect(names.join(', ')).toBe(await page.locator('summary').first().innerText());
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Field', 'In force', OTHER]);
});

test('logins that both answer alike are one line', async () => {
  const alike = page.locator('details.alike');
  const { rows } = await json<Comparison>(`/api/compare/openidLoggedIn?with=${encodeURIComponent(OTHER)}`);
  const same = rows.filter(({ differences }) => differences.length === 0);
  expect(await alike.locator('summary').innerText()).toBe(`${same.length} logins are answered alike`);
  expect(await alike.locator('a').first().isVisible()).toBe(false);
  expect(await alike.locator('a').count()).toBe(same.length);
});

test('its address shows the same again', async () => {
  const heading = await page
    .getByRole('region', { name: 'Comparison' })
    .getByRole('heading')
    .first()
    .innerText();
  await page.reload();
  await page.getByRole('heading', { name: heading }).waitFor();
});

test('rules and rows of the mapping that no login hits', async () => {
  const mappings = await json<MappingCoverage[]>('/api/coverage/openidLoggedIn');
  const missed = mappings.flatMap(({ coverage: { rules, rows } }) =>
    [...rules.filter(({ isHit }) => !isHit), ...rows.filter(({ groups }) => groups === 0)].map(
      ({ path }) => path,
    ),
  );
  expect(missed).not.toEqual([]);
  const rows = page
    .getByRole('region', { name: /^Coverage of / })
    .getByRole('row')
    .filter({ hasText: 'not hit' });
  await rows.first().waitFor();
  expect(await rows.getByRole('rowheader').allInnerTexts()).toEqual(missed);
});

test('nothing went wrong unseen', () => {
  expect(open.complaints).toEqual([]);
});
