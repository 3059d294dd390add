/** `npm run fuzz`: the invariants with more inputs than `npm test`, and with other ones each time. */
import project from '../../package.json' with { type: 'json' };

const MAX_SEED = 2 ** 31;
process.env.FUZZ_RUNS ??= '5000';
process.env.FUZZ_SEED ??= String(Math.floor(Math.random() * MAX_SEED));

export default {
  ...project.jest,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/fuzz/*.test.ts'],
};
