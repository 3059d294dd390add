import { expect, test } from '@jest/globals';
import { runCommand } from '../support/commands.ts';

/** The same few inputs in each run: `npm run fuzz` looks for more. */
const RUN = ['--seed', '1', '--runs', '10', '--workers', '1'];

test('whatever comes in, the invariants of every login hold', async () => {
  const { status, stdout } = await runCommand(['test/fuzz/run.ts', ...RUN]).end(0);
  expect(stdout).toMatch(/\n\d+ inputs: \d+ passed, 0 failed\n$/);
  expect(status).toBe(0);
}, 300_000);
