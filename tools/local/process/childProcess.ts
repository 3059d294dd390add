/** The process of a function: how it is started, how it ends, and what it writes. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Of the process, in MB: a handler that eats memory ends there, as on Lambda, and not with the machine. */
const HEAP_MB = 512;
/** Stack frames lead to the sources. */
export const NODE_OPTIONS = ['--enable-source-maps', `--max-old-space-size=${HEAP_MB}`];

/** The fourth pipe is for events and answers; the fifth closes when this process ends, and nothing is written to it. */
export const PIPE_FD = 3;
const STDIO: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'];

/** Until what a process that has ended left in its pipes is read. A process that it started may hold them open. */
const LEFT_MS = 500;

export function spawnNode(
  args: readonly string[],
  options: Pick<SpawnOptions, 'cwd'> & { env: NodeJS.ProcessEnv },
): ChildProcess {
  const child = spawn(process.execPath, args, { ...options, stdio: STDIO });
  for (const stream of child.stdio) stream?.on('error', () => {});
  child.once('exit', () => {
    const late = setTimeout(() => child.stdio.forEach((stream) => void stream?.destroy()), LEFT_MS);
    child.once('close', () => clearTimeout(late));
  });
  return child;
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
