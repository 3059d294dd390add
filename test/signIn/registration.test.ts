/** What to register at a provider before one signs in there. */
import { expect, test } from '@jest/globals';
import { promptForSomebodyElse, registrations } from '../../tools/shared/providers.ts';

const redirectUri = 'http://localhost:3003/callback/openid';
const entityId = 'http://localhost:3003/saml/metadata';
const acsUrl = 'http://localhost:3003/callback/saml';
const NAMES = ['Keycloak', 'Microsoft Entra', 'Okta', 'Google'];

test.each<['openid' | 'saml', string[], string[]]>([
  ['openid', [redirectUri, 'issuer'], [...NAMES, 'Any other provider']],
  ['saml', [entityId, acsUrl], [...NAMES, 'eduGAIN', 'Any other provider']],
])('each provider of %s is told our addresses, and where its own are', (protocol, told, names) => {
  const all = registrations(protocol, { redirectUri, entityId, acsUrl });
  expect(all.map(({ provider }) => provider)).toEqual(names);
  for (const { steps } of all) for (const text of told) expect(steps.join('\n')).toContain(text);
});

test.each([
  ['https://accounts.google.com', 'select_account'],
  ['https://login.microsoftonline.com/2b1a8f7e/v2.0', 'select_account'],
  ['https://login.microsoftonline.com.example.org', 'login'],
])('%s lets somebody else sign in by prompt=%s', (issuer, prompt) => {
  expect(promptForSomebodyElse(issuer)).toBe(prompt);
});
