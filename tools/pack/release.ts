/** `npm run release`: makes a version of what is committed. */
import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { startCommand, UnusableInput } from '../shared/commandLine.ts';
import { git, npm } from '../shared/programs.ts';
import { ofProject, PACKAGE } from '../shared/project.ts';
import type { Command } from '../shared/usage.ts';
import { pack, writeBillOfMaterials } from './releaseFiles.ts';

const COMMAND = {
  name: 'release',
  purpose: 'makes a version of what is committed: tests the package, packs it, and tags the commit',
  positionals: [{ name: '<version>', about: 'its number, such as 1.2.0' }],
  options: {
    'dry-run': { type: 'boolean', about: 'makes the files of the version only, without a commit and a tag' },
  },
  example: '1.2.0 --dry-run',
} as const satisfies Command;

/** Semantic Versioning 2.0.0, without build metadata, which npm drops. */
const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const CHANGELOG = join(PACKAGE, 'CHANGELOG.md');
/** What a version changes. */
const CHANGED = ['package.json', 'package-lock.json', 'CHANGELOG.md'];

await startCommand(COMMAND, async ({ positionals: [version = ''], values }) => {
  const tag = `v${version}`;
  await requireNew(tag);
  const changelog = await datedChangelog(version);
  let isDone = false;
  // Ctrl-C ends the npm that runs; then what is changed by now is taken back.
  process.on('SIGINT', () => {});
  try {
    await npm(['version', version, '--no-git-tag-version', '--allow-same-version'], PACKAGE);
    await writeFile(CHANGELOG, changelog);
    console.error('testing the package: some minutes');
    await npm(['run', 'test:package'], PACKAGE);
    const files = [await pack(), await writeBillOfMaterials()];
    files.push(await writeChecksums(files));
    if (!values['dry-run']) {
      await git(PACKAGE, 'commit', '--quiet', '--all', '--message', `Release ${version}`);
      await git(PACKAGE, 'tag', '--annotate', tag, '--message', `login-hooks ${version}`);
      isDone = true;
    }
    console.log(files.map(ofProject).join('\n'));
  } finally {
    if (!isDone) await git(PACKAGE, 'checkout', '--quiet', '--', ...CHANGED);
  }
  if (isDone) console.error(`tagged as ${tag}: now push the commit and the tag, and publish these files`);
  return 0;
});

/**
 * The changelog with today's date for this version.
 *
 * @throws {UnusableInput} where it says nothing of the version, or has a date for it
 */
async function datedChangelog(version: string): Promise<string> {
  if (!VERSION.test(version)) throw new UnusableInput(`expected a version such as 1.2.0, found ${version}`);
  const heading = `## ${version} - `;
  const text = await readFile(CHANGELOG, 'utf8');
  const [, section = ''] = text.split(`${heading}unreleased\n`);
  const [changes = ''] = section.split('\n## ', 1);
  if (changes.trim() === '')
    throw new UnusableInput(
      `CHANGELOG.md: expected a section "${heading}unreleased" with what an operator can notice: write it, and commit it`,
    );
  const today = new Date().toISOString().slice(0, 10);
  return text.replace(`${heading}unreleased`, heading + today);
}

/** @throws {UnusableInput} where something is not committed, or the tag is there */
async function requireNew(tag: string): Promise<void> {
  const uncommitted = await git(PACKAGE, 'status', '--porcelain');
  if (uncommitted !== '')
    throw new UnusableInput(`expected a clean tree: commit or remove these first\n${uncommitted.trimEnd()}`);
  const tags = await git(PACKAGE, 'tag', '--list', tag);
  if (tags !== '') throw new UnusableInput(`the tag ${tag} is there: choose the next version`);
}

/** In the form of `sha256sum --check`. */
async function writeChecksums(files: readonly string[]): Promise<string> {
  const lines = files.map(async (file) => `${hash('sha256', await readFile(file))}  ${basename(file)}\n`);
  const written = join(dirname(`${files[0]}`), 'SHA256SUMS');
  await writeFile(written, (await Promise.all(lines)).join(''));
  return written;
}
