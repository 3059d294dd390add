/** The studio without a mouse. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';

const MAX_STOPS = 80;

let open: OpenStudio;
let page: Page;
beforeAll(async () => {
  open = await openStudio();
  ({ page } = open);
  await open.studio.ready();
  await page.locator('article.login[aria-busy="false"] [role="tree"]').first().waitFor();
}, START_TIMEOUT_MS);
afterAll(() => open?.close());

/** Presses Tab until an element has the focus. */
async function tabTo(element: Locator): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    if (await hasFocus(element)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${element} in ${MAX_STOPS} stops`);
}

function hasFocus(element: Locator): Promise<boolean> {
  return element.evaluate((one) => one === one.ownerDocument.activeElement);
}

const focused = () => page.locator(':focus');

test('the first stop leads past the list', async () => {
  await page.keyboard.press('Tab');
  expect(await focused().innerText()).toBe('Skip to the content');
  expect(await focused().isVisible()).toBe(true);
  await page.keyboard.press('Enter');
  expect(await hasFocus(page.locator('main'))).toBe(true);
});

test('a link to a login far down shows its row in the list', async () => {
  const links = page.locator('nav a[data-id]');
  const id = await links.last().getAttribute('data-id');
  const other = await open.tab();
  await other.locator('article.login h1').waitFor();
  await other.goto(`${open.studio.origin}/#/logins/${id}`);
  const row = other.locator(`nav a[data-id="${id}"][aria-current]`);
  await row.waitFor();
  const frame = await other.locator('nav .sections').boundingBox();
  const place = await row.boundingBox();
  expect(place?.y).toBeGreaterThanOrEqual(frame?.y ?? Number.NaN);
  expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
  await other.close();
});

test('each stop can be seen, and none holds the focus', async () => {
  const stops = new Set<string>();
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const [name, isMarked] = await page.evaluate<[string, boolean]>(FOCUS);
    expect([name, isMarked]).toEqual([name, true]);
    if (stops.has(name)) break;
    stops.add(name);
  }
  expect(stops.size).toBeGreaterThan(8);
  expect(stops.size).toBeLessThan(MAX_STOPS);
});

/** In the page: what has the focus, and whether it is marked; where the browser itself has it, there is nothing to mark. */
const FOCUS = `(() => {
  const one = document.activeElement;
  if (one === document.body) return ['body', true];
  const name = one.outerHTML.slice(0, 200);
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
  return [name, (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'];
})()`;

test('the arrow keys choose a login in the list', async () => {
  await tabTo(page.locator('nav a[data-id][tabindex="0"]'));
  const links = await page.locator('nav a[data-id]').all();
  for (const [key, index] of [
    ['Home', 0],
    ['ArrowDown', 1],
    ['ArrowDown', 2],
    ['ArrowUp', 1],
    ['End', links.length - 1],
  ] as const) {
    await page.keyboard.press(key);
    const id = (await links[index]?.getAttribute('data-id')) ?? '';
    await page.locator(`nav a[data-id="${id}"][aria-current]`).waitFor();
    const { sentence } = await open.studio.detail(id);
    expect(await page.locator('article.login h1').innerText()).toBe(sentence);
  }
});

test('the filter takes words', async () => {
  await tabTo(page.getByLabel('Filter'));
  await page.keyboard.type('saml keycloak');
  const names = await page.locator('nav a[data-id] .name').allInnerTexts();
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !name.includes('keycloak'))).toEqual([]);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.locator('article.login[aria-busy="false"] [role="tree"]').first().waitFor();
});

test('the arrow keys open, close and walk through the event', async () => {
  const tree = page.getByRole('tree', { name: 'Event' });
  await tabTo(tree.locator('[tabindex="0"]'));
  await page.keyboard.press('Home');
  await expectExpanded('true');
  const rows = await tree.getByRole('treeitem').count();
  await page.keyboard.press('ArrowLeft');
  await expectExpanded('false');
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(rows);
  await page.keyboard.press('ArrowRight');
  await expectExpanded('true');
  await page.keyboard.press('ArrowRight');
  expect(await focused().getAttribute('aria-level')).toBe('2');
});

async function expectExpanded(value: string): Promise<void> {
  await page.locator(`:focus[aria-expanded="${value}"]`).waitFor({ timeout: 2_000 });
}

test('a field leads to its text in the event', async () => {
  const field = page.getByRole('region', { name: 'Fields' }).getByRole('button').first();
  await tabTo(field);
  await page.keyboard.press('Enter');
  const row = page.locator('[role="treeitem"]:focus');
  await row.waitFor();
  expect(await row.locator('mark').count()).toBe(1);
});

test('a comparison is chosen, and its logins are opened', async () => {
  await tabTo(page.getByRole('link', { name: 'Compare' }));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Compare handlers' }).waitFor();
  const choice = page.getByLabel('Beside');
  await tabTo(choice);
  await page.keyboard.type('handlers/entra-groups');
  const table = page.getByRole('region', { name: 'Comparison' });
  await table.waitFor();
  await tabTo(table.getByRole('link').first());
  await page.keyboard.press('Enter');
  await page.locator('article.login h1').waitFor();
});

test('an event is pasted, and kept as a sample', async () => {
  await tabTo(page.getByRole('link', { name: 'Paste', exact: true }));
  await page.keyboard.press('Enter');
  await tabTo(page.getByLabel('Capture', { exact: true }));
  await page.keyboard.insertText(JSON.stringify(openIdEvent()));
  await pressAt(page.getByRole('button', { name: 'Read it' }), 'Enter');
  await pressAt(page.getByRole('link', { name: 'See the response' }).first(), 'Enter');
  await pressAt(page.getByRole('link', { name: 'Keep as a sample' }), 'Enter');
  await tabTo(page.getByLabel('Name of the sample'));
  await page.keyboard.type('by-keyboard');
  await page.keyboard.press('Enter');
  await pressAt(page.getByRole('checkbox'), 'Space');
  await pressAt(page.getByRole('button', { name: /^Write / }), 'Enter');
  await page.getByRole('heading', { name: 'The sample is written' }).waitFor();
  expect((await open.studio.detail('openidLoggedIn.by-keyboard')).verdict).toBe('expected');
});

/** Waits for an element, goes there by Tab, and presses a key. */
async function pressAt(element: Locator, key: string): Promise<void> {
  await element.waitFor();
  await tabTo(element);
  await page.keyboard.press(key);
}

test('nothing went wrong unseen', () => {
  expect(open.complaints).toEqual([]);
});
