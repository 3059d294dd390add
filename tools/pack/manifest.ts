/** The `package.json` of the packed package. */
import type { Manifest } from '../shared/manifest.ts';

/** What npm and a registry's page read. Scripts and what maintainers need stay here. */
const FIELDS = [
  ...['name', 'version', 'type', 'license', 'description', 'keywords', 'engines'],
  ...['bin', 'exports', 'dependencies', 'optionalDependencies'],
];

/** The `exports` name sources here, and what they are compiled to there. */
export function packedManifest(
  manifest: Manifest,
): Pick<Manifest, 'name' | 'version'> & Record<string, unknown> {
  const { name, version } = manifest;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, manifest[field]]));
  const compiled = JSON.stringify(fields.exports).replaceAll('.ts"', '.js"');
  return { name, version, ...fields, exports: JSON.parse(compiled) };
}
