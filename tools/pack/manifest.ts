/** The `package.json` of the packed package. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PACKAGE } from '../shared/project.ts';

/** What npm and a registry's page read. Scripts and what maintainers need stay here. */
const FIELDS = [
  ...['name', 'version', 'type', 'license', 'description', 'keywords', 'engines'],
  ...['bin', 'exports', 'dependencies', 'optionalDependencies'],
];

export interface Manifest {
  name: string;
  version: string;
  [field: string]: unknown;
}

/** Of this repository. */
export async function ownManifest(): Promise<Manifest> {
  return JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
}

/** Its `exports` name sources here, and what they are compiled to there. */
export function packedManifest(manifest: Manifest): Manifest {
  const { name, version } = manifest;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, manifest[field]]));
  const compiled = JSON.stringify(fields.exports).replaceAll('.ts"', '.js"');
  return { name, version, ...fields, exports: JSON.parse(compiled) };
}
