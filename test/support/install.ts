import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface InstallOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Runs a step of an installation; what it writes is shown where it fails, and then only.
 *
 * @throws {Error} with the command and its output
 */
export async function install(command: string, args: string[], options: InstallOptions = {}): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} failed:\n${output}`);
}
