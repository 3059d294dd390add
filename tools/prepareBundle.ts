/** A bundle that is up to date, with the handler that a command names in it. */
import { glob, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BuildFailure } from 'esbuild';
import { formatMessages } from 'esbuild';
import { UnusableInput } from './arguments.ts';
import { build, DIST, handlerName, PROJECT } from './build.ts';

export interface PreparedBundle {
  root: string;
  /** What the handler setting must say; undefined to leave it as it is. */
  handlerModule?: string;
}

/**
 * @param handler what the setting takes, or a source file to bundle first (`.ts`, from the working directory)
 * @param use names the bundle of such a file: two of them may be in use together
 * @throws {UnusableInput} when the handler, or the project, cannot be built
 */
export async function prepareBundle(handler?: string, use = 'login'): Promise<PreparedBundle> {
  try {
    if (handler === undefined || !/\.[cm]?ts$/.test(handler)) {
      if (await isStale()) await build();
      return { root: DIST, ...(handler !== undefined && { handlerModule: handler }) };
    }
    const file = resolve(handler);
    if (!(await modified(file))) throw new UnusableInput(`${handler}: no such file`);
    const root = join(PROJECT, '.build', use);
    await build({ outdir: root, extraHandler: file });
    return { root, handlerModule: handlerName(file) };
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    throw new UnusableInput((await formatMessages(errors, { kind: 'error' })).join('\n'));
  }
}

/** Whether a source is younger than the bundle. */
async function isStale(): Promise<boolean> {
  const builtAt = await modified(join(DIST, 'functions', 'openidLoggedIn.mjs'));
  const sources = glob(['{functions,lib,handlers}/**', 'package-lock.json', 'tools/build.ts'], {
    cwd: PROJECT,
  });
  for await (const file of sources) if ((await modified(join(PROJECT, file))) > builtAt) return true;
  return builtAt === 0;
}

/** When a file changed, in milliseconds since 1970; 0 where there is none. */
async function modified(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.mtimeMs ?? 0;
}
