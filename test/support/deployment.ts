/** `serverless deploy` and `serverless remove`, as an operator runs them. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';
import { awsEnvironment } from './aws.ts';
import { commandEnvironment } from './environment.ts';
import { inLinkedProject } from './linkedProject.ts';

/** For a test or hook that deploys. */
export const DEPLOY_TIMEOUT_MS = 300_000;

/**
 * `serverless deploy` with these settings, and no other of this process.
 *
 * @param names of further variables, which an operator adds to `serverless.yml` for a handler of their own
 */
export function deploy(settings: Record<string, string>, names: string[] = []): void {
  inLinkedProject((folder) => {
    if (names.length > 0) writeFileSync(join(folder, 'serverless.yml'), configurationWith(names));
    serverless(['deploy'], settings, folder);
  });
}

/** `serverless remove`. */
export function remove(): void {
  serverless(['remove'], {});
}

/**
 * What `serverless` prints.
 *
 * @param cwd the folder of the service, by default the project
 * @throws {Error} with what it prints, where it fails
 */
export function serverless(args: string[], settings: Record<string, string> = {}, cwd?: string): string {
  if (cwd === undefined) return inLinkedProject((folder) => serverless(args, settings, folder));
  const file = join(PROJECT, 'node_modules', 'serverless', 'bin', 'serverless.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd,
    encoding: 'utf8',
    env: commandEnvironment({ ...awsEnvironment(), ...settings }),
    timeout: DEPLOY_TIMEOUT_MS,
  });
  if (status !== 0) throw new Error(`serverless ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout + stderr;
}

const PROVIDER = '\nprovider:\n';

function configurationWith(names: string[]): string {
  const config = readFileSync(join(PROJECT, 'serverless.yml'), 'utf8');
  if (!config.includes(PROVIDER)) throw new Error('expected provider in serverless.yml');
  const lines = names.map((name) => `    ${name}: \${env:${name}, null}\n`);
  return config.replace(PROVIDER, () => `${PROVIDER}  environment:\n${lines.join('')}`);
}
