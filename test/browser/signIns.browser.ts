/** Signing in at one's own provider, out of the page: what comes of it, and what of the person is seen where. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type OpenIdProvider, openIdProvider } from '../support/openIdProvider.ts';
import { clientsAt, SECRET } from '../support/openIdSignIn.ts';
import { certificateIn, encryptionFor } from '../support/samlEncryption.ts';
import { PERSON, type SamlIdp, samlIdp, type Wishes } from '../support/samlIdp.ts';
import { signingKey } from '../support/signingKeys.ts';
import { type ShownSignIn, signInAt } from '../support/studio.ts';
import { placesIn, useStudio } from './useStudio.ts';

/** The person: it is in no other text of the project. */
const CANARY = 'quillfeather';
const NAMED = 'secrets-of-the-test.json';
const SECRETS = { 'client/post': { client_secret: SECRET } };
const OF_PERSON = new RegExp(`${CANARY}|Lovelace of`, 'i');
const CLAIMS = Object.fromEntries(
  Object.entries(PERSON).map(([name, value]) => [name, value.replace(/ada@|Lovelace/, `${CANARY}$&`)]),
);

const open = useStudio({ '.env.dev': `SECRETS_FILE=${NAMED}\n`, [NAMED]: JSON.stringify(SECRETS) });
let provider: OpenIdProvider;
let idp: SamlIdp;
let wishes: Wishes = {};
/** Those with which the provider led back. */
const codesSeen: string[] = [];
beforeAll(async () => {
  open.context.on('request', (request) => {
    const code = new URL(request.url()).searchParams.get('code');
    if (code !== null) codesSeen.push(code);
  });
  const clients = clientsAt(`${open.studio.origin}/callback/openid`);
  const keys = [await signingKey('RS256')];
  [provider, idp] = await Promise.all([
    openIdProvider(keys, { clients, conformIdTokenClaims: false }, { hasPages: true }),
    samlIdp(`${open.studio.origin}/callback/saml`, () => ({ claims: CLAIMS, ...wishes })),
  ]);
});
afterAll(async () => {
  await Promise.all([provider?.close(), idp?.close()]);
});
beforeEach(async () => {
  wishes = {};
  // Nobody is signed in at the provider.
  await open.context.clearCookies();
});

/** At the provider. */
interface Client {
  clientId?: string;
  /** Typed; left out: a public client. */
  secret?: string;
  /** Of the secret in SECRETS_FILE. */
  secretName?: string;
}

/** Fills in the form, and presses its button. */
async function beginOpenId(client: Client = {}): Promise<void> {
  const { clientId = 'none', secret = '', secretName = '' } = client;
  await openForm('openid');
  await open.page.getByLabel('Issuer').fill(provider.issuer);
  await open.page.getByLabel('Client id').fill(clientId);
  await open.page.getByLabel('Client secret').fill(secret);
  const named = open.page.getByLabel('Or a secret of SECRETS_FILE');
  if ((await named.count()) > 0) await named.selectOption(secretName);
  await pressButton();
}

/** @param metadata an address, or XML */
async function beginSaml(metadata: string): Promise<void> {
  await openForm('saml');
  const isAddress = metadata.startsWith('http');
  await open.page.getByLabel("Address of the provider's metadata").fill(isAddress ? metadata : '');
  await open.page.getByLabel('Or the metadata itself', { exact: true }).fill(isAddress ? '' : metadata);
  await pressButton();
}

async function openForm(protocol: string): Promise<void> {
  await open.page.goto(`${open.studio.origin}/#/sign-in?protocol=${protocol}`);
  await open.page.locator(`form[data-action="sign-in/${protocol}"]`).waitFor();
}

async function pressButton(): Promise<void> {
  await open.page.getByRole('button', { name: 'Sign in at the provider' }).click();
}

/** On the page of the OpenID provider. */
async function logInAs(person: string): Promise<void> {
  await open.page.getByRole('textbox', { name: 'Name', exact: true }).fill(person);
  await open.page.getByRole('button', { name: 'Sign in' }).click();
}

const BACK = /\/#\/(?:sign-in|logins)\/.+/;

/** What the page shows when the provider has led back to it. */
async function result(): Promise<ShownSignIn> {
  await open.page.waitForURL(BACK);
  // What was shown before may stand there still.
  const place = open.page.locator(open.page.url().includes('#/logins/') ? 'article' : 'main .page');
  const heading = place.getByRole('heading', { level: 1 }).filter({ hasNotText: /^Sign in at/ });
  await heading.waitFor();
  const shown = await signInAt(open.studio, new URL(open.page.url()).hash);
  expect(await heading.innerText()).toBe(shown.heading);
  return shown;
}

/** The places that have the text, of all that others may see: files of the project and what the terminal shows. */
async function placesOf(pattern: RegExp, except: string[] = []): Promise<string[]> {
  const entries = await readdir(open.studio.folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const read = files.map(async (file) => [file, await readFile(file, 'utf8')] as const);
  const { stdout, stderr } = open.studio.command;
  const all = [...(await Promise.all(read)), ['stdout', stdout()] as const, ['stderr', stderr()] as const];
  return all
    .filter(([place, content]) => pattern.test(place + content) && !except.some((one) => place.endsWith(one)))
    .map(([place]) => place);
}

async function signIn(client?: Client, person = CANARY): Promise<ShownSignIn> {
  await beginOpenId(client);
  await logInAs(person);
  return result();
}

async function signInBySaml(metadata = `${idp.address}/metadata`): Promise<ShownSignIn> {
  await beginSaml(metadata);
  return result();
}

describe('by OpenID', () => {
  test('with a secret that is typed leads to its login, with its claims', async () => {
    const { heading, login } = await signIn({ clientId: 'client_secret_basic', secret: SECRET });
    expect(heading).toContain(`Authorized as Ada Lovelace of ${CANARY}`);
    expect(login).toMatch(/^signed-in\./);
    const claims = open.page.getByRole('region', { name: 'ID token and UserInfo' }).locator('tbody tr');
    for (const hasText of [/^sub.+the same$/, /^nonce.+absent$/])
      expect(await claims.filter({ hasText }).count()).toBe(1);
    expect(await placesIn(open.page, /client\+\/=%|code=|state=/)).toEqual([]);
  });

  test('by somebody else begins where the last one, with a named secret, ended', async () => {
    await signIn({ clientId: 'client_secret_post', secretName: 'client/post' });
    await open.page.getByRole('link', { name: 'Sign in again' }).click();
    expect(await open.page.getByLabel('Issuer').inputValue()).toBe(provider.issuer);
    const asked = open.page.waitForRequest(/[?&]prompt=login/);
    await open.page.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await asked;
    await logInAs(`${CANARY}2`);
    expect((await result()).heading).toContain(`Ada Lovelace of ${CANARY}2`);
    expect(await placesIn(open.page, /client\+\/=%/)).toEqual([]);
  });
});

describe('by SAML', () => {
  test('with metadata that is pasted, and an assertion that is encrypted for our certificate', async () => {
    const metadata = await (await fetch(`${open.studio.origin}/saml/metadata`)).text();
    wishes = encryptionFor(certificateIn(metadata));
    const { heading, findings } = await signInBySaml(idp.metadata());
    expect(heading).toContain(`Authorized as Ada ${CANARY}Lovelace`);
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(findings).toContainEqual({ code: 'assertion_opened', level: 'note' });
  });

  test('is refused where the provider refuses, in its words without the person and in ours', async () => {
    const before = await open.studio.logins();
    const description = `${CANARY}@example.org is not assigned to <i>this service</i>`;
    wishes = { error: { code: 'urn:oasis:names:tc:SAML:2.0:status:Responder', description } };
    const ours = expect.stringMatching(/^Assign the person to this application/);
    expect(await signInBySaml()).toMatchObject({
      heading: 'The sign-in was refused: SAML',
      refused: { theirs: 'Responder: … is not assigned to <i>this service</i>', ours },
      findings: [{ code: 'status_not_success' }],
    });
    expect(await open.studio.logins()).toEqual(before);
    expect(await placesIn(open.page, OF_PERSON)).toEqual([]);
    await open.page.getByRole('link', { name: 'Change the form and try again' }).click();
    const address = open.page.getByLabel("Address of the provider's metadata");
    expect(await address.inputValue()).toBe(`${idp.address}/metadata`);
  });
});

test('a sign-in that is left leads back to its form, without the secret; another begins in its tab', async () => {
  const { page } = open;
  await beginOpenId({ clientId: 'client_secret_basic', secret: 'typed' });
  await page.waitForURL('**/interaction/*');
  await page.goBack();
  await page.reload();
  await page.locator('form[data-action="sign-in/openid"]').waitFor();
  expect(await page.getByLabel('Issuer').inputValue()).toBe(provider.issuer);
  expect(await page.getByLabel('Client id').inputValue()).toBe('client_secret_basic');
  expect(await page.getByLabel('Client secret').inputValue()).toBe('');
  expect((await signIn()).heading).toMatch(/^Authorized/);
  expect((await signInBySaml()).heading).toMatch(/^Authorized/);
});

test('no file and no line of the terminal has the person, a secret or a token', async () => {
  expect(await placesOf(OF_PERSON)).toEqual([]);
  expect(await placesOf(/client\+\/=%/, [NAMED])).toEqual([]);
  const secret = [...provider.issued, ...codesSeen];
  expect(secret.length).toBeGreaterThan(codesSeen.length);
  expect(codesSeen.length).toBeGreaterThan(0);
  expect(await placesOf(new RegExp(secret.join('|')))).toEqual([]);
  expect(open.studio.command.stderr()).toBe('');
});
