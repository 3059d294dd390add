/** What `login-hooks update` does not install. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PACKAGE } from '../../tools/shared/project.ts';
import { runCommand } from '../support/commands.ts';
import { commandEnvironment } from '../support/environment.ts';

// Without links to the packages of this repository: npm removes what a project does not name, in linked folders too.
const folder = await mkdtemp(join(tmpdir(), 'login-hooks-'));
const vendor = join(folder, 'vendor');
const outside = join(folder, 'outside');
const NAME = 'login-hooks-99.0.0.tgz';

beforeAll(async () => {
  await mkdir(vendor);
  await mkdir(outside);
  await writeFile(join(folder, 'serverless.yml'), 'service: campus\n');
  await writeFile(join(folder, 'package.json'), '{}');
  // A packed file that npm does not install on any machine.
  const manifest = { name: 'login-hooks', version: '99.0.0', os: ['none'] };
  await writeFile(join(outside, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['pack'], { cwd: outside, stdio: 'pipe' });
});
afterAll(() => rm(folder, { recursive: true }));

function update(given: string) {
  const bin = join(PACKAGE, 'tools', 'cli', 'bin.cjs');
  const env = commandEnvironment({ npm_config_offline: 'true' });
  return runCommand([bin, 'update', '--', given], { cwd: folder, env }).end(0);
}

test.each([
  ['../login-hooks', ': expected a packed login-hooks, as npm run'],
  ['x & whoami', ': expected a packed login-hooks, as npm run'],
  ['https://packages.example/login-hooks-9.9.9.tgz', 'npm install <address>'],
  ['9.9.9', 'npm install login-hooks@<version>'],
  ['../login-hooks-9.9.9.tgz', 'login-hooks-9.9.9.tgz: no such file\n'],
])('%s is no packed file', async (given, told) => {
  const stderr = expect.stringContaining(told);
  expect(await update(given)).toMatchObject({ status: 2, stderr });
});

test.each([
  ['leaves no copy', outside, []],
  ['stays in vendor where it lies there already', vendor, [NAME]],
])('a packed file that cannot be installed %s', async (_, into, vendored) => {
  if (into === vendor) await cp(join(outside, NAME), join(vendor, NAME));
  const { status, stderr } = await update(join(into, NAME));
  expect({ status, vendored: await readdir(vendor) }).toEqual({ status: 2, vendored });
  expect(stderr).toContain('EBADPLATFORM');
});
