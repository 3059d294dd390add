/** The packed package of a version after this one. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packedFile } from '../../tools/create/loginHooksPackage.ts';
import { PROJECT } from '../../tools/shared/project.ts';

const run = promisify(execFile);

/** What the later version has that this one has not. */
export const LATER = {
  version: '99.0.0',
  /** Installed here too. */
  dependency: '"fast-check": "4.10.2"',
  /** Of an error, in `lib/`. */
  words: 'Your login did not work. Please try again.',
};

/** Another version number, words in `lib/`, README, dependency and configuration. @returns the file, in a folder of its own */
export async function laterPackedFile(): Promise<string> {
  const folder = await copyOfPackage();
  await replaceIn(join(folder, 'package.json'), /"version": ".*"/, `"version": "${LATER.version}"`);
  await replaceIn(
    join(folder, 'package.json'),
    /"dependencies": \{/,
    `"dependencies": {\n    ${LATER.dependency},`,
  );
  await replaceIn(join(folder, 'README.md'), /$/, '\nNew.\n');
  await replaceIn(join(folder, 'tools', 'deploy', 'broughtFunctions.ts'), 'timeout: 20', 'timeout: 21');
  await replaceIn(
    join(folder, 'lib', 'messages', 'en.ts'),
    /Your login failed\. Please try again\./,
    LATER.words,
  );
  await run('npm', ['install', '--package-lock-only'], { cwd: folder });
  // Not before: npm would write down in the linked folder what it locks.
  await linkPackages(folder);
  const packed = await packedFile(folder);
  const file = join(dirname(folder), `${folder}.tgz`);
  await cp(packed, file);
  await rm(folder, { recursive: true });
  return file;
}

/** What is committed here, without tests, in a folder of its own. */
export async function copyOfPackage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-later-'));
  const { stdout } = await run('git', ['ls-files'], { cwd: PROJECT });
  for (const file of stdout.trim().split('\n').filter(isPacked)) {
    await cp(join(PROJECT, file), join(folder, file), { recursive: true });
  }
  return folder;
}

/** So that a copy needs no installation. */
export function linkPackages(folder: string): Promise<void> {
  return symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

function isPacked(file: string): boolean {
  return !file.startsWith('test/');
}

/** @throws {Error} where a file does not have it */
export async function replaceIn(file: string, found: string | RegExp, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const changed = text.replace(found, replacement);
  if (changed === text) throw new Error(`${file}: expected ${found}`);
  await writeFile(file, changed);
}
