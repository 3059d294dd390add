/** Callbacks that do not belong to a sign-in, or not to this one: they change nothing, and the page says what happened. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type OpenIdPages, openIdPages } from '../support/openIdPages.ts';
import { PERSON, type SamlIdp, samlIdp } from '../support/samlIdp.ts';
import { beginOpenId, beginSaml, CANARY, placesOf, result, tabPlacesOf, words } from './signIn.ts';
import { useStudio } from './useStudio.ts';

const NO_SIGN_IN = /^No sign-in is waiting for this callback/;
const GUESSED = 'A'.repeat(43);

const open = useStudio();
let openid: OpenIdPages;
let idp: SamlIdp;
beforeAll(async () => {
  const { origin } = open.studio;
  openid = await openIdPages({ redirectUri: `${origin}/callback/openid` });
  const claims = Object.fromEntries(Object.keys(PERSON).map((name) => [name, `${CANARY}@example.org`]));
  idp = await samlIdp(`${origin}/callback/saml`, () => ({ claims }));
});
afterAll(async () => {
  await openid?.close();
  idp?.close();
});
afterEach(() => open.context.clearCookies());

const names = async () => (await open.studio.logins()).map(({ id }) => id);

/** Signs in, and stops before the last redirect. @returns its address, which is the callback */
async function openIdCallback(person = CANARY): Promise<string> {
  await open.context.clearCookies();
  await beginOpenId(open.page, open.studio, { issuer: openid.issuer });
  await open.page.waitForURL('**/interaction/*');
  const { request } = open.page;
  let response = await request.post(open.page.url(), { form: { person }, maxRedirects: 0 });
  for (;;) {
    const { href } = new URL(response.headers().location ?? '', response.url());
    if (href.startsWith(open.studio.origin)) return href;
    response = await request.get(href, { maxRedirects: 0 });
  }
}

/** Signs in, and stops before the form is posted. @returns its fields */
async function samlCallback(): Promise<Record<string, string>> {
  const { promise, resolve } = Promise.withResolvers<string>();
  await open.page.route('**/callback/saml', async (route) => {
    resolve(route.request().postData() ?? '');
    await route.fulfill({ status: 204 });
  });
  await beginSaml(open.page, open.studio, `${idp.address}/metadata`);
  const posted = await promise;
  await open.page.unroute('**/callback/saml');
  return Object.fromEntries(new URLSearchParams(posted));
}

/** The browser posts a form from elsewhere. */
async function postFromElsewhere(fields: Record<string, string>): Promise<void> {
  await open.page.goto('about:blank');
  await open.page.evaluate(
    `(({ action, fields }) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action });
      for (const [name, value] of Object.entries(fields)) {
        form.append(Object.assign(document.createElement('textarea'), { name, value }));
      }
      document.body.append(form);
      form.submit();
    })(${JSON.stringify({ action: `${open.studio.origin}/callback/saml`, fields })})`,
  );
}

/** The tab came from elsewhere: it may have no token. */
async function refusedWords() {
  expect(await result(open.page)).toMatch(/^The sign-in was refused/);
  const said = await words(open.page);
  expect(await tabPlacesOf(new RegExp(`${CANARY}|${GUESSED}|code=|state=|eyJ`), open.page)).toEqual([]);
  return said;
}

describe('a callback of OpenID', () => {
  test('with a guessed state changes nothing: the sign-in goes on', async () => {
    const right = await openIdCallback();
    const before = await names();
    const wrong = new URL(right);
    wrong.searchParams.set('state', GUESSED);
    await open.page.goto(wrong.href);
    expect(await refusedWords()).toEqual({ theirs: null, ours: expect.stringMatching(NO_SIGN_IN) });
    expect(await names()).toEqual(before);
    await open.page.goto(right);
    expect(await result(open.page)).toMatch(/^(Authorized|Error)/);
  });

  test('with HTML in the words of the provider shows it as text', async () => {
    const callback = new URL(await openIdCallback());
    const html =
      '<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">here</a>';
    callback.searchParams.delete('code');
    callback.searchParams.set('error', 'access_denied');
    callback.searchParams.set('error_description', html);
    await open.page.goto(callback.href);
    const { theirs } = await refusedWords();
    expect(theirs).toContain('<img src=x onerror=');
    expect(await open.page.locator('blockquote :is(img, script, a)').count()).toBe(0);
  });
});

describe('a callback of SAML', () => {
  test('that another site posts with a guessed RelayState changes nothing: the sign-in goes on', async () => {
    const right = await samlCallback();
    const before = await names();
    await postFromElsewhere({ ...right, RelayState: GUESSED });
    expect(await refusedWords()).toEqual({ theirs: null, ours: expect.stringMatching(NO_SIGN_IN) });
    expect(await names()).toEqual(before);
    await postFromElsewhere(right);
    expect(await result(open.page)).toMatch(/^(Authorized|Error)/);
  });
});

test('no file and no line of the terminal has the person, a code or a token', async () => {
  expect(await placesOf(new RegExp(`${CANARY}|${GUESSED}`), open)).toEqual([]);
  expect(open.studio.command.stderr()).toBe('');
});
