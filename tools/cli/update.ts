/** `login-hooks update`: another login-hooks in a project of one's own. Nothing else of the project changes. */
import { glob, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loginHooksPackage } from '../create/loginHooksPackage.ts';
import { writeNew } from '../create/writeNew.ts';
import { type Arguments, UnusableInput } from '../shared/commandLine.ts';
import { npm } from '../shared/programs.ts';
import { IS_OWN_PROJECT, PROJECT, packageManifest } from '../shared/project.ts';
import { type Command, typed } from '../shared/usage.ts';

export const COMMAND = {
  name: 'update',
  purpose: 'brings another version of login-hooks to a project of your own',
  positionals: [
    {
      name: '<package>',
      about: 'a packed file, which is copied to vendor/, its https address, or a version',
    },
  ],
  options: {},
  example: '../login-hooks-1.1.0.tgz',
} as const satisfies Command;

/** A packed file is copied, because a clone has the files of its own folder alone. */
export async function main({ positionals: [given = ''] }: Arguments<typeof COMMAND.options>): Promise<0> {
  if (!IS_OWN_PROJECT) throw new UnusableInput('this is the repository of login-hooks: update it with git');
  const { dependency, files } = await loginHooksPackage('<package>', given);
  const copies = Object.keys(files).filter((file) => join(PROJECT, file) !== resolve(given));
  if (copies.length > 0) await writeNew(PROJECT, files);
  try {
    await npm(['install', '--save-exact', `login-hooks@${dependency}`], PROJECT);
  } catch (error) {
    for (const file of copies) await rm(join(PROJECT, file));
    throw error;
  }
  const vendor = join(PROJECT, 'vendor');
  for await (const name of glob('login-hooks-*.tgz', { cwd: vendor }))
    if (!Object.hasOwn(files, `vendor/${name}`)) await rm(join(vendor, name));
  console.log(`login-hooks is now ${(await packageManifest()).version}. Try it: ${typed('check')}`);
  return 0;
}
