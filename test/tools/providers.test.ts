/** Cures for the provider that it is, by the issuers that providers document. */
import { expect, test } from '@jest/globals';
import { forProvider } from '../../tools/shared/providers.ts';

const PROVIDERS = [
  'Keycloak',
  'Entra',
  'Okta',
  'Google',
  'Auth0',
  'AD FS',
  'Cognito',
  'ORCID',
  'Apple',
  'Shibboleth',
];
const CURE = `Turn it on (${PROVIDERS.map((name) => `${name}: its "Switch (of ${name})"`).join('; ')}), or else (SAML Core 2.7).`;
const only = (name: string) => `Turn it on (${name}: its "Switch (of ${name})"), or else (SAML Core 2.7).`;

test.each([
  ['https://sso.example.edu/realms/campus', 'Keycloak'],
  ['https://login.microsoftonline.com/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0', 'Entra'],
  ['https://login.microsoftonline.us/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/v2.0', 'Entra'],
  ['https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/', 'Entra'],
  ['https://dev-1234567.okta.com/oauth2/default', 'Okta'],
  ['https://dev-1234567.okta.com', 'Okta'],
  ['http://www.okta.com/exk1a2b3c4d5e6f7g8h9', 'Okta'],
  ['https://accounts.google.com', 'Google'],
  ['https://accounts.google.com/o/saml2?idpid=C01abc2de', 'Google'],
  ['https://example.eu.auth0.com/', 'Auth0'],
  ['urn:campus-example.eu.auth0.com', 'Auth0'],
  ['http://adfs.example.com/adfs/services/trust', 'AD FS'],
  ['https://adfs.example.com/adfs', 'AD FS'],
  ['https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab1Cd2Ef3', 'Cognito'],
  ['https://orcid.org', 'ORCID'],
  ['https://appleid.apple.com', 'Apple'],
  ['https://idp.example.ac.uk/idp/shibboleth', 'Shibboleth'],
])('%s is told what %s needs', (issuer, provider) => {
  expect(forProvider(CURE, issuer)).toBe(only(provider));
});

test.each([
  'https://login.example.net',
  'https://accounts.google.com.example',
  'https://okta.com.example/',
  'https://example.org/realms/a/b',
  '',
  null,
])('%j may be any provider', (issuer) => expect(forProvider(CURE, issuer)).toBe(CURE));

test('of a provider without a switch of its own, the rest is told', () => {
  expect(forProvider('Turn it on (Entra: "Switch").', 'https://orcid.org')).toBe('Turn it on.');
});
