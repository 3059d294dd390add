/** Logins that harm the people who look at them, by their claims. */
import { expect, test } from '@jest/globals';
import { attribute, openIdEvent, samlEvent } from '../support/wire.ts';
import { choose, useStudio } from './useStudio.ts';

/** In characters: the page cuts long texts. */
const SHOWN_AT_LEAST = 40;
const RIGHT_TO_LEFT_OVERRIDE = '\u202e';

const open = useStudio();

let count = 0;

/** Sends a login. @returns its id */
async function received(path: '/openid' | '/saml', event: unknown): Promise<string> {
  await open.studio.login(path, event);
  count += 1;
  return `received.${count}`;
}

const ELEMENT = '<img src=x onerror=alert(1)>';
const TEXTS = [
  ELEMENT,
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '&lt;b&gt;&#60;i&#62;',
  'javascript:alert(1)',
  '<svg/onload=alert(1)>',
  '</style><style>*{display:none}</style>',
  'A'.repeat(5_000),
  'a\n'.repeat(50),
];
const LONG_NAME = `https://idp.example/${'claim/'.repeat(13)}`;

/** The page writes the end of a line as an escape. */
function inkOf(text: string): string {
  return text.replaceAll('\\n', '').replaceAll(/\s/g, '');
}

/** All that is in the page, where a claim could have made it. */
const FOREIGN =
  'document.querySelectorAll("img, iframe, object, embed, base, meta[http-equiv], #page script, #page style, #page i, [onerror], [onload], a[href^=javascript]").length';

const CLAIMS = {
  ...Object.fromEntries(TEXTS.map((text) => [text, text])),
  given_name: ELEMENT,
  family_name: `${RIGHT_TO_LEFT_OVERRIDE}adA\u2066\u200f\u200bx`,
  groups: TEXTS.flatMap((text) => [text, { [text]: text }]),
  digits: '7'.repeat(500),
  [RIGHT_TO_LEFT_OVERRIDE]: RIGHT_TO_LEFT_OVERRIDE,
  [LONG_NAME]: { inner: 'a' },
};
const OPENID = openIdEvent();
Object.assign(OPENID.idToken.otherClaims, CLAIMS);
const ATTRIBUTES = [
  attribute('urn:oid:2.5.4.42', ELEMENT, 'givenName'),
  ...TEXTS.map((text) => attribute(text, text, text)),
];

test.each([
  ['claim', '/openid', OPENID],
  ['attribute', '/saml', samlEvent(ATTRIBUTES)],
] as const)('a hostile %s is shown as text, makes no element, and moves no text', async (_, path, event) => {
  await choose(open.page, await received(path, event));
  const evidence = inkOf((await open.page.locator('.evidence').textContent()) ?? '');
  const starts = TEXTS.map((text) => inkOf(text).slice(0, SHOWN_AT_LEAST));
  // Not the whole tree: a failure would print it.
  expect(starts.filter((start) => !evidence.includes(start))).toEqual([]);
  expect(await open.page.evaluate(FOREIGN)).toBe(0);
  const shown = (await open.page.locator('#page').textContent()) ?? '';
  expect(shown).not.toContain(RIGHT_TO_LEFT_OVERRIDE);
  if (path === '/openid') expect(shown).toMatch(/202e/i);
});

test('a long text of digits has its length, and the name of an opened claim is not cut', async () => {
  await choose(open.page, await received('/openid', OPENID));
  expect(await open.page.locator('.evidence').textContent()).toContain('… 500 characters');
  const line = open.page.locator('.evidence .tree summary').filter({ hasText: LONG_NAME });
  await line.click();
  expect(await line.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
});
