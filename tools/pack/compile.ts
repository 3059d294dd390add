/** The package's code as JavaScript, because Node strips no types below `node_modules`, and the types of what handlers import. */
import { execFile } from 'node:child_process';
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { PACKAGE } from '../shared/project.ts';
import { JSX } from '../studio/jsx.ts';

const SOURCES = ['functions/*.ts', 'lib/**/*.ts', 'tools/**/*.{ts,tsx}'];
/** Packing stays here. */
const LEFT_OUT = ['tools/pack/**'];
/** What runs, or is read, as it is. */
const AS_IT_IS = [
  'tools/**/*.mjs',
  'tools/shared/tsconfig.json',
  'tools/studio/*.{js,css,html,svg}',
  'tools/bundle/licenses/*',
  'secrets.sample.json',
];
/** Of CommonJS: what they require is compiled. */
const LAUNCHERS = ['tools/**/*.cjs'];

/** Writes the code of the package, with what the studio's page loads. */
export async function compile(outdir: string): Promise<void> {
  await compileSources(outdir);
  for (const file of await filesLike(AS_IT_IS)) await cp(join(PACKAGE, file), join(outdir, file));
  for (const file of await filesLike(LAUNCHERS)) {
    const launcher = await readFile(join(PACKAGE, file), 'utf8');
    await writeFile(join(outdir, file), launcher.replaceAll(".ts'", ".js'"), { mode: 0o755 });
  }
}

/** File by file, because stack traces, workers and assets go by where a file is. */
async function compileSources(outdir: string): Promise<void> {
  await esbuild.build({
    absWorkingDir: PACKAGE,
    entryPoints: await filesLike(SOURCES),
    outdir,
    outbase: PACKAGE,
    bundle: true,
    treeShaking: false,
    format: 'esm',
    platform: 'node',
    target: 'esnext',
    ...JSX,
    plugins: [importsOfJavaScript],
    logLevel: 'silent',
  });
}

/** Nothing is bundled: an import names the compiled file where it named the source. */
const importsOfJavaScript: esbuild.Plugin = {
  name: 'imports-of-javascript',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'entry-point' ? null : { path: path.replace(/^(\..*)\.tsx?$/, '$1.js'), external: true },
    );
  },
};

async function filesLike(patterns: readonly string[]): Promise<string[]> {
  const files = await Array.fromAsync(glob(patterns, { cwd: PACKAGE, exclude: LEFT_OUT }));
  return files.sort();
}

const TSC = join(PACKAGE, 'node_modules', 'typescript', 'bin', 'tsc');

/** Writes `lib/sdk.d.ts`, and those that it imports. */
export async function emitTypes(outdir: string): Promise<void> {
  const configuration = join(outdir, 'tsconfig.types.json');
  const compilerOptions = {
    ...{ allowJs: false, noEmit: false, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: PACKAGE, outDir: outdir, typeRoots: [join(PACKAGE, 'node_modules', '@types')] },
  };
  const files = [join(PACKAGE, 'lib', 'sdk.ts')];
  const content = { extends: join(PACKAGE, 'tsconfig.json'), compilerOptions, include: [], files };
  await writeFile(configuration, JSON.stringify(content));
  await promisify(execFile)(process.execPath, [TSC, '--project', configuration]);
  await rm(configuration);
  for await (const file of glob('**/*.d.ts', { cwd: outdir })) {
    const types = await readFile(join(outdir, file), 'utf8');
    await writeFile(join(outdir, file), types.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}
