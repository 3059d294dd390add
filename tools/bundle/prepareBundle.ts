/** The bundle in `dist/`, up to date. */
import type { BuildFailure } from 'esbuild';
import { UnusableInput } from '../shared/commandLine.ts';
import { build } from './build.ts';
import { buildProblems } from './buildProblems.ts';
import { IS_PREBUILT } from './bundler.ts';

/** @throws {UnusableInput} when the project cannot be built */
export async function prepareBundle(): Promise<void> {
  try {
    if (!IS_PREBUILT) await build();
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    throw new UnusableInput(await buildProblems(errors));
  }
}
