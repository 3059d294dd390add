import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT = 100_000_000;

/**
 * It reads the repository that the folder is in: the variables that git sets for a hook are those of the commit that is being made.
 *
 * @returns what it writes to stdout
 */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const { stdout } = await promisify(execFile)('git', args, { cwd, env, maxBuffer: MAX_OUTPUT });
  return stdout;
}
