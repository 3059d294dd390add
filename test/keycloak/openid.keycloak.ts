/** OpenID Connect at a real Keycloak, registered as docs/providers.md says. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Change, Client } from './machine/admin.ts';
import {
  type Answered,
  addressIn,
  answered,
  type Campus,
  isEnabled,
  type Kind,
  logIn,
  OPENID_MAPPERS,
  openCampus,
  PEOPLE,
  SECRET,
  signOut,
} from './machine/campus.ts';
import { keepAndCheck } from './machine/kept.ts';
import { Person, shown } from './machine/person.ts';

jest.setTimeout(120_000);

let campus: Campus;
let client: Client;
let asked: { issuer: string; clientId: string; clientSecret: string };
beforeAll(async () => {
  campus = await openCampus();
  const { admin, studio } = campus;
  client = await admin.makeClient({
    clientId: 'login-hooks',
    publicClient: false,
    secret: SECRET,
    standardFlowEnabled: true,
    redirectUris: [`${studio.origin}/callback/openid`],
    attributes: { 'pkce.code.challenge.method': 'S256' },
  });
  await admin.addMappers(client, OPENID_MAPPERS);
  asked = { issuer: admin.issuer, clientId: 'login-hooks', clientSecret: SECRET };
});
afterAll(() => campus?.close());

/** What becomes of people with the mapping of docs/providers.md: type, reason and number of groups. */
const ANSWERS: Record<Exclude<Kind, 'disabled'>, Answered> = {
  staff: ['AuthorizedUserResponse', 'authorized', 1],
  steward: ['AuthorizedUserResponse', 'authorized', 1],
  plain: ['AuthorizedUserResponse', 'authorized', 0],
  suspended: ['ForbiddenResponse', 'rule_refused'],
  'suspended below': ['ForbiddenResponse', 'rule_refused'],
  'without address': ['ErrorResponse', 'profile_incomplete'],
  unverified: ['ErrorResponse', 'email_unverified'],
};

describe('of 20 people', () => {
  test.each(PEOPLE.filter(isEnabled))('$username', async ({ kind, username }) => {
    expect(await answered(campus, await campus.signIn('openid', asked, username))).toEqual(ANSWERS[kind]);
  });

  test('one who is disabled stays at Keycloak', async () => {
    const { url = '' } = await campus.start('openid', asked);
    expect(shown((await logIn(new Person(), url, 'disabled1')).text)).toContain('Account is disabled');
  });
});

describe('Keycloak refuses before the browser leaves', () => {
  test.each<[what: string, change: Change, other: object, theirs: RegExp]>([
    ['a client that it does not know', {}, { clientId: 'unknown' }, /client not found/i],
    ['a client that is off', { enabled: false }, {}, /client disabled/i],
    ['another redirect address', { redirectUris: ['http://localhost:1/'] }, {}, /redirect_uri/],
    ['a scope that it does not have', {}, { scopes: 'openid unknown' }, /invalid_scope/],
    ['a client without its standard flow', { standardFlowEnabled: false }, {}, /standard flow is disabled/i],
    [
      'a client that has to push its requests',
      { attributes: { 'require.pushed.authorization.requests': 'true' } },
      {},
      /pushed authorization request/i,
    ],
  ])('%s', async (_, change, other, theirs) => {
    const started = await campus.admin.whileChanged(client, change, () =>
      campus.start('openid', { ...asked, ...other }),
    );
    expect(started).toEqual({ theirs: expect.stringMatching(theirs), message: expect.any(String) });
  });
});

describe('Keycloak refuses afterwards', () => {
  test('another secret', async () => {
    const { refused } = await campus.signIn('openid', { ...asked, clientSecret: 'another' }, 'staff1');
    expect(refused).toEqual({
      theirs: expect.stringMatching(/^unauthorized_client: Invalid client or Invalid client credentials/),
      ours: expect.stringMatching(/^Check the client id and the secret/),
    });
  });

  test('where the person gives no consent', async () => {
    const browser = new Person();
    await campus.admin.whileChanged(client, { consentRequired: true }, async () => {
      const { url = '' } = await campus.start('openid', asked);
      const page = await browser.submit(await logIn(browser, url, 'staff1'), { cancel: 'No' });
      const { refused } = await campus.result(page);
      expect(refused?.theirs).toMatch(/^access_denied/);
    });
  });
});

test('a second person signs in after the first has signed out at Keycloak, and only then', async () => {
  const browser = new Person();
  await campus.signIn('openid', asked, 'staff1', browser);
  const again = await campus.signIn('openid', asked, 'staff2', browser);
  expect(await addressIn(campus, again)).toBe('staff1@example.org');
  const { url = '' } = await campus.start('openid', { ...asked, somebodyElse: true });
  expect(shown((await browser.open(url)).text)).toContain('Please re-authenticate to continue');
  await signOut(campus, browser);
  const other = await campus.signIn('openid', { ...asked, somebodyElse: true }, 'staff2', browser);
  expect(await addressIn(campus, other)).toBe('staff2@example.org');
});

test('a login is kept without the person, and npm run check passes with it', async () => {
  const { login } = await campus.signIn('openid', asked, 'staff3');
  await keepAndCheck(campus, login ?? '', 'staff3');
});
