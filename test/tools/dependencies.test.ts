/** What `npm ci` puts on a machine: what was tested, and nothing that runs by itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/build.ts';

const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read('package.json'));

test.each(
  Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides }),
)('%s is one exact version: %s', (_, version) => {
  expect(version).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/);
});

test('every package of the lock file has a hash', () => {
  const packages = Object.entries<{ integrity?: string; link?: boolean }>(
    JSON.parse(read('package-lock.json')).packages,
  );
  const without = packages.filter(
    ([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'),
  );
  expect(without.map(([path]) => path)).toEqual([]);
});

test('no install script runs', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
});
