/** Two folders: the operator's project, and the package that serves it. In this repository they are the same. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';

const CONFIGURATIONS = ['yml', 'yaml', 'json', 'js', 'ts'].map((extension) => `serverless.${extension}`);

export const PACKAGE = dirname(dirname(import.meta.dirname));

/** What the package's code ends with: `.js` where it is packed, because Node strips no types below `node_modules`. */
export const CODE = extname(import.meta.filename);

/** Has `handlers/`, `events/`, `.env.<stage>`, `dist/`: the nearest folder, upwards, with a configuration of `serverless`. */
export const PROJECT = nearestProject(process.cwd()) ?? process.cwd();

export const IS_OWN_PROJECT = PROJECT !== PACKAGE;

/** The configuration of the project; `serverless.yml` where there is none. */
export const CONFIGURATION = configurationIn(PROJECT) ?? join(PROJECT, 'serverless.yml');

function nearestProject(folder: string): string | null {
  if (configurationIn(folder) !== undefined) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : nearestProject(parent);
}

function configurationIn(folder: string): string | undefined {
  return CONFIGURATIONS.map((name) => join(folder, name)).find((file) => existsSync(file));
}

export function isInside(folder: string, file: string): boolean {
  return file.startsWith(folder + sep);
}

/** A path from the project's folder, where it is in there. */
export function ofProject(path: string): string {
  return isInside(PROJECT, path) ? relative(PROJECT, path) : path;
}

export interface Manifest {
  name: string;
  version: string;
  dependencies: Readonly<Record<string, string>>;
  [field: string]: unknown;
}

export async function packageManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
}
