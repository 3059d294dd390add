/** Commands of the project, each in a process of its own. Nothing of `tools` is loaded here: it reads the project's folder when it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { commandEnvironment } from './environment.ts';

export const REPOSITORY = join(import.meta.dirname, '..', '..');
const POLL_MS = 20;
/** Far more than a command needs: other tests may keep the machine busy. */
const PATIENCE_MS = 150_000;

interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Whether it has a process group of its own, as a terminal gives one to each command. */
  isGroup?: boolean;
}

export type RunningCommand = ReturnType<typeof runCommand>;

/** @param file of a command, from the project's folder */
export function runCommand(
  [file = '', ...args]: readonly string[],
  { cwd = REPOSITORY, env = commandEnvironment(), isGroup = false }: CommandOptions = {},
) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env,
    detached: isGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      written[stream] += text;
    });
  }
  const closed = once(child, 'close');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    child,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    /**
     * Resolves when one of the streams has a match, with the match.
     *
     * @throws {Error} with all that was written, when the command has ended, or takes too long
     */
    async printed(pattern: RegExp): Promise<RegExpExecArray> {
      const end = performance.now() + PATIENCE_MS;
      const match = () => pattern.exec(written.stdout) ?? pattern.exec(written.stderr);
      while (!match() && !hasEnded() && performance.now() < end) await setTimeout(POLL_MS);
      const found = match();
      if (found) return found;
      throw new Error(`expected ${pattern}, found:\n${written.stdout}${written.stderr}`);
    },
    /** Drops what was written so far. */
    forget: () => void Object.assign(written, { stdout: '', stderr: '' }),
    /** Sends a signal, none where it is 0, and resolves with the exit code and all that was written. */
    async end(signal: NodeJS.Signals | 0 = 'SIGINT') {
      if (!hasEnded()) process.kill(isGroup ? -(child.pid ?? 0) : (child.pid ?? 0), signal);
      const [status] = (await closed) as [number | null];
      return { status, ...written };
    },
  };
}
