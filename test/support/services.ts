/** `serverless` many times in one process: in the project, and on services in folders of their own, with code that is no bundle of it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';
import { runCommand } from './commands.ts';
import { BUILT, commandEnvironment } from './environment.ts';

/** The parts of a service that a test is about, in the words of `serverless.yml`. */
export interface Service {
  /** Of the function `samlLoggedIn`. */
  fn?: object;
  functions?: object;
  provider?: object;
  resources?: object;
  custom?: object;
  /** Below `custom.loginHooks`. */
  others?: object;
  useDotenv?: boolean;
  /** The text of a plugin that runs after this project's own. */
  plugin?: string;
}

export interface Packaged {
  /** What `serverless` says where it refuses, or null. */
  refusal: string | null;
  /** What its plugins say otherwise. */
  told: string[];
  /** As it was when it was refused, or uploaded. */
  template: object;
}

const PLUGIN = join(PROJECT, 'tools', 'deploy', 'plugin.cjs');
/** This project's own, but these services have nothing to build and to verify. */
const OURS = `module.exports = class extends require(${JSON.stringify(PLUGIN)}) {
  constructor(...args) {
    super(...args);
    delete this.hooks['before:package:initialize'];
  }
};
`;

/** @param parent a folder within the project */
export function writeService(
  parent: string,
  { fn, functions, plugin, others = {}, ...rest }: Service,
): string {
  const folder = mkdtempSync(join(parent, 'service-'));
  mkdirSync(join(folder, 'dist', 'functions'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('dist/functions/samlLoggedIn.mjs', 'export const handler = () => {};\n');
  mkdirSync(join(folder, 'own'));
  write('own/index.mjs', 'export const handler = () => {};\n');
  write('ours.cjs', OURS);
  if (plugin !== undefined) write('later.cjs', plugin);
  write(
    'serverless.json',
    JSON.stringify({
      service: 'ways-in',
      plugins: ['./ours.cjs', ...(plugin === undefined ? [] : ['./later.cjs'])],
      package: { patterns: ['!**', 'dist/**'] },
      functions: { samlLoggedIn: { handler: 'dist/functions/samlLoggedIn.handler', ...fn }, ...functions },
      ...rest,
      provider: { name: 'aws', runtime: 'nodejs24.x', region: 'eu-central-1', ...rest.provider },
      custom: { monitoring: 'off', loginHooks: { saml: 'default', others }, ...rest.custom },
    }),
  );
  return folder;
}

/** Packages all these services, in one process. */
export function packageServices(folders: string[]): Promise<Packaged[]> {
  return linesOf('packageServices.cjs', folders, PROJECT);
}

export interface ServerlessCommand {
  args: string[];
  /** All settings: none of this process's environment is one. */
  settings: Record<string, string>;
}

/**
 * Runs commands of `serverless` one after the other in one process, which saves most of their time. They package the bundle
 * that is built already, and verify it.
 *
 * @param project linked, with what the commands read beside it
 * @returns of each, its exit code and all that it tells
 */
export function runCommands(project: string, commands: ServerlessCommand[]): Promise<[number, string][]> {
  const file = join(project, 'commands.json');
  writeFileSync(file, JSON.stringify(commands));
  return linesOf('runServerless.cjs', [file], project, BUILT);
}

/** The lines of JSON that a script of this folder writes. */
async function linesOf<TLine>(script: string, args: string[], cwd: string, settings = {}): Promise<TLine[]> {
  const options = { cwd, env: commandEnvironment(settings) };
  const { stdout, stderr } = await runCommand([join(import.meta.dirname, script), ...args], options).end(0);
  if (stdout === '') throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
