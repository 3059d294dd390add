/** What `login-hooks update` does not install. */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commandEnvironment } from '../support/environment.ts';
import { inFolder, inThisProcess } from '../support/inProcess.ts';
import { projectFolder } from '../support/projectFolder.ts';

// Without links to the packages of this repository: npm removes what a project does not name, in linked folders too.
const { folder, write, remove } = await projectFolder();
const vendor = join(folder, 'vendor');
const outside = join(folder, 'outside');
const NAME = 'login-hooks-99.0.0.tgz';

beforeAll(async () => {
  await mkdir(vendor);
  await write('serverless.yml', 'service: campus\n');
  await write('package.json', '{}');
  // A packed file that npm does not install on any machine.
  const manifest = { name: 'login-hooks', version: '99.0.0', os: ['none'] };
  await write('outside/package.json', JSON.stringify(manifest));
  execFileSync('npm', ['pack'], { cwd: outside, stdio: 'pipe' });
});
afterAll(remove);

const update = (given: string) =>
  inFolder(folder, async () => {
    const { run } = await import('../../tools/cli/bin.ts');
    return inThisProcess(run, ['update', '--', given], commandEnvironment({ npm_config_offline: 'true' }));
  });

test.each([
  ['../login-hooks', '<package>: expected a packed file like login-hooks-1.0.0.tgz, '],
  ['x & whoami', '<package>: expected a packed file like login-hooks-1.0.0.tgz, '],
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

test('a packed file that vendor has by the same name is not written over it', async () => {
  await cp(join(outside, NAME), join(vendor, NAME));
  const stderr = expect.stringContaining(`${NAME}: it is there already`);
  expect(await update(join(outside, NAME))).toMatchObject({ status: 2, stderr });
});
