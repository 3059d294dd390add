/** The page without a pointer. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { choose, type OpenStudio, openStudio, shows } from './openStudio.ts';

const ENTRA = 'openidLoggedIn.entra-groups';
/** Of the tab key: a list, a login and its event have fewer places. */
const MAX_TABS = 80;

let open: OpenStudio;
let page: Page;
beforeAll(async () => {
  open = await openStudio();
  ({ page } = open);
  await open.studio.ready();
  await choose(page, ENTRA);
}, START_TIMEOUT_MS);
afterAll(() => open?.close());

/** Goes on by the tab key until the element has the focus, from the top of the page. */
async function tabTo(element: Locator): Promise<void> {
  await element.waitFor();
  await page.evaluate('document.activeElement.blur()');
  for (let count = 0; count < MAX_TABS; count++) {
    await page.keyboard.press('Tab');
    if ((await element.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error(`the tab key does not lead to ${element}`);
}

async function pressAt(element: Locator, key: string): Promise<void> {
  await tabTo(element);
  await page.keyboard.press(key);
}

test('the first stop skips what each view has', async () => {
  await pressAt(page.getByRole('button', { name: 'Skip to the content' }), 'Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
});

test('the list is one stop, in which arrow keys choose the login', async () => {
  const row = page.locator(`#list a[data-id="${ENTRA}"]`);
  await tabTo(row);
  const ids = await page
    .locator('#list a[data-id]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-id')));
  const place = ids.indexOf(ENTRA);
  for (const [key, index] of [
    ['ArrowDown', place + 1],
    ['ArrowUp', place],
    ['End', ids.length - 1],
    ['Home', 0],
  ] as const) {
    await page.keyboard.press(key);
    await shows(page, ids[index] ?? '');
    expect(await page.evaluate('document.activeElement.dataset.id')).toBe(ids[index]);
  }
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("#list") === null')).toBe(true);
});

test('what was found leads to its place in the event', async () => {
  await choose(page, 'openidLoggedIn.keycloak-suspended');
  await pressAt(page.getByRole('region', { name: 'What decided' }).getByRole('button').first(), 'Enter');
  const focused = page.locator('.tree :focus');
  expect(await focused.locator('mark').innerText()).toBe('suspended');
});

test('a node of the event opens and closes', async () => {
  const node = page.locator('.tree details[open]').first();
  await pressAt(node.locator('summary').first(), 'Enter');
  expect(await page.locator('.tree details').first().getAttribute('open')).toBeNull();
});

test('another handler is chosen, and its answer is shown', async () => {
  await tabTo(page.getByLabel('Answered by'));
  await page.keyboard.type('default');
  await page.waitForURL(/handler=default/);
  await page.getByRole('region', { name: 'What decided' }).waitFor();
});

test('an event is pasted, and kept as a sample', async () => {
  await pressAt(page.getByRole('link', { name: 'Paste', exact: true }), 'Enter');
  await tabTo(page.getByLabel('Capture', { exact: true }));
  await page.keyboard.insertText(JSON.stringify(openIdEvent()));
  await pressAt(page.getByRole('button', { name: 'Read it' }), 'Enter');
  await pressAt(page.getByRole('link', { name: 'Keep as a sample' }), 'Enter');
  await tabTo(page.getByLabel('Name of the sample'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('by-keyboard');
  await page.keyboard.press('Enter');
  await pressAt(page.getByRole('checkbox', { name: /^I have read the list/ }), 'Space');
  await pressAt(page.getByRole('button', { name: /^Write / }), 'Enter');
  await page.getByRole('heading', { name: 'The sample is written' }).waitFor();
  await pressAt(page.getByRole('link', { name: 'See the sample' }), 'Enter');
  await shows(page, 'openidLoggedIn.by-keyboard');
  expect(await page.locator('article').getAttribute('data-verdict')).toBe('expected');
});

test('nothing went wrong unseen', () => {
  expect(open.complaints).toEqual([]);
});
