import { type ExecFileOptions, execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a step of an installation; what it writes is shown where it fails, and then only.
 *
 * @throws {Error} with the command and its output
 */
export async function install(command: string, args: string[], options: ExecFileOptions = {}): Promise<void> {
  const unlimited = { ...options, maxBuffer: Number.POSITIVE_INFINITY };
  await promisify(execFile)(command, args, unlimited).catch(({ message, stdout }) => {
    throw new Error(`${message}${stdout}`);
  });
}
