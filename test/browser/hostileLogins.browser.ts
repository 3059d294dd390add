/** Logins that harm the people who look at them, by their claims. */
import { beforeAll, describe, expect, test } from '@jest/globals';
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

const TEXTS = {
  'an element': '<img src=x onerror=alert(1)>',
  'a script': '<script>alert(1)</script>',
  'the end of a script': '</script><script>alert(1)</script>',
  'a template': '{{constructor.constructor("alert(1)")()}}',
  'an entity': '&lt;b&gt;&#60;i&#62;',
  'a link': 'javascript:alert(1)',
  'an SVG': '<svg/onload=alert(1)>',
  'a style': '</style><style>*{display:none}</style>',
  'a long text': 'A'.repeat(5_000),
  'many lines': 'a\n'.repeat(50),
};
const LONG_NAME = `https://idp.example/${'claim/'.repeat(13)}`;

/** The page writes the end of a line as an escape. */
function inkOf(text: string): string {
  return text.replaceAll('\\n', '').replaceAll(/\s/g, '');
}

/** All that is in the page, where a claim could have made it. */
const FOREIGN =
  'document.querySelectorAll("img, iframe, object, embed, base, meta[http-equiv], #page script, #page style, #page i, [onerror], [onload], a[href^=javascript]").length';

const texts = Object.values(TEXTS);
const CLAIMS = {
  ...Object.fromEntries(texts.map((text) => [text, text])),
  given_name: TEXTS['an element'],
  family_name: `${RIGHT_TO_LEFT_OVERRIDE}adA\u2066\u200f\u200bx`,
  groups: texts.flatMap((text) => [text, { [text]: text }]),
  digits: '7'.repeat(500),
  [RIGHT_TO_LEFT_OVERRIDE]: RIGHT_TO_LEFT_OVERRIDE,
  [LONG_NAME]: { inner: 'a' },
};
const OPENID = openIdEvent();
Object.assign(OPENID.idToken.otherClaims, CLAIMS);
const ATTRIBUTES = [
  attribute('urn:oid:2.5.4.42', TEXTS['an element'], 'givenName'),
  ...texts.map((text) => attribute(text, text, text)),
];

describe.each([
  ['claim', '/openid', OPENID],
  ['attribute', '/saml', samlEvent(ATTRIBUTES)],
] as const)('a hostile %s', (_, path, event) => {
  let shown: string;
  beforeAll(async () => {
    await choose(open.page, await received(path, event));
    shown = (await open.page.locator('#page').textContent()) ?? '';
  });

  test.each(Object.entries(TEXTS))('is shown as text: %s', async (_, text) => {
    const evidence = inkOf((await open.page.locator('.evidence').textContent()) ?? '');
    const start = inkOf(text).slice(0, SHOWN_AT_LEAST);
    // Not the whole tree: a failure would print it.
    expect([start, evidence.includes(start)]).toEqual([start, true]);
  });

  test('makes no element, and moves no text', async () => {
    expect(await open.page.evaluate(FOREIGN)).toBe(0);
    expect(shown).not.toContain(RIGHT_TO_LEFT_OVERRIDE);
    if (path === '/openid') expect(shown).toMatch(/202e/i);
  });
});

test('a long text of digits has its length, and the name of an opened claim is not cut', async () => {
  await choose(open.page, await received('/openid', OPENID));
  expect(await open.page.locator('.evidence').textContent()).toContain('… 500 characters');
  const line = open.page.locator('.evidence .tree summary').filter({ hasText: LONG_NAME });
  await line.click();
  expect(await line.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
});
