/** The package that a project depends on: a file in its `vendor/`, or what npm gets elsewhere: a version of a registry, or an address. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { readGivenFile, UnusableInput } from '../shared/commandLine.ts';
import { PACKAGE } from '../shared/project.ts';
import type { NewFiles } from './writeNew.ts';

/** A name without the version would leave npm with the file that it has cached. */
const PACKED = /^login-hooks-\d[\w.+-]*\.tgz$/;
const ELSEWHERE = /^(?:\d+\.\d+\.\d+[\w.+-]*|https:\/\/\S+\.tgz)$/;

/**
 * @param where it is given, for an error
 * @param given a packed file, a version, or the https address of a packed file
 * @throws {UnusableInput} where it is none of them
 */
export async function loginHooksPackage(
  where: string,
  given: string,
): Promise<{ dependency: string; files: NewFiles }> {
  if (ELSEWHERE.test(given)) return { dependency: given, files: {} };
  const name = basename(given);
  if (PACKED.test(name)) {
    const file = `vendor/${name}`;
    return { dependency: `file:${file}`, files: { [file]: await readGivenFile(given) } };
  }
  throw new UnusableInput(
    `${where}: expected a packed file like login-hooks-1.0.0.tgz, its https address, or a version, found ${given}`,
  );
}

const PACK = join('tools', 'pack', 'pack.ts');

/** Packs a repository of login-hooks. @returns the file */
export async function packedFile(repository: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PACK], { cwd: repository });
  const [file = ''] = stdout.split(' ');
  return join(repository, file);
}

/** What a new project gets where nothing is given: this package, packed here, or as the project depends on it that has it installed. */
export async function thisPackage(): Promise<string> {
  if (existsSync(join(PACKAGE, PACK))) return packedFile(PACKAGE);
  const project = join(PACKAGE, '..', '..');
  const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  const dependency: string = manifest.dependencies['login-hooks'];
  return dependency.startsWith('file:') ? join(project, dependency.slice('file:'.length)) : dependency;
}
