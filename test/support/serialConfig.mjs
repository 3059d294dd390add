/** Jest's configuration for a folder of tests: one file after the other, with what its `setup.mjs` starts. */
import project from '../../package.json' with { type: 'json' };

export const serialConfig = (folder) => ({
  ...project.jest,
  rootDir: '../..',
  testMatch: [`<rootDir>/test/${folder}/*.${folder}.ts`],
  globalSetup: `<rootDir>/test/${folder}/setup.mjs`,
  globalTeardown: '<rootDir>/test/support/globalTeardown.mjs',
  maxWorkers: 1,
});
