/** Commands in the process of the test. Nothing of `tools` is loaded here: it reads the project's folder when it is. */
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

export interface Ended {
  status: 0 | 1 | 2;
  /** Without colours. */
  stdout: string;
  stderr: string;
}

type Run = (args: string[], io: { untilEnded: () => Promise<void> }) => Promise<0 | 1 | 2>;

export async function inFolder<TResult>(folder: string, work: () => Promise<TResult>): Promise<TResult> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

/** @param env all of it: none of this process's environment is a setting */
export async function inThisProcess(run: Run, args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const restore = replaceProcess(written, env);
  try {
    const status = await run(args, { untilEnded: () => new Promise(() => {}) });
    return { status, ...written };
  } finally {
    restore();
  }
}

/** What a command has of its process: its streams and its environment. @returns puts everything back */
function replaceProcess(written: Record<'stdout' | 'stderr', string>, env: NodeJS.ProcessEnv): () => void {
  const before = { env: process.env, console: globalThis.console };
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    const descriptor = Object.getOwnPropertyDescriptor(process, name) ?? {};
    const value = new Writable({
      decodeStrings: false,
      write(text, _, done) {
        written[name] += stripVTControlCharacters(String(text));
        done();
      },
    });
    Object.defineProperty(process, name, { ...descriptor, get: () => value });
    return { name, descriptor };
  });
  process.env = env;
  globalThis.console = new Console(process.stdout, process.stderr);
  return () => {
    globalThis.console = before.console;
    process.env = before.env;
    for (const { name, descriptor } of streams) Object.defineProperty(process, name, descriptor);
  };
}
