/** `npm run test:aws`: one file after the other, with what `setup.mjs` starts. */
import project from '../../package.json' with { type: 'json' };

export default {
  ...project.jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/aws/*.aws.ts'],
  globalSetup: '<rootDir>/test/aws/setup.mjs',
  globalTeardown: '<rootDir>/test/support/globalTeardown.mjs',
  maxWorkers: 1,
};
