/** The studio's page, bundled into memory. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { CODE, PACKAGE } from '../shared/project.ts';

const PAGE = join(PACKAGE, 'tools', 'studio', 'page');
/** Browsers of 2024 and newer: the page uses `light-dark()`. */
const TARGET = ['chrome123', 'firefox120', 'safari17.5'];

/** Files of the page by name, as they are served below `/`. */
export type PageFiles = Readonly<Record<(typeof FILES)[number], string>>;
const FILES = ['index.html', 'studio.js', 'studio.css'] as const;

/** @throws {esbuild.BuildFailure} whose `errors` say where */
export async function pageFiles(): Promise<PageFiles> {
  if (CODE === '.ts') return bundlePage();
  // A packed package has the page bundled.
  const texts = FILES.map(async (name) => [name, await readFile(join(PAGE, name), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts)) as PageFiles;
}

/**
 * Minified, without scripts or styles in the HTML and without `eval`, so that a strict Content-Security-Policy holds.
 *
 * @throws {esbuild.BuildFailure} whose `errors` say where
 */
export async function bundlePage(): Promise<PageFiles> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: PACKAGE,
    entryPoints: { studio: join(PAGE, 'main.tsx') },
    outdir: PAGE,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: TARGET,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    write: false,
    logLevel: 'silent',
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return {
    'index.html': await readFile(join(PAGE, 'index.html'), 'utf8'),
    'studio.js': textOf('.js'),
    'studio.css': textOf('.css'),
  };
}
