/** `npm run release`, in a repository with the package and without its tests. */
import { spawnSync } from 'node:child_process';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { git as gitIn } from '../../tools/shared/programs.ts';
import { copyOfPackage, linkPackages, replaceIn } from './laterPackedFile.ts';

const VERSION = '99.0.0';

let folder: string;

beforeAll(async () => {
  folder = await copyOfPackage();
  await linkPackages(folder);
  await setTests('node -e 0');
  await replaceIn(
    join(folder, 'CHANGELOG.md'),
    '## 1.0.0 - ',
    `## ${VERSION} - unreleased\n\nNew.\n\n## 1.0.0 - `,
  );
  await git('init', '--quiet');
  // Here it is a link, which the pattern of a folder does not match.
  await appendFile(join(folder, '.git', 'info', 'exclude'), 'node_modules\n');
  await git('config', 'user.name', 'maintainer');
  await git('config', 'user.email', 'maintainer@example.org');
  await commit();
});
afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  await git('reset', '--quiet', '--hard');
  await git('clean', '--quiet', '--force');
});

const git = (...args: string[]) => gitIn(folder, ...args);

async function commit(): Promise<void> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Work');
}

/** Those of the package, which take minutes, run beside this one. */
function setTests(command: string): Promise<void> {
  return replaceIn(join(folder, 'package.json'), /"test:package": ".*"/, `"test:package": "${command}"`);
}

/** @returns its exit code, and what it writes */
function run(command: string, args: string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const release = (...args: string[]) => run('npm', ['run', '--silent', 'release', '--', ...args]);
const version = async () => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;

test.each([
  ['what is no version', 'next', async () => {}, 'expected a version such as 1.2.0'],
  ['a version without changes', '98.0.0', async () => {}, 'expected a section "## 98.0.0 - unreleased"'],
  ['a tag that is there', VERSION, () => git('tag', `v${VERSION}`), `the tag v${VERSION} is there`],
  ['what is not committed', VERSION, () => writeFile(join(folder, 'new.ts'), ''), 'expected a clean tree'],
])('%s is refused', async (_, given, prepare, expected) => {
  await prepare();
  const { status, stderr } = release(given);
  await git('tag', '--delete', `v${VERSION}`).catch(() => {});
  expect([status, stderr]).toEqual([2, expect.stringContaining(expected)]);
});

test('nothing is left of a version whose tests fail', async () => {
  await setTests('node -e process.exit(1)');
  await commit();
  expect(release(VERSION)).toMatchObject({ status: 2 });
  expect([await git('status', '--porcelain'), await git('tag')]).toEqual(['', '']);
  await setTests('node -e 0');
  await commit();
});

test('a dry run makes the files, and nothing else', async () => {
  const before = await version();
  const { status, stdout, stderr } = release(VERSION, '--dry-run');
  expect([status, stderr]).toEqual([0, 'testing the package: some minutes\n']);
  const files = [`login-hooks-${VERSION}.tgz`, 'sbom.cdx.json', 'SHA256SUMS'];
  expect(stdout.trim().split('\n')).toEqual(files.map((file) => join('.build', 'release', file)));
  const made = join(folder, '.build', 'release');
  const matching = `login-hooks-${VERSION}.tgz: OK\nsbom.cdx.json: OK\n`;
  expect(run('sha256sum', ['--check', 'SHA256SUMS'], made)).toMatchObject({ stdout: matching });
  const { metadata } = JSON.parse(await readFile(join(made, 'sbom.cdx.json'), 'utf8'));
  expect(metadata.component).toMatchObject({ name: 'login-hooks', version: VERSION });
  expect([await version(), await git('status', '--porcelain'), await git('tag')]).toEqual([before, '', '']);
});

test('a version is committed with its number and date, and tagged', async () => {
  expect(release(VERSION)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`tagged as v${VERSION}`),
  });
  expect(await readdir(join(folder, '.build', 'release'))).toContain(`login-hooks-${VERSION}.tgz`);
  expect(await version()).toBe(VERSION);
  expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(/^## 99\.0\.0 - \d{4}-\d{2}-\d{2}$/m);
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('log', '-1', '--format=%s %(describe:tags)')).toBe(`Release ${VERSION} v${VERSION}\n`);
});
