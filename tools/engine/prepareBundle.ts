/** A bundle that is up to date, with the handler that a command names in it. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BuildFailure } from 'esbuild';
import { build, DIST, handlerName, PROJECT } from '../build.ts';
import { buildProblems } from '../buildFailure.ts';
import { UnusableInput } from '../cli/commandLine.ts';

export interface PreparedBundle {
  root: string;
  /** What the handler setting must say; undefined to leave it as it is. */
  handlerModule?: string;
}

/** Set by the tests, which build once and run many commands after it. */
const IS_BUILT = process.env.LOGIN_HOOKS_BUNDLE === 'built';

/** What a handler's source file ends with; anything else is the name of a module, as the setting takes it. */
export const SOURCE = /\.[cm]?ts$/;

/**
 * @param handler what the setting takes, or a source file to bundle first (`.ts`, from the working directory)
 * @param use names the bundle of such a file: two of them may be in use together
 * @throws {UnusableInput} when the handler, or the project, cannot be built
 */
export async function prepareBundle(handler?: string, use = 'login'): Promise<PreparedBundle> {
  try {
    if (handler === undefined || !SOURCE.test(handler)) {
      if (!IS_BUILT) await build();
      return { root: DIST, ...(handler !== undefined && { handlerModule: handler }) };
    }
    const file = resolve(handler);
    if (!existsSync(file)) throw new UnusableInput(`${handler}: no such file`);
    const root = join(PROJECT, '.build', use);
    await build({ outdir: root, extraHandler: file });
    return { root, handlerModule: handlerName(file) };
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    throw new UnusableInput(await buildProblems(errors));
  }
}
