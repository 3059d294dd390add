/** `login-hooks update`: another version of login-hooks in a project of one's own. Nothing else of the project changes. */
import { existsSync } from 'node:fs';
import { copyFile, glob, mkdir, rm } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { VERSION } from '../create/loginHooksPackage.ts';
import { type Arguments, readJsonFile, UnusableInput } from '../shared/commandLine.ts';
import { npm } from '../shared/npm.ts';
import { IS_OWN_PROJECT, PACKAGE, PROJECT } from '../shared/project.ts';
import { type Command, typed } from '../shared/usage.ts';

export const COMMAND = {
  name: 'update',
  purpose: 'brings another version of login-hooks to a project of your own',
  positionals: [
    { name: '<package>', about: 'a packed file, which is copied to vendor/, or a version of the registry' },
  ],
  options: {},
  example: '../login-hooks-1.1.0.tgz',
} as const satisfies Command;

const VENDOR = join(PROJECT, 'vendor');

export async function main({ positionals: [given = ''] }: Arguments<typeof COMMAND.options>): Promise<0> {
  if (!IS_OWN_PROJECT) throw new UnusableInput('this is the repository of login-hooks: update it with git');
  const before = await installedVersion();
  if (given.endsWith('.tgz')) await installPacked(resolve(given), before);
  else await installVersion(given, before);
  const tried = `Try it: ${typed('check')}`;
  console.log(`login-hooks ${before} is now ${await installedVersion()}. ${tried}`);
  return 0;
}

/** @throws {UnusableInput} for what npm would take for a folder, an address or an option */
async function installVersion(version: string, before: string): Promise<void> {
  if (!VERSION.test(version))
    throw new UnusableInput(`${version}: expected a packed file, or a version like ${before}`);
  await install(`login-hooks@${version}`);
  await removePacked();
}

/**
 * The copy is named by its version: of a file of the same name, npm's cache has what it was before; and a clone has the files
 * of its own folder alone.
 */
async function installPacked(file: string, before: string): Promise<void> {
  const copy = join(VENDOR, `login-hooks-${await packedVersion(file)}.tgz`);
  if (basename(copy) === `login-hooks-${before}.tgz`)
    throw new UnusableInput(`login-hooks ${before} is installed: expected a file of another version`);
  await mkdir(VENDOR, { recursive: true });
  const isCopied = copy !== file;
  if (isCopied) await copyFile(file, copy);
  try {
    await install(`./${relative(PROJECT, copy)}`);
  } catch (error) {
    if (isCopied) await rm(copy);
    throw error;
  }
  await removePacked(copy);
}

async function install(what: string): Promise<void> {
  await npm(['install', '--save-exact', what], PROJECT);
}

/** @param kept the packed file that is in use from now on */
async function removePacked(kept?: string): Promise<void> {
  for await (const name of glob('login-hooks-*.tgz', { cwd: VENDOR })) {
    if (join(VENDOR, name) !== kept) await rm(join(VENDOR, name));
  }
}

async function installedVersion(): Promise<string> {
  return versionIn(await readJsonFile(join(PACKAGE, 'package.json')), 'package.json');
}

/** @throws {UnusableInput} for a file that is not there, or is no packed login-hooks */
async function packedVersion(file: string): Promise<string> {
  if (!existsSync(file)) throw new UnusableInput(`${file}: no such file`);
  const [packed] = JSON.parse(await npm(['pack', '--dry-run', '--json', file], PROJECT));
  return versionIn(packed, file);
}

const Packed = v.object({ name: v.literal('login-hooks'), version: v.pipe(v.string(), v.regex(VERSION)) });

function versionIn(manifest: unknown, file: string): string {
  if (v.is(Packed, manifest)) return manifest.version;
  throw new UnusableInput(`${file}: expected a packed login-hooks, as npm run pack makes it`);
}
