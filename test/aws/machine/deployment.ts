/** `serverless`, as an operator runs it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT } from '../../../tools/shared/project.ts';
import { commandEnvironment } from '../../support/environment.ts';
import { linkedProject } from '../../support/linkedProject.ts';
import { awsEnvironment } from './aws.ts';

/** For a test or hook that deploys. */
export const DEPLOY_TIMEOUT_MS = 300_000;

/** The folder of the project that the tests of a file deploy. */
export const project = linkedProject();

/** `serverless deploy` with these settings, and no other of this process. */
export function deploy(settings: Record<string, string>): void {
  serverless(['deploy'], settings);
}

/**
 * What `serverless` prints.
 *
 * @param cwd the folder of the service
 * @throws {Error} with what it prints, where it fails
 */
export function serverless(args: string[], settings: Record<string, string> = {}, cwd = project): string {
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
