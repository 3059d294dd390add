/** What a command has of the process that it runs in. */
import { readFileSync } from 'node:fs';
import { guardTerminal } from './terminal.ts';

export interface Io {
  /** Resolves when the command shall end. A command that goes on until then calls it; Ctrl-C ends all others at once. */
  untilEnded(): Promise<void>;
}

/** 1 where the command found what it looks for, 2 where it could not run. */
export type ExitCode = 0 | 1 | 2;

/** Runs a command with the arguments of this process, and sets the exit code. */
export async function runProcess(run: (args: string[], io: Io) => Promise<ExitCode>): Promise<void> {
  guardTerminal();
  process.stdout.on('error', endWithReader);
  process.exitCode = await run(process.argv.slice(2), { untilEnded });
}

/** `| head` reads the first lines, and goes. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

const NPM_CHECK_MS = 500;

/** Resolves at Ctrl-C or SIGTERM, and when the npm that started this process has ended. */
function untilEnded(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const isUnderNpm = process.env.npm_lifecycle_event !== undefined;
  const ancestors = ancestry();
  const check = () => {
    if (isUnderNpm && ancestry() !== ancestors) resolve();
  };
  const timer = setInterval(check, NPM_CHECK_MS).unref();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  return promise.finally(() => clearInterval(timer));
}

/** The parent, and the one above it: on Linux, a shell may be between npm and this process. */
function ancestry(): string {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const [, above] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${process.ppid} ${above}`;
  } catch {
    return String(process.ppid);
  }
}
