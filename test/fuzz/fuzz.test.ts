import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';
import { BUILT, commandEnvironment } from '../support/environment.ts';

const RUNS = '5000';
/** Twenty seconds usually; other tests may keep the machine busy. */
const TIMEOUT_MS = 120_000;

test(
  'whatever comes in, the properties of every login hold',
  () => {
    const { status, stdout } = spawnSync(process.execPath, ['test/fuzz/run.ts', '--runs', RUNS], {
      cwd: PROJECT,
      encoding: 'utf8',
      env: commandEnvironment(BUILT),
    });
    expect(stdout).toMatch(/^seed \d+\n/);
    expect(stdout).toMatch(/\n[5-9]\d{3} passed, 0 failed\n$/);
    expect(status).toBe(0);
  },
  TIMEOUT_MS,
);
