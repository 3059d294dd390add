/** OpenID Connect at a real Keycloak, registered as docs/providers/keycloak.md says. */
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Person } from '../support/person.ts';
import type { Change, Client } from './machine/admin.ts';
import { type Campus, logIn, OPENID_MAPPERS, openCampus, SECRET } from './machine/campus.ts';
import { testPeople } from './machine/eitherProtocol.ts';

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

testPeople('openid', () => ({ campus, asked }));

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
    expect(started.refused).toEqual({ theirs: expect.stringMatching(theirs), ours: expect.any(String) });
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
