import { type ExecException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { UnusableInput } from './commandLine.ts';

const MAX_OUTPUT = 100_000_000;

/**
 * @param cwd the folder in which it runs
 * @param answers the exit codes with which it answers; all others are failures
 * @returns what it writes to stdout
 * @throws {UnusableInput} with what it says of its failure
 */
export async function npm(args: string[], cwd: string, answers: readonly number[] = [0]): Promise<string> {
  // On Windows it is a script of the shell, which would split a path at its spaces and run what stands behind its `&`.
  const shell = process.platform === 'win32';
  const given = shell ? args.map((argument) => `"${argument}"`) : args;
  try {
    const { stdout } = await promisify(execFile)('npm', given, { cwd, maxBuffer: MAX_OUTPUT, shell });
    return stdout;
  } catch (error) {
    const { message, code = 0, stdout = '', stderr = '' } = error as ExecException;
    if (answers.includes(code)) return stdout;
    throw new UnusableInput(`npm ${args[0]} failed:\n${stderr.trim() || message}`);
  }
}
