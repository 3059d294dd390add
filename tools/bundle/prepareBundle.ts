/** The bundle in `dist/`, up to date. */
import type { BuildFailure, Metafile } from 'esbuild';
import { UnusableInput } from '../shared/commandLine.ts';
import { build } from './build.ts';
import { buildProblems } from './buildProblems.ts';
import { isPrebuilt } from './bundler.ts';

/** @throws {UnusableInput} when the project cannot be built */
export async function buildBundle(): Promise<Metafile> {
  try {
    return await build();
  } catch (error) {
    const { errors } = error as Partial<BuildFailure>;
    if (!errors) throw error;
    throw new UnusableInput(await buildProblems(errors));
  }
}

/** @throws {UnusableInput} when the project cannot be built */
export async function prepareBundle(): Promise<void> {
  if (!isPrebuilt()) await buildBundle();
}
