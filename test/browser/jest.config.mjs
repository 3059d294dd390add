/** `npm run test:browser`: one file after the other, in the browser that `setup.mjs` finds. */
import project from '../../package.json' with { type: 'json' };

export default {
  ...project.jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/*.browser.ts'],
  globalSetup: '<rootDir>/test/browser/setup.mjs',
  globalTeardown: '<rootDir>/test/support/globalTeardown.mjs',
  maxWorkers: 1,
};
