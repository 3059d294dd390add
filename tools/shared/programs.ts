/** Other programs: git and npm. Each returns what it writes to stdout. */
import { type ExecException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UnusableInput } from './commandLine.ts';

const run = promisify(execFile);
const MAX_OUTPUT = { maxBuffer: 100_000_000 };

/** It reads the repository that the folder is in: the variables that git sets for a hook are those of the commit that is being made. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const { stdout } = await run('git', args, { cwd, env, ...MAX_OUTPUT });
  return stdout;
}

/**
 * @param cwd the folder in which it runs
 * @param answers the exit codes with which it answers; all others are failures
 * @throws {UnusableInput} with what it says of its failure
 */
export async function npm(args: string[], cwd: string, answers: readonly number[] = [0]): Promise<string> {
  // On Windows it is a script of the shell, which would split a path at its spaces and run what stands behind its `&`.
  const shell = process.platform === 'win32';
  const given = shell ? args.map((argument) => `"${argument}"`) : args;
  try {
    const { stdout } = await run('npm', given, { cwd, shell, ...MAX_OUTPUT });
    return stdout;
  } catch (error) {
    const { message, code = 0, stdout = '', stderr = '' } = error as ExecException;
    if (answers.includes(code)) return stdout;
    throw new UnusableInput(`npm ${args[0]} failed:\n${stderr.trim() || message}`);
  }
}
