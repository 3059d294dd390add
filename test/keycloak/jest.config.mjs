/** `npm run test:keycloak`: one file after the other, with the Keycloak that `setup.mjs` starts. */
import project from '../../package.json' with { type: 'json' };

export default {
  ...project.jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/keycloak/*.keycloak.ts'],
  globalSetup: '<rootDir>/test/keycloak/setup.mjs',
  globalTeardown: '<rootDir>/test/support/globalTeardown.mjs',
  maxWorkers: 1,
};
