/**
 * A project of an operator's own, which depends on this package: in a temporary folder. Nothing of `tools` is loaded with this
 * file: that reads the folder of the project, and its configuration, when it is.
 */
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { AskingMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { REPOSITORY, runCommand } from './commands.ts';
import { commandEnvironment } from './environment.ts';
import { inFolder, inThisProcess } from './inProcess.ts';
import { projectFolder } from './projectFolder.ts';

type Files = Readonly<Record<string, string>>;

/** The source of a handler. */
export function handlerOf(mapping: AskingMapping): string {
  return `import { mapOpenIdLogin } from 'login-hooks';\nexport default mapOpenIdLogin(${JSON.stringify(mapping)});\n`;
}

/** A service of AWS. @param kinds of its logins, e.g. `openid: default` */
export function configurationOf(kinds: string): string {
  return `service: my-logins
provider:
  name: aws
plugins: [login-hooks/serverless]
custom: {loginHooks: {${kinds}, stages: [prod]}}
`;
}

/** With all kinds of logins, until the tests of the file end. Each command has a process of its own. @param files by path */
export async function ownProject(files: Files) {
  const { folder, write, remove } = await projectFolder();
  afterAll(remove);
  await linkPackages(join(folder, 'node_modules'));
  const all = { 'serverless.yml': configurationOf('openid: default, saml: default'), ...files };
  for (const [file, content] of Object.entries({ 'package.json': '{"type": "module"}\n', ...all }))
    await write(file, content);
  const starting =
    (file: string) =>
    (args: readonly string[], settings: Files = {}) => {
      const env = commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: folder, ...settings });
      return runCommand([join(folder, 'node_modules', file), ...args], { cwd: folder, env });
    };
  const start = starting('login-hooks/tools/cli/bin.cjs');
  const startServerless = starting('serverless/bin/serverless.js');
  return {
    folder,
    write,
    /** `npx login-hooks <args>`, which goes on until it is ended. Of settings it has its own `.env.<stage>`, and these. */
    start,
    /** The same, of a command that ends by itself. */
    run: (args: readonly string[], settings?: Files) => start(args, settings).end(0),
    /** `npx serverless <args>`. */
    serverless: (args: readonly string[], settings?: Files) => startServerless(args, settings).end(0),
  };
}

/** Its commands run in the process of the test, unless one goes on until it is ended. One a file. @param files by path */
export async function ownTools(files: Files) {
  const tsconfig = '{"extends": "login-hooks/tsconfig.json", "include": ["handlers"]}\n';
  const project = await ownProject({ 'tsconfig.json': tsconfig, ...files });
  const { folder, write } = project;
  const tools = await inFolder(folder, () => import('../../tools/cli/bin.ts'));
  /** `npx login-hooks <args>`. Of settings it has its own `.env.<stage>`, and these. */
  const run = (args: readonly string[], settings: Files = {}) => {
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
    /** What a command prints while files have other contents; a file whose content is null is not there. */
    async changed(
      contents: Readonly<Record<string, string | null>>,
      args: readonly string[],
      settings?: Files,
    ) {
      const before: Record<string, string | null> = {};
      for (const file of Object.keys(contents))
        before[file] = await readFile(join(folder, file), 'utf8').catch(() => null);
      await put(contents);
      try {
        return await run(args, settings);
      } finally {
        await put(before);
      }
    },
  };
}

/**
 * Node runs the TypeScript of this package, because its real path is not below `node_modules`.
 *
 * @param folder the `node_modules` of a project
 */
export async function linkPackages(folder: string): Promise<void> {
  await mkdir(folder);
  const link = (name: string, target: string) => symlink(target, join(folder, name), 'junction');
  const installed = join(REPOSITORY, 'node_modules');
  for (const name of await readdir(installed)) await link(name, join(installed, name));
  await link('login-hooks', REPOSITORY);
}
