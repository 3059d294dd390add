/** What the page says of rules about claims and sign-ins, and of user groups that have a name. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { choose, type OpenStudio, openStudio } from './openStudio.ts';

const UUID = '5f0c9d1e-3b7a-4c52-9e86-2d4b8a1f6c30';
const OWN = `import { mapOpenIdLogin } from 'login-hooks';

export default mapOpenIdLogin({
  groups: { from: ['groups'], table: [{ group: 'editors', uuid: '${UUID}', name: 'Journal editors' }] },
  rules: [{ claim: 'department', is: ['physics'] }, { assurance: { acr: ['gold'] } }],
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
    'events/openidLoggedIn/editor.json': event({ department: 'physics', acr: 'gold', groups: ['editors'] }),
    'events/openidLoggedIn/editor.expected.json': JSON.stringify(EXPECTED),
    'events/openidLoggedIn/chemist.json': event({ department: 'chemistry', acr: 'gold' }),
    'events/openidLoggedIn/unsaid.json': event({ department: 'physics' }),
    'events/openidLoggedIn/locked.json': event({ department: 'physics', acr: 'gold' }),
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
  ['chemist', 'rules[0].claim', ['refuses', 'chemistry', 'this decided the login']],
  ['unsaid', 'rules[1].assurance', ['cannot judge', 'this decided the login', 'Did not arrive: acr.']],
])('%s: the rule that decided says why', async (name, path, texts) => {
  await choose(page, `openidLoggedIn.${name}`);
  const shown = await page.locator('.rules li.is-decisive').innerText();
  for (const text of [path, ...texts]) expect(shown).toContain(text);
  expect(open.complaints).toEqual([]);
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
