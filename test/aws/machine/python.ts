/** Packages of PyPI, each set in a virtual environment of its own under `.build`. */
import { join } from 'node:path';
import { install } from '../../support/install.ts';
import { program, type Requirement } from './requirements.ts';

export const PYTHON_REQUIREMENT: Requirement = program(
  'Python 3.11 or later with its module venv',
  'python3',
  ['-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))'],
);

/** @throws {Error} with the output of what failed */
export async function installPackages(folder: string, packages: string[]): Promise<void> {
  console.error(`installing ${packages.join(', ')} into ${folder}`);
  await install('python3', ['-m', 'venv', folder]);
  await install(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages]);
}
