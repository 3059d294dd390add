/** Callbacks that do not belong to a sign-in, or not to this one: they change nothing, and the page says what happened. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { MAX_FORM } from '../../tools/signIn/callback.ts';
import { type OpenIdPages, openIdPages } from '../support/openIdPages.ts';
import { PERSON, type SamlIdp, samlIdp } from '../support/samlIdp.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';
import { beginOpenId, beginSaml, CANARY, placesOf, result, tabPlacesOf, words } from './signIn.ts';

const NO_SIGN_IN = /^No sign-in is waiting for this callback/;
const GUESSED = 'A'.repeat(43);
const FORM = 'application/x-www-form-urlencoded';
/** More than the studio remembers results. */
const FLOOD = 60;

let open: OpenStudio;
let page: Page;
let openid: OpenIdPages;
let idp: SamlIdp;
let site: Server;
beforeAll(async () => {
  open = await openStudio();
  ({ page } = open);
  const { origin } = open.studio;
  openid = await openIdPages({ redirectUri: `${origin}/callback/openid` });
  const claims = Object.fromEntries(Object.keys(PERSON).map((name) => [name, `${CANARY}@example.org`]));
  idp = await samlIdp(`${origin}/callback/saml`, () => ({ claims }));
  site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<body>')).listen(
    0,
  );
  await once(site, 'listening');
  await open.studio.ready();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await open?.close();
  await openid?.close();
  idp?.close();
  site?.close();
});
afterEach(() => open.context.clearCookies());

const asked = (path: string, request: RequestInit = {}) =>
  fetch(open.studio.origin + path, { redirect: 'manual', ...request });
const names = async () => (await open.studio.logins()).map(({ id }) => id);

/** Signs in, and stops before the last redirect. @returns its address, which is the callback */
async function openIdCallback(person = CANARY): Promise<string> {
  await open.context.clearCookies();
  await beginOpenId(page, open.studio, { issuer: openid.issuer });
  await page.waitForURL('**/interaction/*');
  const { request } = page;
  let response = await request.post(page.url(), { form: { person }, maxRedirects: 0 });
  for (;;) {
    const { href } = new URL(response.headers().location ?? '', response.url());
    if (href.startsWith(open.studio.origin)) return href;
    response = await request.get(href, { maxRedirects: 0 });
  }
}

/** Signs in, and stops before the form is posted. @returns its fields */
async function samlCallback(): Promise<Record<string, string>> {
  const { promise, resolve } = Promise.withResolvers<string>();
  await page.route('**/callback/saml', async (route) => {
    resolve(route.request().postData() ?? '');
    await route.fulfill({ status: 204 });
  });
  await beginSaml(page, open.studio, `${idp.address}/metadata`);
  const posted = await promise;
  await page.unroute('**/callback/saml');
  return Object.fromEntries(new URLSearchParams(posted));
}

/** The browser posts a form from another site. */
async function postFromElsewhere(fields: Record<string, string>, enctype = FORM): Promise<void> {
  const { port } = site.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate(
    `(({ action, fields, enctype }) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action, enctype });
      for (const [name, value] of Object.entries(fields)) {
        form.append(Object.assign(document.createElement('textarea'), { name, value }));
      }
      document.body.append(form);
      form.submit();
    })(${JSON.stringify({ action: `${open.studio.origin}/callback/saml`, fields, enctype })})`,
  );
}

/** The tab came from elsewhere: it may have no token. */
async function refusedWords() {
  expect(await result(page)).toMatch(/^The sign-in was refused/);
  const said = await words(page);
  expect(await tabPlacesOf(new RegExp(`${CANARY}|${GUESSED}|code=|state=|eyJ`), page)).toEqual([]);
  return said;
}

describe('a callback of OpenID', () => {
  test.each<[string, (url: URL) => void]>([
    ['with a guessed state', (url) => url.searchParams.set('state', GUESSED)],
  ])('%s changes nothing: the sign-in goes on', async (_, change) => {
    const right = await openIdCallback();
    const before = await names();
    const wrong = new URL(right);
    change(wrong);
    await page.goto(wrong.href);
    expect(await refusedWords()).toEqual({ theirs: null, ours: expect.stringMatching(NO_SIGN_IN) });
    expect(await names()).toEqual(before);
    await page.goto(right);
    expect(await result(page)).toMatch(/^(Authorized|Error)/);
  });

  test('with HTML in the words of the provider shows it as text', async () => {
    const callback = new URL(await openIdCallback());
    const html =
      '<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">here</a>';
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    callback.searchParams.set('error_description', html);
    await page.goto(callback.href);
    const { theirs } = await refusedWords();
    expect(theirs).toContain('<img src=x onerror=');
    expect(await page.locator('blockquote :is(img, script, a)').count()).toBe(0);
  });
});

describe('a callback of SAML', () => {
  test.each<[string, Record<string, string>]>([['a guessed RelayState', { RelayState: GUESSED }]])(
    'that another site posts with %s changes nothing: the sign-in goes on',
    async (_, change) => {
      const right = await samlCallback();
      const before = await names();
      await postFromElsewhere({ ...right, ...change });
      expect(await refusedWords()).toEqual({ theirs: null, ours: expect.stringMatching(NO_SIGN_IN) });
      expect(await names()).toEqual(before);
      await postFromElsewhere(right);
      expect(await result(page)).toMatch(/^(Authorized|Error)/);
    },
  );

  test.each<[string, Record<string, string>, string]>([
    ['without anything', {}, FORM],
    ['as plain text', { RelayState: GUESSED }, 'text/plain'],
  ])('%s is refused', async (_, fields, enctype) => {
    const before = await names();
    await postFromElsewhere(fields, enctype);
    expect(await refusedWords()).toEqual({ theirs: null, ours: expect.stringMatching(NO_SIGN_IN) });
    expect(await names()).toEqual(before);
  });

  test('of more than 1.5 MB is refused', async () => {
    const right = await samlCallback();
    const before = await names();
    await postFromElsewhere({ RelayState: right.RelayState ?? '', SAMLResponse: 'a'.repeat(MAX_FORM) });
    await page.waitForURL('**/callback/saml');
    expect(await page.locator('body').innerText()).toContain(`expected at most ${MAX_FORM} bytes`);
    expect(await names()).toEqual(before);
    await postFromElsewhere(right);
    expect(await result(page)).toMatch(/^(Authorized|Error)/);
  });

  test.each([['a form of files without its boundary', 'multipart/form-data']])(
    'with %s is refused, and is no defect',
    async (_, type) => {
      const body = '--x\r\nContent-Disposition: form-data; name="RelayState"';
      const headers = { 'content-type': type };
      const { status } = await asked('/callback/saml', { method: 'POST', headers, body });
      expect([303, 400]).toContain(status);
      expect(open.studio.command.stderr()).toBe('');
    },
  );
});

test('many callbacks of nobody do not push out the result of a sign-in', async () => {
  await page.goto(await openIdCallback());
  await result(page);
  for (let count = 0; count < FLOOD; count++) await asked(`/callback/openid?state=${GUESSED}${count}`);
  await page.reload();
  expect(await result(page)).toMatch(/^(Authorized|Error)/);
});

test('no file and no line of the terminal has the person, a code or a token', async () => {
  expect(await placesOf(new RegExp(`${CANARY}|${GUESSED}`), open)).toEqual([]);
  expect(open.studio.command.stderr()).toBe('');
});

test('nothing went wrong unseen', () => {
  // The browser itself writes a line for each response with a status of 400 or more.
  expect(open.complaints.filter((text) => !/\b(413|422)\b/.test(text))).toEqual([]);
});
