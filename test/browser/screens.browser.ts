/** Each screen for those who see little, on a telephone and on a wide screen, in light and dark. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HEIGHT = 900;
const THROWS = `export default () => { throw new Error('no directory today'); };\n`;
const SERIOUS = ['serious', 'critical'];

let open: OpenStudio;
let page: Page;
beforeAll(async () => {
  open = await openStudio({
    'handlers/throws.ts': THROWS,
    '.env.dev': 'OPENID_HANDLER_MODULE=handlers/throws\nSAML_HANDLER_MODULE=handlers/edugain-federation\n',
  });
  ({ page } = open);
  await open.studio.ready();
  await open.studio.login('/openid', openIdEvent());
  await page.locator('article.login h1').waitFor();
}, START_TIMEOUT_MS);
afterAll(() => open?.close());

/** Addresses behind the origin, and what is there when the screen is. */
const SCREENS: readonly [string, string, string][] = [
  ['a login that got in', '#/logins/samlLoggedIn.edugain-member', 'article[aria-busy="false"] [role="tree"]'],
  [
    'a login that was refused',
    '#/logins/samlLoggedIn.edugain-foreign-scope',
    'article[aria-busy="false"] [role="tree"]',
  ],
  ['a login that failed', '#/logins/received.1', 'article[aria-busy="false"] .panel'],
  [
    'a login by another handler',
    '#/logins/samlLoggedIn.keycloak?handler=handlers%2Fdirectory-lookup',
    'article[aria-busy="false"] .panel',
  ],
  ['no such login', '#/logins/nothing', '[role="alert"]'],
  ['paste', '#/paste', 'textarea'],
  ['keep', '#/logins/samlLoggedIn.keycloak/keep', 'form'],
  ['compare', '#/compare', 'select'],
  ['a comparison', '#/compare/samlLoggedIn?with=default', 'table'],
];

describe.each([
  ['light', 400],
  ['light', 2_000],
  ['dark', 400],
  ['dark', 2_000],
] as const)('in %s, %i px wide', (colorScheme, width) => {
  beforeAll(async () => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: HEIGHT });
  });

  test.each(SCREENS)('%s has no serious finding, and fits', async (_, path, sign) => {
    await page.goto(`${open.studio.origin}/${path}`);
    await page.locator(sign).first().waitFor();
    await expectGood(page);
  });

  test('the page without its token has no serious finding, and fits', async () => {
    const bare = await open.context.newPage();
    await bare.emulateMedia({ colorScheme });
    await bare.setViewportSize({ width, height: HEIGHT });
    await bare.goto(open.studio.origin);
    await bare.getByRole('heading', { level: 1 }).waitFor();
    await expectGood(bare);
    await bare.close();
  });
});

async function expectGood(shown: Page): Promise<void> {
  expect(await findingsOf(shown)).toEqual([]);
  expect(await shown.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  expect(await shown.getByRole('heading', { level: 1 }).count()).toBe(1);
  expect(await shown.title()).not.toBe('');
}

interface Violation {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** Serious and critical ones, each with the elements that it is about. */
async function findingsOf(shown: Page): Promise<string[]> {
  await shown.evaluate(AXE);
  const { violations } = await shown.evaluate<{ violations: Violation[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target}: ${node.failureSummary}`));
}

test('what moves stands still for those who ask for it', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${open.studio.origin}/#/logins`);
  await page.locator('article[aria-busy="false"] h1').waitFor();
  const moving = 'document.getAnimations().map(({ effect }) => effect.target.outerHTML.slice(0, 100))';
  expect(await page.evaluate(moving)).toEqual([]);
});

test('nothing went wrong unseen', () => {
  expect(open.complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
});
