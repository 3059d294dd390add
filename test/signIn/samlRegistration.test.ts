import { describe, expect, test } from '@jest/globals';
import { registrationSaml } from '../../tools/signIn/registrationSaml.ts';

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
});
