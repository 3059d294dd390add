/** The first screen: who got in, who did not, and why. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { choose, median, type OpenStudio, openStudio, tell, unfold } from './openStudio.ts';

/** What is promised, and what a busy machine is given. */
const VISIBLE_MS = { promised: 1_000, bound: 5_000 };
const CHOSEN_MS = { promised: 100, bound: 500 };
const CHANGED_MS = { promised: 2_000, bound: 10_000 };
const CHOICES = 15;
const STUDIED = 'openidLoggedIn.entra-groups';

const OWN = (
  affiliation: string,
) => `import { handleOpenIdUserLoggedIn, type OpenIdHandler } from 'login-hooks';

const own: OpenIdHandler = (event) => {
  const response = handleOpenIdUserLoggedIn(event);
  return response.type === 'AuthorizedUserResponse' ? { ...response, affiliation: '${affiliation}' } : response;
};

export default own;
`;

let open: OpenStudio;
let page: Page;
beforeAll(async () => {
  open = await openStudio({
    'handlers/own.ts': OWN('First'),
    'events/openidLoggedIn/own.json': JSON.stringify(openIdEvent()),
    '.env.dev': 'OPENID_HANDLER_MODULE=handlers/own\n',
  });
  ({ page } = open);
}, START_TIMEOUT_MS);
afterAll(() => open?.close());

test(
  'the page is there soon after its address was printed',
  async () => {
    await page.getByText('Login studio').first().waitFor();
    const visible = performance.now() - open.studio.addressAt;
    await page.locator('article.login h1').waitFor();
    tell(`the page is visible (promised: ${VISIBLE_MS.promised} ms)`, visible);
    await open.studio.ready();
    tell('all samples are answered', performance.now() - open.studio.addressAt);
    expect(visible).toBeLessThan(VISIBLE_MS.bound);
  },
  START_TIMEOUT_MS,
);

describe('within ten seconds, it says', () => {
  test('who got in or not, and why, of each login', async () => {
    await open.studio.ready();
    const logins = await open.studio.logins();
    expect(logins.length).toBeGreaterThan(40);
    for (const { id, sentence } of logins.slice(0, CHOICES)) {
      await choose(page, id);
      expect(await page.locator('article.login h1').innerText()).toBe(sentence);
    }
  });

  test('which login is open already: the first that asks for attention', async () => {
    await page.goto(`${open.studio.origin}/#/logins`);
    // As it is opened: before, it was there while the samples were answered.
    await page.reload();
    const isOpen = page.locator('nav a[data-id][aria-current="true"]');
    const first = page.locator('nav a[data-id]').first();
    await isOpen.waitFor();
    expect(await isOpen.getAttribute('data-id')).toBe(await first.getAttribute('data-id'));
    expect(await page.locator('article.login h1').innerText()).toBe(
      (await open.studio.detail((await isOpen.getAttribute('data-id')) ?? '')).sentence,
    );
  });

  test('the path of the login, with where it ended', async () => {
    await choose(page, 'openidLoggedIn.http-invalid-event');
    const steps = await page
      .getByRole('list', { name: 'Path of the login' })
      .getByRole('listitem')
      .allInnerTexts();
    const states = steps.map((step) => step.split('\n').at(-1));
    expect(states.filter((state) => state?.startsWith('ended here'))).toHaveLength(1);
    expect(states.at(-1)).toBe('not reached');
  });

  test('which texts of the event were used, and for what', async () => {
    await choose(page, STUDIED);
    const { explanation } = await open.studio.detail(STUDIED);
    const tree = page.getByRole('tree', { name: 'Event' });
    expect(explanation.marks.length).toBeGreaterThan(0);
    expect(await tree.locator('mark').count()).toBeGreaterThan(0);
    const marked = await tree
      .getByRole('treeitem')
      .filter({ has: page.locator('mark') })
      .allInnerTexts();
    for (const text of marked) expect(text).toMatch(/→ \w+/);
  });

  test('the response as the function gave it', async () => {
    const { answer } = await open.studio.detail(STUDIED);
    const response = await page.getByRole('tree', { name: 'Response' }).innerText();
    for (const value of Object.values(answer as Record<string, unknown>)) {
      if (typeof value === 'string') expect(response).toContain(value);
    }
  });
});

test("samples that login-hooks ships are folded below one's own, unless something is wrong with them", async () => {
  await page.goto(`${open.studio.origin}/#/logins/openidLoggedIn.own`);
  await page.locator('nav a[data-id="openidLoggedIn.own"]').waitFor();
  if ((await page.locator('nav .fold[aria-expanded="true"]').count()) > 0)
    await page.locator('nav .fold').click();
  const rows = await open.studio.logins();
  const shown = await page
    .locator('nav a[data-id]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-id')));
  const calm = rows.filter(({ isShipped, verdict }) => isShipped && ['expected', 'other'].includes(verdict));
  expect(calm.length).toBeGreaterThan(40);
  expect(shown.toSorted()).toEqual(
    rows
      .filter((row) => !calm.includes(row))
      .map(({ id }) => id)
      .toSorted(),
  );
  expect(shown.at(-1)).toBe('openidLoggedIn.own');
});

test('choosing an event shows it at once', async () => {
  await unfold(page);
  const ids = (await open.studio.logins()).slice(0, CHOICES).map(({ id }) => id);
  const figures: number[] = [];
  for (const id of ids) figures.push(await page.evaluate(`(${CHOOSE})(${JSON.stringify(id)})`));
  const shown = median(figures);
  tell(`an event is shown, median of ${figures.length} (promised: ${CHOSEN_MS.promised} ms)`, shown);
  expect(shown).toBeLessThan(CHOSEN_MS.bound);
});

/** In the page: milliseconds from the click to the frame that shows the event. */
const CHOOSE = `async (id) => {
  const before = document.querySelector('article.login');
  const begun = performance.now();
  document.querySelector('nav a[data-id="' + id + '"]').click();
  const isShown = () => {
    const article = document.querySelector('article.login');
    return article !== before && article?.querySelector('[role="tree"]');
  };
  while (!isShown()) await new Promise(requestAnimationFrame);
  return performance.now() - begun;
}`;

test('a handler that is changed in an editor: what is answered differently is shown, field by field', async () => {
  await choose(page, STUDIED);
  const begun = performance.now();
  await open.studio.write('handlers/own.ts', OWN('Second'));
  const panel = page.getByRole('region', { name: 'The last change of a file changed this response' });
  await panel.waitFor();
  const shown = performance.now() - begun;
  tell(`a changed handler shows (promised: ${CHANGED_MS.promised} ms)`, shown);
  expect(await panel.getByRole('row').allInnerTexts()).toEqual(
    ['Field\tBefore\tNow', 'affiliation\tFirst\tSecond'].map((row) => expect.stringMatching(row)),
  );
  await page.getByText('handlers/own.ts changed:').waitFor();
  const changed = (await open.studio.logins()).filter(({ changes }) => changes.length > 0);
  await unfold(page);
  expect(await page.locator('nav a', { hasText: '± 1 field changed' }).count()).toBe(changed.length);
  expect(await page.getByRole('status').allInnerTexts()).toContainEqual(
    expect.stringContaining(`handlers/own.ts changed: ${changed.length} responses changed`),
  );
  expect(shown).toBeLessThan(CHANGED_MS.bound);
});

test('a handler that cannot be built: the page says where, and the one before answers on', async () => {
  await open.studio.write('handlers/own.ts', 'export default (;\n');
  await page.getByRole('alert').filter({ hasText: 'handlers/own.ts:1:' }).waitFor();
  await open.studio.write('handlers/own.ts', OWN('Second'));
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('a login that is sent while the page is open appears at the top', async () => {
  await open.studio.login('/openid', openIdEvent());
  const received = page.getByRole('region', { name: /Received/ }).getByRole('link');
  await received.first().waitFor();
  expect(await received.count()).toBe(1);
  expect(await received.locator('.name').innerText()).toBe('Ada Lovelace');
  expect(await received.locator('.kind').innerText()).toMatch(/^OpenID \d+:\d\d/);
  expect(await received.locator('.who').innerText()).toBe('idp.example.org');
});

test('a login is answered by another handler until one goes back, and its address keeps the choice', async () => {
  const id = 'openidLoggedIn.own';
  const shown = page.locator('article.login[aria-busy="false"] h1');
  await choose(page, id);
  const inForce = await shown.innerText();
  const choice = page.getByLabel('Answered by');
  expect(await choice.getByRole('option', { name: 'handlers/staff-group' }).count()).toBe(0);
  await choice.selectOption('handlers/entra-groups');
  await shown.filter({ hasText: 'does not list the issuer' }).waitFor();
  await page.reload();
  await shown.filter({ hasText: 'does not list the issuer' }).waitFor();
  expect(await page.locator(`nav a[data-id="${id}"] .what`).innerText()).toBe(inForce);
  await choice.selectOption('');
  await shown.filter({ hasText: inForce }).waitFor();
});

test('nothing went wrong unseen', () => {
  expect(open.complaints).toEqual([]);
  expect(open.studio.command.stderr()).not.toMatch(/\n\s+at /);
});
