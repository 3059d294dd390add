import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE } from './project.ts';

export interface Manifest {
  name: string;
  version: string;
  dependencies: Readonly<Record<string, string>>;
  [field: string]: unknown;
}

export async function packageManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
}
