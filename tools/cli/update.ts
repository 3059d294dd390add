/** `login-hooks update`: another packed login-hooks in a project of one's own. Nothing else of the project changes. */
import { copyFile, glob, mkdir, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import * as v from 'valibot';
import { type Arguments, readGivenFile, UnusableInput } from '../shared/commandLine.ts';
import { npm } from '../shared/programs.ts';
import { IS_OWN_PROJECT, PROJECT, packageManifest } from '../shared/project.ts';
import { type Command, typed } from '../shared/usage.ts';

export const COMMAND = {
  name: 'update',
  purpose: 'brings another packed version of login-hooks to a project of your own',
  positionals: [{ name: '<file>', about: 'a packed file, which is copied to vendor/' }],
  options: {},
  example: '../login-hooks-1.1.0.tgz',
} as const satisfies Command;

const VENDOR = join(PROJECT, 'vendor');

/**
 * The copy is named by its version: of a file of the same name, npm's cache has what it was before; and a clone has the files
 * of its own folder alone.
 */
export async function main({ positionals: [given = ''] }: Arguments<typeof COMMAND.options>): Promise<0> {
  if (!IS_OWN_PROJECT) throw new UnusableInput('this is the repository of login-hooks: update it with git');
  if (/^(?:https?:|\d+\.\d)/.test(given))
    throw new UnusableInput(
      `${given}: expected a packed file. Of an address or a version: npm install <address>, or npm install login-hooks@<version>`,
    );
  const { version: before } = await packageManifest();
  const file = resolve(given);
  const version = await packedVersion(file);
  if (version === before) throw new UnusableInput(`login-hooks ${before} is installed already`);
  const copy = join(VENDOR, `login-hooks-${version}.tgz`);
  await mkdir(VENDOR, { recursive: true });
  if (copy !== file) await copyFile(file, copy);
  try {
    await npm(['install', '--save-exact', `./${relative(PROJECT, copy)}`], PROJECT);
  } catch (error) {
    if (copy !== file) await rm(copy);
    throw error;
  }
  for await (const name of glob('login-hooks-*.tgz', { cwd: VENDOR }))
    if (join(VENDOR, name) !== copy) await rm(join(VENDOR, name));
  console.log(`login-hooks ${before} is now ${version}. Try it: ${typed('check')}`);
  return 0;
}

const Packed = v.tuple([v.object({ name: v.literal('login-hooks'), version: v.string() })]);

/** @throws {UnusableInput} for what is no packed login-hooks: npm would take it for a folder, an address or an option */
async function packedVersion(file: string): Promise<string> {
  const isNamedSo = file.endsWith('.tgz');
  // npm would fail with many lines.
  if (isNamedSo) await readGivenFile(file);
  const answer = isNamedSo ? await npm(['pack', '--dry-run', '--json', file], PROJECT) : '[]';
  const { success, output } = v.safeParse(Packed, JSON.parse(answer));
  if (success) return output[0].version;
  throw new UnusableInput(`${file}: expected a packed login-hooks, as npm run pack makes it`);
}
