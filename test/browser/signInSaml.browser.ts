/** Signing in at one's own SAML provider, out of the page. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { certificateIn, encryptionFor } from '../support/samlEncryption.ts';
import { PERSON, type SamlIdp, samlIdp, type Wishes } from '../support/samlIdp.ts';
import { START_TIMEOUT_MS } from './hostile.ts';
import { type OpenStudio, openStudio } from './openStudio.ts';
import { beginSaml, CANARY, codes, placesOf, result, tabPlacesOf, words } from './signIn.ts';

const CLAIMS = Object.fromEntries(
  Object.entries(PERSON).map(([name, value]) => [name, value.replace(/ada@|Lovelace/, `${CANARY}$&`)]),
);
const PERSON_OF_TEST = new RegExp(CANARY, 'i');
const JOINED = 'staffstudents';

let open: OpenStudio;
let page: Page;
let idp: SamlIdp;
let wishes: Wishes = {};
beforeAll(async () => {
  open = await openStudio();
  ({ page } = open);
  idp = await samlIdp(`${open.studio.origin}/callback/saml`, () => ({ claims: CLAIMS, ...wishes }));
  await open.studio.ready();
}, START_TIMEOUT_MS);
afterAll(async () => {
  await open?.close();
  idp?.close();
});
beforeEach(() => {
  wishes = {};
});

async function signIn(metadata = `${idp.address}/metadata`): Promise<string> {
  await beginSaml(page, open.studio, metadata);
  return result(page);
}

const names = async () => (await open.studio.logins()).map(({ id }) => id);
const problems = () =>
  page.getByRole('region', { name: 'Findings' }).locator('li', { hasText: 'Problem' }).allInnerTexts();

describe('a sign-in', () => {
  test.each<[string, () => string]>([
    ['by the address of the metadata', () => `${idp.address}/metadata`],
    ['by metadata that is pasted', () => idp.metadata()],
  ])('%s shows the login and its answer', async (_, metadata) => {
    expect(await signIn(metadata())).toContain(`Authorized as Ada ${CANARY}Lovelace`);
    expect(await problems()).toEqual([]);
  });

  test('with groups says that the known service joins them', async () => {
    wishes = { claims: { ...CLAIMS, groups: ['staff', 'students'] } };
    expect(await signIn()).toMatch(/^Authorized/);
    expect(await codes(page)).toContain('values_joined');
    expect(await page.locator('article').textContent()).not.toContain(JOINED);
  });

  test('with an assertion that is encrypted for the certificate of our metadata', async () => {
    const metadata = await (await fetch(`${open.studio.origin}/saml/metadata`)).text();
    wishes = encryptionFor(certificateIn(metadata));
    expect(await signIn()).toMatch(/^Authorized/);
    expect(await problems()).toEqual([]);
    expect(await codes(page)).toContain('assertion_opened');
  });
});

describe('a sign-in is refused', () => {
  test.each<[string, Wishes, string | null, RegExp, string]>([
    [
      'where the response is for another audience',
      { audience: 'https://other.example.net' },
      null,
      /meant for https:\/\/other\.example\.net.* as our entity ID at the provider/,
      'assertion_audience_refused',
    ],
    [
      'by the provider, in its words and in ours',
      {
        error: {
          code: 'urn:oasis:names:tc:SAML:2.0:status:Responder',
          description: `${CANARY}@example.org is not assigned to this service`,
        },
      },
      'Responder: … is not assigned to this service',
      /^Assign the person to this application/,
      'status_not_success',
    ],
    [
      'where the response was changed on its way',
      { change: (xml) => xml.replace('>Ada<', '>Eve<') },
      null,
      /does not match/,
      'saml_signature_wrong',
    ],
  ])('%s', async (_, wished, theirs, ours, code) => {
    const before = await names();
    wishes = wished;
    expect(await signIn()).toBe('The sign-in was refused: SAML');
    expect(await words(page)).toEqual({ theirs, ours: expect.stringMatching(ours) });
    expect(await codes(page)).toContain(code);
    expect(await names()).toEqual(before);
    expect(await tabPlacesOf(PERSON_OF_TEST, page)).toEqual([]);
  });

  test('because the metadata has no provider', async () => {
    await beginSaml(page, open.studio, '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"/>');
    await page
      .locator('#started')
      .filter({ hasText: /\S.{20}/ })
      .waitFor();
  });
});

test('no file and no line of the terminal has the person', async () => {
  expect(await placesOf(PERSON_OF_TEST, open)).toEqual([]);
  expect(open.studio.command.stderr()).toBe('');
});

test('nothing went wrong unseen', () => {
  // The browser itself writes a line for each response with a status of 400 or more.
  expect(open.complaints.filter((text) => !text.includes('422'))).toEqual([]);
});
