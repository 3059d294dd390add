/** The page without a pointer. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { choose, shows, useStudio } from './useStudio.ts';

const ENTRA = 'openidLoggedIn.entra-groups';
/** Of the tab key: a list, a login and its event have fewer places. */
const MAX_TABS = 80;

const open = useStudio();
beforeAll(() => choose(open.page, ENTRA));

/** Goes on by the tab key until the element has the focus, from the top of the page. */
async function tabTo(element: Locator): Promise<void> {
  await element.waitFor();
  await open.page.evaluate('document.activeElement.blur()');
  for (let count = 0; count < MAX_TABS; count++) {
    await open.page.keyboard.press('Tab');
    if ((await element.and(open.page.locator(':focus')).count()) > 0) return;
  }
  throw new Error(`the tab key does not lead to ${element}`);
}

async function pressAt(element: Locator, key: string): Promise<void> {
  await tabTo(element);
  await open.page.keyboard.press(key);
}

test('the first stop skips what each view has', async () => {
  await pressAt(open.page.getByRole('button', { name: 'Skip to the content' }), 'Enter');
  expect(await open.page.evaluate('document.activeElement.id')).toBe('main');
});

test('the list is one stop, in which arrow keys choose the login', async () => {
  const row = open.page.locator(`#list a[data-id="${ENTRA}"]`);
  await tabTo(row);
  const ids = await open.page
    .locator('#list a[data-id]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-id')));
  const place = ids.indexOf(ENTRA);
  for (const [key, index] of [
    ['ArrowDown', place + 1],
    ['ArrowUp', place],
    ['End', ids.length - 1],
    ['Home', 0],
  ] as const) {
    await open.page.keyboard.press(key);
    await shows(open.page, ids[index] ?? '');
    expect(await open.page.evaluate('document.activeElement.dataset.id')).toBe(ids[index]);
  }
  await open.page.keyboard.press('Tab');
  expect(await open.page.evaluate('document.activeElement.closest("#list") === null')).toBe(true);
});

test('what was found leads to its place in the event', async () => {
  await choose(open.page, 'openidLoggedIn.keycloak-suspended');
  await pressAt(open.page.getByRole('region', { name: 'What decided' }).getByRole('button').first(), 'Enter');
  const focused = open.page.locator('.tree :focus');
  expect(await focused.locator('mark').innerText()).toBe('suspended');
});

test('another handler is chosen, and its answers are shown', async () => {
  await pressAt(open.page.getByRole('link', { name: 'Compare' }), 'Enter');
  await tabTo(open.page.getByLabel('Compare with'));
  await open.page.keyboard.type('default');
  await open.page.waitForURL(/with=default/);
  await open.page.getByRole('region', { name: 'Comparison' }).waitFor();
});

test('an event is pasted', async () => {
  await pressAt(open.page.getByRole('link', { name: 'Paste', exact: true }), 'Enter');
  await tabTo(open.page.getByLabel('Capture', { exact: true }));
  await open.page.keyboard.insertText(JSON.stringify(openIdEvent()));
  await pressAt(open.page.getByRole('button', { name: 'Read it' }), 'Enter');
  await tabTo(open.page.getByRole('link', { name: 'Keep as a sample' }));
  await shows(open.page, 'pasted.1');
});
