/** What to register at a provider before one signs in there. */
import { expect, test } from '@jest/globals';
import { promptForSomebodyElse, registrations } from '../../tools/shared/providers.ts';

const redirectUri = 'http://localhost:3003/callback/openid';
const entityId = 'http://localhost:3003/saml/metadata';
const acsUrl = 'http://localhost:3003/callback/saml';
const ADDRESSES = { redirectUri, entityId, acsUrl };

test('each provider of OpenID is told the redirect address once, and where its issuer is', () => {
  const all = registrations('openid', ADDRESSES);
  expect(all.map(({ provider }) => provider)).toEqual([
    ...['Keycloak', 'Microsoft Entra', 'Okta', 'Google', 'Any other provider'],
  ]);
  for (const { steps } of all) {
    expect(steps.filter((step) => step.includes(redirectUri))).toHaveLength(1);
    expect(steps.at(-1)).toMatch(/issuer/);
  }
});

test('each provider of SAML is told our addresses', () => {
  const all = registrations('saml', ADDRESSES);
  expect(all.map(({ provider }) => provider)).toEqual([
    ...['Keycloak', 'Microsoft Entra', 'Okta', 'Google', 'eduGAIN', 'Any other provider'],
  ]);
  for (const { steps } of all) {
    for (const address of [entityId, acsUrl]) expect(steps.join('\n')).toContain(address);
  }
});

test.each([
  ['https://accounts.google.com', 'select_account'],
  ['https://login.microsoftonline.com/2b1a8f7e/v2.0', 'select_account'],
  ['https://login.microsoftonline.com.example.org', 'login'],
  ['https://sso.example.edu/realms/campus', 'login'],
  ['https://connect.surfconext.example', 'login'],
])('%s lets somebody else sign in by prompt=%s', (issuer, prompt) => {
  expect(promptForSomebodyElse(issuer)).toBe(prompt);
});
