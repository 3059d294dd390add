import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/build.ts';

const RUNS = '5000';

function fuzz(...args: string[]) {
  const env = { PATH: process.env.PATH };
  return spawnSync(process.execPath, ['test/fuzz/run.ts', ...args], { cwd: PROJECT, encoding: 'utf8', env });
}

test('whatever comes in, the properties of every login hold', () => {
  const { status, stdout } = fuzz('--runs', RUNS);
  expect(stdout).toMatch(/^seed \d+\n/);
  expect(stdout).toMatch(/\n[5-9]\d{3} passed, 0 failed\n$/);
  expect(status).toBe(0);
});

test('a run without a case is not a success', () => {
  const { status, stdout } = fuzz('--runs', '100', '--only', 'no property of this name');
  expect(stdout).toMatch(/\n0 passed, 0 failed\n$/);
  expect(status).toBe(1);
});
