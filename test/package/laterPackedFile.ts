/** The packed package of a version after this one. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { packedFile } from '../../tools/create/loginHooksPackage.ts';
import { PROJECT } from '../../tools/shared/project.ts';

const run = promisify(execFile);

/** What the later version has that this one has not. */
export const LATER = {
  version: '99.0.0',
  /** Of an error, in `lib/`. */
  words: 'Your login did not work. Please try again.',
};

const CHANGES: [file: string, found: RegExp, replacement: string][] = [
  ['package.json', /"version": ".*"/, `"version": "${LATER.version}"`],
  // It is installed here too.
  ['package.json', /"dependencies": \{/, '$&\n    "fast-check": "4.10.2",'],
  ['README.md', /$/, '\nNew.\n'],
  ['tools/deploy/broughtFunctions.ts', /timeout: 20/, 'timeout: 21'],
  ['lib/messages/en.ts', /Your login failed\. Please try again\./, LATER.words],
];

/** @param parent the folder that the file is put into. @returns the file */
export async function laterPackedFile(parent: string): Promise<string> {
  const folder = await copyOfPackage();
  for (const [file, found, replacement] of CHANGES) await replaceIn(join(folder, file), found, replacement);
  await run('npm', ['install', '--package-lock-only'], { cwd: folder });
  // Not before: npm would write down in the linked folder what it locks.
  await linkPackages(folder);
  const packed = await packedFile(folder);
  const file = join(parent, basename(packed));
  await cp(packed, file);
  await rm(folder, { recursive: true });
  return file;
}

/** What is committed here, without tests, in a folder of its own. */
export async function copyOfPackage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'login-hooks-later-'));
  const { stdout } = await run('git', ['ls-files'], { cwd: PROJECT });
  for (const file of stdout
    .trim()
    .split('\n')
    .filter((name) => !name.startsWith('test/'))) {
    await cp(join(PROJECT, file), join(folder, file), { recursive: true });
  }
  return folder;
}

/** So that a copy needs no installation. */
export function linkPackages(folder: string): Promise<void> {
  return symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

/** @throws {Error} where a file does not have it */
export async function replaceIn(file: string, found: string | RegExp, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const changed = text.replace(found, replacement);
  if (changed === text) throw new Error(`${file}: expected ${found}`);
  await writeFile(file, changed);
}
