/** The package that a new project depends on: a file in its `vendor/`, or a version of a registry. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UnusableInput } from '../shared/commandLine.ts';
import { IS_OWN_PROJECT, PROJECT } from '../shared/project.ts';
import type { NewFiles } from './writeNew.ts';

interface LoginHooksPackage {
  /** What `dependencies` says. */
  dependency: string;
  /** The packed file, where it is one. */
  files: NewFiles;
}

/** A name without the version would leave npm with the file that it has cached. */
const PACKED = /^login-hooks-\d[\w.+-]*\.tgz$/;
const VERSION = /^\d+\.\d+\.\d+[\w.+-]*$/;

/**
 * @param given a packed file, or a version
 * @throws {UnusableInput} where it is neither
 */
export async function loginHooksPackage(given: string | null): Promise<LoginHooksPackage> {
  if (given !== null && VERSION.test(given)) return { dependency: given, files: {} };
  const name = basename(given ?? '');
  if (given !== null && PACKED.test(name)) {
    const file = `vendor/${name}`;
    return { dependency: `file:./${file}`, files: { [file]: await readFile(given) } };
  }
  throw new UnusableInput(
    `--package: expected a version, or a packed file like login-hooks-1.0.0.tgz, found ${given ?? 'nothing'}`,
  );
}

/** The packed file that a new project gets where none is given: the one that this project depends on. */
export async function packedFile(): Promise<string | null> {
  if (!IS_OWN_PROJECT) return null;
  const manifest = await readFile(join(PROJECT, 'package.json'), 'utf8').catch(() => '{}');
  const dependency: unknown = JSON.parse(manifest).dependencies?.['login-hooks'];
  return typeof dependency === 'string' && dependency.startsWith('file:')
    ? join(PROJECT, dependency.slice('file:'.length))
    : null;
}
