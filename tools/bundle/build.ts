/** Bundles functions and handlers in one go, so that a handler shares the function's module state through common chunks. */
import { globSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import * as esbuild from 'esbuild';
import { UnusableInput } from '../shared/commandLine.ts';
import { CODE, isInside, PACKAGE, PROJECT, packageManifest } from '../shared/project.ts';
import { FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { thirdPartyLicenses } from './licenses.ts';
import { startChunk } from './startChunk.ts';

export const DIST = join(PROJECT, 'dist');

const SDK = join(PACKAGE, 'lib', `sdk${CODE}`);
const NODE_MODULES = `${sep}node_modules${sep}`;
const MIDDY = join(NODE_MODULES, '@middy', sep);

/** Node has all of Unicode's properties. For esbuild some may be missing; it would make a call of each such pattern, even of one that nobody uses. */
const TARGET = { target: 'node24', supported: { 'regexp-unicode-property-escapes': true } } as const;

export interface BuildOptions {
  /** Where the bundle goes; what else is there is removed. */
  outdir?: string;
  /** Default: those of the project. */
  entries?: Entry[];
}

/** Set by the tests, which build `dist/` once and run many commands after it. */
export function isPrebuilt(): boolean {
  return process.env.LOGIN_HOOKS_BUNDLE === 'built';
}

export async function prepareBundle(options?: BuildOptions): Promise<void> {
  if (!isPrebuilt()) await build(options);
}

/** @throws {UnusableInput} when the project cannot be built */
export async function build({
  outdir = DIST,
  entries = projectEntries(),
}: BuildOptions = {}): Promise<esbuild.Metafile> {
  const bundled = await esbuild.build(await bundling(entries, outdir)).catch(async (error) => {
    throw isBuildFailure(error) ? new UnusableInput(await problemsOf(error)) : error;
  });
  const { metafile } = bundled;
  await writeOutputs(bundled);
  await writeAtOnce(join(outdir, 'THIRD_PARTY_LICENSES.txt'), await thirdPartyLicenses(metafile));
  await removeStale(outdir, Object.keys(metafile.outputs));
  return metafile;
}

export function isBuildFailure(error: unknown): error is esbuild.BuildFailure {
  return error instanceof Error && 'errors' in error;
}

const MISSING_PACKAGE = /^Could not resolve "((?:@[^/"]+\/)?[^./"#][^/"]*)/;

/** Each error with its place in the sources, and what to do where esbuild's advice is not for this project. */
export async function problemsOf({ errors }: esbuild.BuildFailure): Promise<string> {
  const told = errors.map((error) => {
    const [, missing] = MISSING_PACKAGE.exec(error.text) ?? [];
    if (missing === undefined) return error;
    return { ...error, notes: [{ text: `Where it is a package: npm install ${missing}`, location: null }] };
  });
  const texts = await esbuild.formatMessages(told, { kind: 'error' });
  return texts.map((text) => text.trimEnd()).join('\n\n');
}

/** A source file, and where the bundle has it: without extension, from its root. */
export interface Entry {
  in: string;
  out: string;
}

export async function bundling(entryPoints: Entry[], outdir: string) {
  return {
    absWorkingDir: PROJECT,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    ...TARGET,
    mainFields: ['module', 'main'],
    // For a handler outside of the project, and for what the package brings.
    nodePaths: [PROJECT, PACKAGE].map((folder) => join(folder, 'node_modules')),
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    alias: { 'login-hooks': SDK },
    plugins: [startChunk, lightMiddy],
    define: { LOGIN_HOOKS_VERSION: JSON.stringify((await packageManifest()).version) },
    // Their licences are in a file of their own.
    legalComments: 'none',
    banner: { js: REQUIRE },
    sourcemap: 'inline',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'silent',
  } as const satisfies esbuild.BuildOptions;
}

type Bundled = Pick<esbuild.BuildResult<{ metafile: true; write: false }>, 'metafile' | 'outputFiles'>;

/** Writes the code and its source maps, which follow on from those inside the bundled code. */
async function writeOutputs({ metafile, outputFiles }: Bundled): Promise<void> {
  const written = outputFiles.map(async ({ path, text }) => {
    const { inputs = {} } = metafile.outputs[relative(PROJECT, path).replaceAll(sep, '/')] ?? {};
    const { code, map } = await esbuild.transform(text, {
      minify: Object.keys(inputs).every(isMinified),
      treeShaking: true,
      format: 'esm',
      ...TARGET,
      sourcemap: 'external',
      sourcesContent: false,
    });
    await writeAtOnce(`${path}.map`, map);
    await writeAtOnce(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
  });
  await Promise.all(written);
}

/** Only now, so that a function that runs from the folder never finds it empty. */
export async function removeStale(outdir: string, outputs: string[]): Promise<void> {
  const current = new Set(outputs.flatMap((file) => [join(PROJECT, file), join(PROJECT, `${file}.map`)]));
  const files = await Array.fromAsync(glob('**/*.{mjs,map}', { cwd: outdir }), (file) => join(outdir, file));
  await Promise.all(files.filter((file) => !current.has(file)).map((file) => rm(file, { force: true })));
}

/** Where the bundle has the handler that a source file becomes: as it lies under `handlers/`, or by its name. */
export function handlerName(file: string): string {
  const path = isInside(join(PROJECT, 'handlers'), resolve(file))
    ? relative(PROJECT, resolve(file))
    : join('handlers', basename(file));
  return path.slice(0, -extname(path).length).replaceAll(sep, '/');
}

export function projectEntries(functions: readonly string[] = FUNCTION_NAMES): Entry[] {
  const ofFunctions = functions.map((name) => ({
    in: join(PACKAGE, 'functions', name + CODE),
    out: `functions/${name}`,
  }));
  return [...ofFunctions, ...handlerEntries()];
}

/** As a setting names them, e.g. `handlers/staff`. */
export function handlerNames(): string[] {
  return handlerEntries().map(({ out }) => out);
}

function handlerEntries(): Entry[] {
  return globSync('handlers/**/*.{ts,mts,cts,js,mjs,cjs}', { cwd: PROJECT })
    .filter((file) => !/\.(d|test)\.[cm]?ts$/.test(file))
    .map((file) => join(PROJECT, file))
    .map((file) => ({ in: file, out: handlerName(file) }));
}

/**
 * Node lists the exports of a built-in that an ES module imports, which runs its getters: `node:http` then loads undici and
 * `node:timers` readline. Middy imports both, and a cold start would take twice as long. Our own code takes the built-ins
 * that a cold start needs by `process.getBuiltinModule`.
 */
export const lightMiddy: esbuild.Plugin = {
  name: 'light-middy',
  setup({ onResolve }) {
    onResolve({ filter: /^node:(http|timers)$/ }, ({ importer }) =>
      importer.includes(MIDDY) ? { path: join(import.meta.dirname, `middyBuiltins${CODE}`) } : null,
    );
  },
};

/** For CommonJS code that a handler brings. It is marked as pure, so that it is left out of files that do not call it. */
const REQUIRE = `const require = /* @__PURE__ */ (() => process.getBuiltinModule('node:module').createRequire(import.meta.url))();`;

const OURS = ['functions', 'lib', 'tools'].map((folder) => join(PACKAGE, folder));

/** Ours and the libraries'. A stack trace of any other code must lead, on Lambda too, to a line that the operator can read. */
function isMinified(input: string): boolean {
  const file = resolve(PROJECT, input);
  const isCode = !file.endsWith('.json');
  return !isCode || file.includes(NODE_MODULES) || OURS.some((folder) => isInside(folder, file));
}

/** Never half a file, and no new one for the same content: functions may be running from the folder. */
export async function writeAtOnce(file: string, content: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => null)) === content) return;
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, content);
  await rename(temporary, file);
}
