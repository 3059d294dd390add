/** Makes the files of a release: the packed package, the licences of all that it brings, and its bill of materials. */
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { licensesOf } from '../bundle/licenses.ts';
import { npm } from '../shared/programs.ts';
import { type Manifest, PACKAGE, packageManifest } from '../shared/project.ts';
import { compile } from './compile.ts';

const RELEASE = join(PACKAGE, '.build', 'release');
const STAGED = join(RELEASE, 'package');
const DOCUMENTS = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'docs'];
/** What they say is of the repository. */
const FOR_MAINTAINERS = join(PACKAGE, 'docs', 'maintainers');
const LICENSES = 'THIRD_PARTY_LICENSES.txt';

/** @returns the packed package, named by its version: npm's cache keeps what a name had before */
export async function pack(): Promise<string> {
  const manifest = await packageManifest();
  await rm(RELEASE, { recursive: true, force: true });
  await mkdir(STAGED, { recursive: true });
  await compile(STAGED);
  const filter = (file: string) => file !== FOR_MAINTAINERS;
  for (const name of DOCUMENTS) {
    await cp(join(PACKAGE, name), join(STAGED, name), { recursive: true, filter });
  }
  await writeFile(join(STAGED, 'package.json'), `${JSON.stringify(packedManifest(manifest), null, 2)}\n`);
  await writeFile(join(STAGED, LICENSES), await broughtLicenses());
  await npm(['pack', '--pack-destination', RELEASE], STAGED);
  return join(RELEASE, `${manifest.name}-${manifest.version}.tgz`);
}

/** What npm and a registry's page read. Scripts and what maintainers need stay here. */
const FIELDS = [
  ...['name', 'version', 'type', 'license', 'description', 'keywords', 'engines'],
  ...['bin', 'exports', 'dependencies', 'optionalDependencies'],
];

/** The `exports` name sources here, and what they are compiled to there. */
function packedManifest(manifest: Manifest): Record<string, unknown> {
  const fields = Object.fromEntries(FIELDS.map((field) => [field, manifest[field]]));
  const compiled = JSON.stringify(fields.exports).replaceAll('.ts"', '.js"');
  return { ...fields, exports: JSON.parse(compiled) };
}

/** Of the versions that are locked here. npm names the package as its folder is called, and has it private as it is here. */
export async function writeBillOfMaterials(): Promise<string> {
  const { name } = await packageManifest();
  const made = await npm(['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--package-lock-only'], PACKAGE);
  const { metadata, ...bill } = JSON.parse(made);
  const { properties: _, ...component } = metadata.component;
  const file = join(RELEASE, 'sbom.cdx.json');
  const written = { ...bill, metadata: { ...metadata, component: { ...component, name } } };
  await writeFile(file, `${JSON.stringify(written, null, 2)}\n`);
  return file;
}

/** Of what an operator's `npm install` brings. */
async function broughtLicenses(): Promise<string> {
  const listed = await npm(['ls', '--omit=dev', '--all', '--parseable', '--package-lock-only'], PACKAGE);
  // What is for other systems is locked too, and is not here.
  const folders = listed
    .trim()
    .split('\n')
    .filter((folder) => folder !== PACKAGE && existsSync(folder));
  return licensesOf(folders);
}
