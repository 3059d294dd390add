/** The licences of the libraries that a bundle holds, as their packages give them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { PROJECT } from '../shared/project.ts';

const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)/i;
const README = /^readme/i;
/** The innermost package that a file of the bundle belongs to. */
const PACKAGE = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Of the libraries in a bundle of the project. */
export async function thirdPartyLicenses({ outputs }: Metafile): Promise<string> {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  const files = inputs.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : []));
  const folders = new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []));
  return licensesOf(Array.from(folders, (folder) => join(PROJECT, folder)));
}

/** Each licence once, under the names and versions of the packages in these folders that have it. */
export async function licensesOf(folders: readonly string[]): Promise<string> {
  const packages = await Promise.all(folders.map(read));
  const sections = Array.from(
    Map.groupBy(packages, ({ text }) => text),
    ([text, those]) => `${[...new Set(those.map(({ title }) => title))].sort().join('\n')}\n\n${text}\n`,
  );
  return sections.sort().join(`\n${'-'.repeat(80)}\n\n`);
}

async function read(folder: string): Promise<{ title: string; text: string }> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const found = await textsOf(folder, LICENSE_FILE);
  const text = found.length > 0 ? found.join('\n\n') : await standardText(folder, license);
  return { title: `${name} ${version} (${license})`, text };
}

/** For a package without a text of its own: what its README says of the copyright, and the licence that it names. */
async function standardText(folder: string, license: string): Promise<string> {
  const readme = (await textsOf(folder, README)).join('\n');
  const notices = readme.split('\n').filter((line) => /copyright/i.test(line));
  const file = new URL(`licenses/${license}.txt`, import.meta.url);
  const standard = await readFile(file, 'utf8').catch(() => '');
  return [...notices, standard.trim()].filter(Boolean).join('\n\n');
}

async function textsOf(folder: string, names: RegExp): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && names.test(entry.name)).map(({ name }) => name);
  return Promise.all(files.sort().map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()));
}
