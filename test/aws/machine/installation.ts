/** What tests need beside the packages of npm: each is installed under `.build`, once. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../../../tools/shared/project.ts';
import { install } from '../../support/install.ts';

export interface Installation {
  /** With its version: another one has another folder. */
  name: string;
  /** Puts it into the folder, which is empty. @throws {Error} with the output of what failed */
  make(folder: string): Promise<void>;
}

export function folderOf(name: string): string {
  return join(PROJECT, '.build', name);
}

/** Installs those that are not there yet. @throws {Error} with the output of what failed */
export async function installAll(...installations: Installation[]): Promise<void> {
  await Promise.all(installations.filter(({ name }) => !existsSync(folderOf(name))).map(installOne));
}

async function installOne({ name, make }: Installation): Promise<void> {
  const folder = folderOf(name);
  console.error(`installing ${name} into ${folder}, which may take a minute`);
  // It gets its name when all of it is there: an installation that was interrupted has another.
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await make(unfinished);
  await rename(unfinished, folder);
}

/** A package of npm, by itself: so that npm heeds neither the project's .npmrc nor its lock file. */
export async function installFromNpm(folder: string, what: string, args: string[] = [], env = process.env) {
  const options = ['--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder, ...args];
  await install('npm', ['install', ...options, what], { cwd: folder, env });
}

/** Packages of PyPI, in a virtual environment of their own. */
export function fromPyPi(name: string, packages: readonly string[]): Installation {
  const make = async (folder: string) => {
    await install('python3', ['-m', 'venv', folder]);
    await install(pythonIn(folder), ['-m', 'pip', 'install', '--quiet', ...packages]);
  };
  return { name, make };
}

export function pythonIn(folder: string): string {
  return join(folder, 'bin', 'python');
}
