/** Packages of PyPI, each set in a virtual environment of its own under `.build`. */
import { join } from 'node:path';
import { install } from '../../support/install.ts';

/** @throws {Error} with the output of what failed */
export async function installPackages(folder: string, packages: string[]): Promise<void> {
  console.error(`installing ${packages.join(', ')} into ${folder}`);
  await install('python3', ['-m', 'venv', folder]);
  await install(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages]);
}
