/** The bundle in `dist/`, up to date. */
import type { BuildFailure, Metafile } from 'esbuild';
import { UnusableInput } from '../shared/commandLine.ts';
import { type BuildOptions, build } from './build.ts';
import { buildProblems } from './buildProblems.ts';
import { isPrebuilt } from './bundler.ts';

/** @throws {UnusableInput} when the project cannot be built */
export async function buildBundle(options?: BuildOptions): Promise<Metafile> {
  try {
    return await build(options);
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    throw new UnusableInput(await buildProblems(errors));
  }
}

/** @throws {UnusableInput} when the project cannot be built */
export async function prepareBundle(options?: BuildOptions): Promise<void> {
  if (!isPrebuilt()) await buildBundle(options);
}
