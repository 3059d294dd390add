/** Each screen for those who see little, on a telephone and on a wide screen, in light and dark. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { beforeAll, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { openIdEvent } from '../support/wire.ts';
import { useStudio } from './useStudio.ts';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HEIGHT = 900;
const THROWS = `export default () => { throw new Error('no directory today'); };\n`;
/** Longer than a telephone is wide. */
const LONG_NAME = `handlers/${'of-the-library-'.repeat(5)}guests.ts`;
const SERIOUS = ['serious', 'critical'];

const open = useStudio({
  'handlers/throws.ts': THROWS,
  [LONG_NAME]: THROWS,
  '.env.dev': 'OPENID_HANDLER_MODULE=handlers/throws\nSAML_HANDLER_MODULE=handlers/edugain-federation\n',
});
beforeAll(async () => {
  await open.studio.login('/openid', openIdEvent());
  await open.page.locator('article').waitFor();
});

/** Addresses behind the origin, and what is there when the screen is. */
const SCREENS: readonly [string, string, string][] = [
  ['a login that got in', '#/logins/samlLoggedIn.edugain-member', 'article .card.is-good'],
  ['a login that was refused', '#/logins/samlLoggedIn.edugain-foreign-scope', 'article .card.is-stopped'],
  ['a login that failed', '#/logins/received.1', 'article .card pre'],
  ['no such login', '#/logins/nothing', 'main .alone'],
  ['paste', '#/paste', 'textarea'],
  ['keep', '#/keep/samlLoggedIn.keycloak', '#keep'],
  ['a comparison', '#/compare/samlLoggedIn?with=default', '[aria-label=Comparison] table'],
  ['signing in', '#/sign-in?protocol=saml&provider=Keycloak', '.provider-steps'],
];

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [400, 2_000].map((width) => ({ colorScheme, width })),
);

test.each(SCREENS)('%s has no serious finding, and fits', async (_, path, sign) => {
  await open.page.goto(`${open.studio.origin}/${path}`);
  await open.page.locator(sign).first().waitFor();
  await expectGood(open.page);
});

test('the page without its token has no serious finding, and fits', async () => {
  const other = await open.browser.newContext();
  const bare = await other.newPage();
  await bare.goto(open.studio.origin);
  await bare.getByRole('heading', { level: 1 }).waitFor();
  await expectGood(bare);
  await other.close();
});

async function expectGood(shown: Page): Promise<void> {
  await shown.evaluate(AXE);
  for (const { colorScheme, width } of LOOKS) {
    await shown.emulateMedia({ colorScheme });
    await shown.setViewportSize({ width, height: HEIGHT });
    const found = {
      ...{ findings: await findingsOf(shown), title: await shown.title() },
      overflow: await shown.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)'),
      isUnstyled: await shown.locator('body > svg').isVisible(),
      headings: await shown.getByRole('heading', { level: 1 }).count(),
    };
    const good = {
      findings: [],
      title: expect.stringMatching(/./),
      overflow: 0,
      isUnstyled: false,
      headings: 1,
    };
    expect({ colorScheme, width, ...found }).toEqual({ colorScheme, width, ...good });
  }
}

/** Serious and critical ones, each with the elements that it is about. */
async function findingsOf(shown: Page): Promise<string[]> {
  const { violations }: AxeResults = await shown.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => SERIOUS.includes(impact ?? ''))
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target}: ${node.failureSummary}`));
}

test.each([400, 1_280])(
  'no table breaks words into letters, and rows of the list are 44 px high: %i px wide',
  async (width) => {
    await open.page.setViewportSize({ width, height: HEIGHT });
    await open.page.goto(`${open.studio.origin}/#/logins/samlLoggedIn.edugain-member`);
    const cells = open.page.getByRole('table', { name: 'Attributes' }).getByRole('columnheader');
    await cells.first().waitFor();
    const widths = await cells.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(widths).toHaveLength(3);
    expect(Math.min(...widths)).toBeGreaterThan(80);
    const heights = await open.page
      .locator('#list a[data-id]')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights.filter((height) => height > 0 && height !== 44)).toEqual([]);
  },
);
