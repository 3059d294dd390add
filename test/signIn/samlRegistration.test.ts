import { describe, expect, test } from '@jest/globals';
import { registrationSaml, registrationSamlAt } from '../../tools/signIn/registrationSaml.ts';

const OURS = {
  entityId: 'http://localhost:3003/saml/metadata',
  acsUrl: 'http://localhost:3003/callback/saml',
};

describe('What to register', () => {
  test('has our addresses for every provider, and no placeholder of ours', () => {
    const all = registrationSaml(OURS);
    expect(all.map(({ provider }) => provider)).toEqual([
      ...['Keycloak', 'Microsoft Entra', 'Okta', 'Google', 'eduGAIN', 'Any other provider'],
    ]);
    for (const { steps } of all) {
      expect(steps.join('\n')).toContain(OURS.entityId);
      expect(steps.join('\n')).toContain(OURS.acsUrl);
    }
  });

  test.each([
    ['https://sso.example.edu/realms/campus', 'Keycloak'],
    ['https://sso.example.edu/auth/realms/campus', 'Keycloak'],
    ['https://sts.windows.net/2b1a8f7e-4c3d-4e5f-8a9b-0c1d2e3f4a5b/', 'Microsoft Entra'],
    ['http://www.okta.com/exk1a2b3c4d5e6f7g8h9', 'Okta'],
    ['https://accounts.google.com/o/saml2?idpid=C01abc2de', 'Google'],
    ['https://idp.example.ac.uk/idp/shibboleth', 'Any other provider'],
    ['https://example.org/?at=https://sts.windows.net/', 'Any other provider'],
  ])('%s is of %s', (entityId, provider) => {
    expect(registrationSamlAt({ entityId }, OURS).provider).toBe(provider);
  });
});
