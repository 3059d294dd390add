/** What `npm ci` puts on a machine: what was tested, and nothing that runs by itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../tools/shared/project.ts';

interface Locked {
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  license?: string;
}

const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const { dependencies, devDependencies, optionalDependencies, overrides } = JSON.parse(read('package.json'));
const LOCKED = Object.entries<Locked>(JSON.parse(read('package-lock.json')).packages).slice(1);

test.each(
  Object.entries<string>({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides }),
)('%s is one exact version: %s', (_, version) => {
  expect(version).toMatch(/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+$/);
});

test('every package of the lock file has a hash', () => {
  const without = LOCKED.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(without.map(([path]) => path)).toEqual([]);
});

test('no install script runs', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
});

/** Licences under which an Apache-2.0 project may bring code of others, or bundle it. */
const MAY_BE_SHIPPED = [
  ...['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'],
  ...['Python-2.0', 'PSF-2.0', 'Unlicense'],
];

test('what an operator gets has a licence under which it may be brought', () => {
  const shipped = LOCKED.filter(([, { dev, optional }]) => !dev && !optional);
  expect(shipped.length).toBeGreaterThan(10);
  expect(shipped.filter(([, { license = '' }]) => !MAY_BE_SHIPPED.includes(license))).toEqual([]);
});
