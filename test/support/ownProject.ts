/** A project of an operator's own, which depends on this package: in a temporary folder, with its commands and `serverless`. */
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AskingMapping } from '../../lib/profile/schema/mappingSchema.ts';
import { PACKAGE } from '../../tools/shared/project.ts';
import { type RunningCommand, runCommand } from './commands.ts';
import { commandEnvironment } from './environment.ts';
import { type ProjectFolder, projectFolder } from './projectFolder.ts';

type Ended = Awaited<ReturnType<RunningCommand['end']>>;

export interface OwnProject extends ProjectFolder {
  /** `npx login-hooks <args>`, which goes on until it is ended. Of settings it has its own `.env.<stage>`, and these. */
  start(args: readonly string[], settings?: Record<string, string>): RunningCommand;
  /** The same, of a command that ends by itself. */
  run(args: readonly string[], settings?: Record<string, string>): Promise<Ended>;
  /** `npx serverless <args>`. */
  serverless(args: readonly string[], settings?: Record<string, string>): Promise<Ended>;
}

/** A service of AWS with all kinds of logins. */
const CONFIGURATION = `service: my-logins
provider:
  name: aws
plugins: [login-hooks/serverless]
custom: {loginHooks: {openid: default, saml: default, stages: [prod]}}
`;

/** The source of a handler. */
export function handlerOf(mapping: AskingMapping): string {
  return `import { mapOpenIdLogin } from 'login-hooks';\nexport default mapOpenIdLogin(${JSON.stringify(mapping)});\n`;
}

/** @param kind of its logins, e.g. `openid` */
export function configurationFor(kind: string): string {
  return CONFIGURATION.replace(/^custom: .*/m, `custom: {loginHooks: {${kind}: default, stages: [prod]}}`);
}

/**
 * Its packages are links. Node runs the TypeScript of this one, because the real path is not below `node_modules`.
 *
 * @param files by path
 */
export async function ownProject(files: Readonly<Record<string, string>>): Promise<OwnProject> {
  const project = await projectFolder();
  const { folder, write } = project;
  await linkPackages(join(folder, 'node_modules'));
  await write('package.json', '{"type": "module"}\n');
  await write('serverless.yml', CONFIGURATION);
  for (const [file, content] of Object.entries(files)) await write(file, content);
  const starting =
    (file: string) =>
    (args: readonly string[], settings: Record<string, string> = {}) => {
      const env = commandEnvironment({ LOGIN_HOOKS_ENV_FOLDER: folder, ...settings });
      return runCommand([join(folder, 'node_modules', file), ...args], { cwd: folder, env });
    };
  const start = starting('login-hooks/tools/cli/bin.cjs');
  const startServerless = starting('serverless/bin/serverless.js');
  return {
    ...project,
    start,
    run: (args, settings) => start(args, settings).end(0),
    serverless: (args, settings) => startServerless(args, settings).end(0),
  };
}

/** @param folder the `node_modules` of a project */
export async function linkPackages(folder: string): Promise<void> {
  await mkdir(folder);
  const link = (name: string, target: string) => symlink(target, join(folder, name), 'junction');
  const installed = join(PACKAGE, 'node_modules');
  for (const name of await readdir(installed)) await link(name, join(installed, name));
  await link('login-hooks', PACKAGE);
}
