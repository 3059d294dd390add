/** `serverless` in the project, with settings of its own, many times in one process. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PROJECT } from '../../tools/shared/project.ts';
import { BUILT, commandEnvironment } from './environment.ts';

export interface ServerlessCommand {
  args: string[];
  /** All settings: none of this process's environment is one. */
  settings: Record<string, string>;
}

export interface CommandResult {
  status: number;
  stdout: string;
  stderr: string;
}

const RUNNER = join(PROJECT, 'test', 'support', 'runServerless.cjs');

/**
 * Runs the commands one after the other in one process, which saves most of their time. They package the bundle that is
 * built already, and verify it.
 *
 * @param project linked, with what the commands read beside it
 */
export async function runCommands(project: string, commands: ServerlessCommand[]): Promise<CommandResult[]> {
  const file = join(project, 'commands.json');
  writeFileSync(file, JSON.stringify(commands));
  const child = spawn(process.execPath, [RUNNER, file], {
    cwd: project,
    env: commandEnvironment(BUILT),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout = [], stderr = []] = (await Promise.all([text(child.stdout), text(child.stderr)])).map(
    byCommand,
  );
  return commands.map((_, index) => {
    const { status, told } = stdout[index] ?? { status: 1, told: '' };
    return { status, stdout: told, stderr: stderr[index]?.told ?? '' };
  });
}

/** The exit code of a command stands after the separator, at the beginning of the next part. */
function byCommand(output: string) {
  const parts = output.split('\x1e');
  return parts.slice(1).map((part, index) => ({
    status: Number.parseInt(part, 10),
    told: parts[index]?.replace(/^\d+\n/, '') ?? '',
  }));
}
