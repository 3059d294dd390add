/** What the page says of rules about claims and sign-ins, and of user groups that have a name. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { choose, type OpenStudio, openStudio } from './openStudio.ts';

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const OWN = `import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  groups: { from: ['groups'], table: [{ group: 'editors', uuid: '${UUID}', name: 'Journal editors' }] },
  rules: [
    { claim: 'department', is: ['physics'] },
    { assurance: { acr: ['gold'] } },
    { no_group: ['/suspended'] },
  ],
});
`;

function event(claims: Record<string, unknown>): string {
  const wire = openIdEvent();
  Object.assign(wire.idToken.otherClaims, claims);
  return JSON.stringify(wire);
}

const EXPECTED = {
  handler: 'handlers/own',
  status: 200,
  answer: {
    type: 'AuthorizedUserResponse',
    ...{
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.org',
      image_url: null,
      affiliation: null,
    },
    user_group_uuids: [],
  },
};

let open: OpenStudio;
let page: Page;
beforeAll(async () => {
  open = await openStudio({
    'handlers/own.ts': OWN,
    'events/openidLoggedIn/editor.json': event({
      department: 'physics',
      acr: 'gold',
      groups: ['editors'],
      unit: { name: 'Optics' },
    }),
    'events/openidLoggedIn/editor.expected.json': JSON.stringify(EXPECTED),
    'events/openidLoggedIn/chemist.json': event({ department: 'chemistry', acr: 'gold', groups: [] }),
    'events/openidLoggedIn/suspended.json': event({
      department: 'physics',
      acr: 'gold',
      groups: ['editors', '/suspended'],
    }),
    'events/openidLoggedIn/unsaid.json': event({ department: 'physics', groups: [] }),
    'events/openidLoggedIn/locked.json': event({ department: 'physics', acr: 'gold', groups: [] }),
    'events/openidLoggedIn/locked.expected.json': JSON.stringify({
      handler: 'handlers/own',
      status: 200,
      answer: { type: 'ForbiddenResponse', message: 'No.' },
    }),
    '.env.dev': 'OPENID_HANDLER_MODULE=handlers/own\n',
  });
  ({ page } = open);
}, START_TIMEOUT_MS);
afterAll(() => open?.close());

test.each([
  [
    'chemist',
    'a value of the event',
    ['"department", is ["physics"]', 'chemistry at id_token.other_claims.department'],
  ],
  ['unsaid', 'no value of the event', ['{"acr":["gold"]}', 'Did not arrive: acr.']],
])('%s: what decided is the rule as the mapping has it, and %s', async (name, _, texts) => {
  await choose(page, `openidLoggedIn.${name}`);
  const shown = await page.getByRole('region', { name: 'What decided' }).innerText();
  for (const text of texts) expect(shown).toContain(text);
  expect(open.complaints).toEqual([]);
});

test('what was found leads to its place in the event, which folds the rest', async () => {
  await choose(page, 'openidLoggedIn.chemist');
  const rows = page.getByRole('tree', { name: 'Event' }).getByRole('treeitem');
  expect(await rows.filter({ hasText: 'id_token_jwt' }).count()).toBe(0);
  await page.getByRole('region', { name: 'What decided' }).getByRole('button').click();
  expect(await page.locator('[role="treeitem"]:focus').innerText()).toMatch(/→ decision$/);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await rows.filter({ hasText: 'id_token_jwt' }).waitFor();
  expect(await page.locator('[role="treeitem"]:focus').innerText()).toContain('access_token');
});

test('a group that a rule denies is marked among the groups, and the refusal is no failure', async () => {
  await choose(page, 'openidLoggedIn.suspended');
  const denied = page
    .getByRole('list', { name: 'Groups' })
    .getByRole('listitem')
    .filter({ hasText: 'denied' });
  expect(await denied.locator('.value').allInnerTexts()).toEqual(['/suspended']);
  expect(await page.locator('.step.is-refused').innerText()).toContain('refused here');
  expect(await page.locator('.step.is-ended').count()).toBe(0);
});

test('rules that all allow are folded', async () => {
  await choose(page, 'openidLoggedIn.editor');
  const rules = page.getByRole('region', { name: 'Rules' });
  expect(await rules.getByRole('listitem').count()).toBe(0);
  await rules.getByText('All 3 allow the login').click();
  expect(await rules.getByRole('listitem').count()).toBe(3);
});

test.each([400, 1_280])('%i px wide, what decided stands on top, before the event', async (width) => {
  await page.setViewportSize({ width, height: 720 });
  await choose(page, 'openidLoggedIn.chemist');
  const top = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN;
  const decided = await top(page.getByRole('region', { name: 'What decided' }));
  expect(decided - (await top(page.locator('article.login')))).toBeLessThan(200);
  expect(decided).toBeLessThan(await top(page.getByRole('region', { name: 'Event' })));
});

test('a user group has its name beside its row and beside its UUID', async () => {
  await choose(page, 'openidLoggedIn.editor');
  expect(await page.locator('.values .rows').innerText()).toBe('→ groups.table[0] (Journal editors)');
  const row = page.getByRole('tree', { name: 'Response' }).getByRole('treeitem').last();
  expect((await row.innerText()).split('\n')).toEqual(['0:', UUID, '(Journal editors)']);
  expect(await page.getByRole('table', { name: 'What differs' }).innerText()).toContain(
    `+ ${UUID} (Journal editors)`,
  );
});

test('somebody who gets in and should not is first, and in red', async () => {
  await choose(page, 'openidLoggedIn.locked');
  const sentence = 'Gets in, expected Forbidden. Authorized as Ada Lovelace, ada@example.org, no group';
  expect(await page.locator('.headline.is-bad').innerText()).toBe(sentence);
  const first = page.locator('nav .sections a').first();
  expect(await first.getAttribute('data-id')).toBe('openidLoggedIn.locked');
  expect(await first.locator('.what.is-bad').innerText()).toBe(sentence);
});

test('after a change of the handler, the event shows what is used now', async () => {
  await choose(page, 'openidLoggedIn.editor');
  const marked = page.getByRole('tree', { name: 'Event' }).locator('mark').filter({ hasText: 'Optics' });
  expect(await marked.count()).toBe(0);
  await open.studio.write(
    'handlers/own.ts',
    OWN.replace('groups: {', "affiliation: ['unit.name'], groups: {"),
  );
  await marked.waitFor();
});
