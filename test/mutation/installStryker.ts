/** Stryker is a package of this folder: who does not measure mutants does not install it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../../tools/shared/project.ts';
import { install } from '../support/install.ts';

const FOLDER = import.meta.dirname;
const TSC = join(PROJECT, 'node_modules', 'typescript', 'bin', 'tsc');

/**
 * Installs it where it is not yet, and checks the types of what calls it, which the project's own check leaves out.
 *
 * @throws {Error} with the command that failed, and its output
 */
export async function installStryker(): Promise<void> {
  if (!existsSync(join(FOLDER, 'node_modules', '@stryker-mutator', 'core'))) {
    console.error('installing Stryker, which takes half a minute');
    await install('npm', ['ci'], { cwd: FOLDER });
  }
  await install(process.execPath, [TSC, '-p', FOLDER]);
}
