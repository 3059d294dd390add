/** `npm run test:package`: the packed package, in projects that depend on it. They install from the registry. */
import project from '../../package.json' with { type: 'json' };

export default {
  ...project.jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/package/*.package.ts'],
  maxWorkers: 1,
};
