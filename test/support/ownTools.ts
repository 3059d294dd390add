/**
 * A project of an operator's own, whose commands run in the process of the test. One a file, and before anything of `tools` is
 * loaded: that reads the folder of the project, and its configuration, when it is.
 */
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AskingMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { commandEnvironment } from './environment.ts';
import { type Ended, inFolder, inThisProcess } from './inProcess.ts';
import { type ProjectFolder, projectFolder } from './projectFolder.ts';

const PACKAGE = join(import.meta.dirname, '..', '..');

export interface OwnTools extends ProjectFolder {
  /** `npx login-hooks <args>`. Of settings it has its own `.env.<stage>`, and these. */
  run(args: readonly string[], settings?: Record<string, string>): Promise<Ended>;
  /** What a command prints while files have other contents; a file whose content is null is not there. */
  changed(files: Readonly<Record<string, string | null>>, args: readonly string[]): Promise<Ended>;
}

/** The source of a handler. */
export function handlerOf(mapping: AskingMapping): string {
  return `import { mapOpenIdLogin } from 'login-hooks';\nexport default mapOpenIdLogin(${JSON.stringify(mapping)});\n`;
}

/** @param openid what `custom.loginHooks` says that answers OpenID logins */
export function configurationOf(openid: string): string {
  return `service: my-logins\nprovider: {name: aws}\nplugins: [login-hooks/serverless]\ncustom: {loginHooks: {openid: ${openid}, stages: [prod]}}\n`;
}

/** @param files by path: `serverless.yml` is among them */
export async function ownTools(files: Readonly<Record<string, string>>): Promise<OwnTools> {
  const project = await projectFolder();
  const { folder, write } = project;
  await linkPackages(join(folder, 'node_modules'));
  await write('package.json', '{"type": "module"}\n');
  await write('tsconfig.json', '{"extends": "login-hooks/tsconfig.json", "include": ["handlers"]}\n');
  for (const [file, content] of Object.entries(files)) await write(file, content);
  const tools = await inFolder(folder, () => import('../../tools/cli/bin.ts'));
  const run: OwnTools['run'] = (args, settings = {}) => {
    const env = commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: folder, ...settings });
    return inFolder(folder, () => inThisProcess(tools.run, [...args], env));
  };
  const put = async (contents: Readonly<Record<string, string | null>>) => {
    for (const [file, content] of Object.entries(contents)) {
      if (content === null) await rm(join(folder, file), { recursive: true });
      else await write(file, content);
    }
  };
  return {
    ...project,
    run,
    async changed(contents, args) {
      const names = Object.keys(contents);
      const before = await Promise.all(
        names.map(async (file) => [file, await readFile(join(folder, file), 'utf8').catch(() => null)]),
      );
      await put(contents);
      try {
        return await run(args);
      } finally {
        await put(Object.fromEntries(before));
      }
    },
  };
}

/** Node runs the TypeScript of this package, because its real path is not below `node_modules`. */
async function linkPackages(folder: string): Promise<void> {
  await mkdir(folder);
  const link = (name: string, target: string) => symlink(target, join(folder, name), 'junction');
  const installed = join(PACKAGE, 'node_modules');
  for (const name of await readdir(installed)) await link(name, join(installed, name));
  await link('login-hooks', PACKAGE);
}
