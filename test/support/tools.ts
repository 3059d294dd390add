/** The commands of the project (`npm run check` and the like), in the process of the test. */
import { Console } from 'node:console';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { run } from '../../tools/cli/bin.ts';
import type { ExitCode } from '../../tools/shared/process.ts';
import { BUILT, commandEnvironment } from './environment.ts';

interface Ended {
  status: ExitCode;
  /** Without colours. */
  stdout: string;
  stderr: string;
}

/** @param env all settings: none of this process's environment is one */
type RunTool = (name: string, args: string[], env?: Record<string, string>) => Promise<Ended>;

export const runTool: RunTool = (name, args, env = {}) => inThisProcess(run, [name, ...args], env);

/** The commands of a copy of the project, run in its folder, with its own settings. */
export async function toolsOf(folder: string): Promise<RunTool> {
  const copy = await inFolder<{ run: typeof run }>(folder, () => import(join(folder, 'tools/cli/bin.ts')));
  return (name, args, env = {}) => {
    const settings = { HOME: folder, LOGIN_HOOKS_ENV_FOLDER: folder, ...env };
    return inFolder(folder, () => inThisProcess(copy.run, [name, ...args], settings));
  };
}

async function inFolder<TResult>(folder: string, work: () => Promise<TResult>): Promise<TResult> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}

async function inThisProcess(
  command: typeof run,
  args: string[],
  env: Record<string, string>,
): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const restore = replaceProcess(written, commandEnvironment({ ...BUILT, ...env }));
  try {
    const status = await command(args, { untilEnded: () => new Promise(() => {}) });
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
