/** What the packed file holds, and whether it is all that a project needs. */
import { execFileSync } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import * as esbuild from 'esbuild';
import { packedFile } from '../../tools/create/loginHooksPackage.ts';
import { PROJECT } from '../../tools/shared/project.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';

const MAX_BYTES = 2_000_000;

let file: string;
const parent = temporaryFolder();
/** The unpacked package. */
const folder = join(parent, 'package');
let files: string[];

beforeAll(async () => {
  file = await packedFile(PROJECT);
  const unpacked = execFileSync('tar', ['xzvf', file, '-C', parent], { encoding: 'utf8' });
  files = unpacked
    .trim()
    .split('\n')
    .map((name) => name.replace(/^package\//, ''));
});

test('is 2 MB or less', async () => {
  expect((await stat(file)).size).toBeLessThanOrEqual(MAX_BYTES);
});

test('has code, types, assets and documents, and nothing of those who maintain it', () => {
  const kinds = files.map((name) => name.replace(/^([^/]+\/).*?((?:\.d)?\.\w+)$/, '$1*$2'));
  expect([...new Set(kinds)].sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'THIRD_PARTY_LICENSES.txt',
    'docs/*.md',
    'docs/*.png',
    'events/*.json',
    'functions/*.js',
    'lib/*.d.ts',
    'lib/*.js',
    'package.json',
    'secrets.sample.json',
    ...['cjs', 'css', 'html', 'js', 'json', 'mjs', 'svg', 'txt'].map((extension) => `tools/*.${extension}`),
  ]);
  expect(files.filter((name) => /^(?:tools\/pack|docs\/maintainers)\//.test(name))).toEqual([]);
});

test('imports what it has, and the packages that it depends on: no more, no fewer', async () => {
  const { metafile } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: files.filter((name) => /^(?:functions|lib|tools).*\.m?js$/.test(name)),
    outdir: join(folder, 'out'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    alias: { 'login-hooks': join(folder, 'lib', 'sdk.js') },
    metafile: true,
    write: false,
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const packages = imports.filter(({ external, path }) => external && !isBuiltin(path));
  const imported = new Set(packages.map(({ path }) => /^(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]));
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  // Run, read by the compiler, and sent to a browser.
  const used = [...imported, 'serverless', 'typescript', '@types/node', 'idiomorph'];
  expect(Object.keys(dependencies).sort()).toEqual([...new Set(used)].sort());
});

test('names the licence of each package that it brings', async () => {
  const licenses = await readFile(join(folder, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
  const sbom = JSON.parse(await readFile(join(file, '..', 'sbom.cdx.json'), 'utf8'));
  // Those of other platforms are not on this machine.
  const components: { purl: string; scope?: string }[] = sbom.components;
  const brought = components
    .filter(({ scope }) => scope !== 'optional')
    .map(({ purl }) => decodeURIComponent(purl));
  const titles = brought.map((purl) => purl.replace('pkg:npm/', '').replace(/@([^@?]+)(?:\?.*)?$/, ' $1'));
  const missing = titles.filter((title) => !licenses.includes(title));
  expect(missing).toEqual([]);
});
