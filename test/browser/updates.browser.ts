/** What an update of the page leaves as the person has it, and how soon it is there. */
import { beforeAll, expect, test } from '@jest/globals';
import { openIdEvent } from '../support/wire.ts';
import { choose, shows, useStudio } from './useStudio.ts';

const OWN = 'openidLoggedIn.own';
/** On a busy machine; on a quiet one it takes less than half a second. */
const SAVED_MS = 10_000;

const handler = (
  affiliation: string,
) => `import { handleOpenIdUserLoggedIn, type OpenIdHandler } from 'login-hooks';

const own: OpenIdHandler = (event) => {
  const response = handleOpenIdUserLoggedIn(event);
  return response.type === 'AuthorizedUserResponse' ? { ...response, affiliation: '${affiliation}' } : response;
};

export default own;
`;

const FILES = {
  'handlers/own.ts': handler('First'),
  'events/openidLoggedIn/own.json': JSON.stringify(openIdEvent()),
  '.env.dev': 'OPENID_HANDLER_MODULE=handlers/own\n',
};
const open = useStudio(FILES, { samples: [] });
beforeAll(() => choose(open.page, OWN));

let saves = 0;

/** Saves the handler, and waits until the page has its answer. @returns the milliseconds from the save to the paint */
async function save(): Promise<number> {
  saves += 1;
  const affiliation = `Saved ${saves}`;
  const painted = open.page.evaluate(`(${PAINTED})(${JSON.stringify(affiliation)})`);
  const begun = performance.now();
  await open.studio.write('handlers/own.ts', handler(affiliation));
  await painted;
  return performance.now() - begun;
}

/** In the page: resolves when what differs says so, and it is painted. */
const PAINTED = `(text) => new Promise((resolve) => {
  const look = () => {
    const isThere = document.querySelector('[aria-label="What differs"]')?.textContent.includes(text);
    requestAnimationFrame(isThere ? () => requestAnimationFrame(resolve) : look);
  };
  look();
})`;

test('a save is on the page soon, with what it changed', async () => {
  expect(await save()).toBeLessThan(SAVED_MS);
  expect(await open.page.locator('.live').innerText()).toMatch(/handlers\/own\.ts · \d+ responses? changed/);
});

test('an opened tree, its scroll and the focus in it stay', async () => {
  await open.page.locator('#record > summary').click();
  await open.page.evaluate("document.querySelector('main').scrollTop = 120");
  const state = `JSON.stringify([
    document.activeElement.parentElement.id,
    document.querySelector('#record').open,
    document.querySelector('main').scrollTop,
  ])`;
  const before = await open.page.evaluate(state);
  expect(before).toContain('"record",true');
  await save();
  expect(await open.page.evaluate(state)).toBe(before);
});

test('what was folded stays folded', async () => {
  const details = open.page.locator('.tree details[open]').first();
  const id = await details.getAttribute('id');
  await details.locator('summary').first().click();
  await save();
  expect(await open.page.locator(`[id="${id}"]`).getAttribute('open')).toBeNull();
});

test('what a form is filled in with, its focus and caret, and what came of it, stay', async () => {
  await open.page.goto(`${open.studio.origin}/#/keep/${OWN}`);
  await open.page.getByLabel('Name of the sample').fill('Not A Name');
  await open.page.getByRole('button', { name: 'Show what would be written' }).click();
  const outcome = open.page.getByRole('heading', { name: 'This login cannot be kept' });
  await outcome.waitFor();
  await open.page.getByLabel('Name of the sample').focus();
  await open.page.keyboard.press('End');
  await open.page.keyboard.press('ArrowLeft');
  const state =
    'JSON.stringify([document.activeElement.id, document.activeElement.value, document.activeElement.selectionStart])';
  await open.studio.write('handlers/own.ts', handler('While a form is open'));
  await open.page.locator('.live').filter({ hasText: 'served' }).waitFor();
  expect(await open.page.evaluate(state)).toBe('["name","Not A Name",9]');
  expect(await outcome.isVisible()).toBe(true);
});

test('a comparison is of the files as they are', async () => {
  await open.page.goto(`${open.studio.origin}/#/compare/openidLoggedIn?with=default`);
  const comparison = open.page.getByRole('region', { name: 'Comparison' });
  await comparison.waitFor();
  await open.studio.write('handlers/own.ts', handler('Compared'));
  await comparison.getByText('Compared').first().waitFor();
});

test('a file that does not build has its place, and the answer below is told to be older', async () => {
  await open.page.goto(`${open.studio.origin}/#/logins/${OWN}`);
  await shows(open.page, OWN);
  await open.studio.write('handlers/own.ts', 'export default ;\n');
  await open.page.getByText('This answer is older than your files').waitFor();
  const problem = open.page.locator('#top .problem');
  expect(await problem.locator('button').getAttribute('title')).toMatch(/^handlers\/own\.ts:1:\d+$/);
  await open.studio.write('handlers/own.ts', handler('Mended'));
  await problem.waitFor({ state: 'detached' });
  await open.page.getByText('This answer is older than your files').waitFor({ state: 'detached' });
});

test('who should not get in is told in red, with a link', async () => {
  const expected = {
    handler: 'handlers/own',
    status: 200,
    answer: { type: 'ForbiddenResponse', message: 'No.' },
  };
  await open.studio.write('events/openidLoggedIn/own.expected.json', JSON.stringify(expected));
  const alarm = open.page.getByRole('link', { name: '1 should not get in' });
  await alarm.click();
  expect(await open.page.locator('main h1').innerText()).toMatch(
    /^Should not get in: authorized as Ada Lovelace/,
  );
  expect(await open.page.locator('#list a[data-id]').first().getAttribute('data-id')).toBe(OWN);
});

test.each([
  ['from a second policy', "trustedTypes.createPolicy('other', { createHTML: (html) => html })"],
  ['from a policy of the same name', "trustedTypes.createPolicy('studio', { createHTML: (html) => html })"],
  ['from a text', "document.body.innerHTML = '<p>'"],
])('HTML is not taken %s', async (_, script) => {
  const tried = `(() => { try { ${script}; return 'done'; } catch (error) { return error.name; } })()`;
  expect(await open.page.evaluate(tried)).toBe('TypeError');
  expect(open.complaints.splice(0)).toEqual([expect.stringMatching(/Trusted ?(?:HTML|Types)|trusted-types/)]);
});
