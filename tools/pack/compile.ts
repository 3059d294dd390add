/** The package's code as JavaScript: Node strips no types below `node_modules`. */
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { PACKAGE } from '../shared/project.ts';
import { JSX } from '../studio/jsx.ts';

const SOURCES = ['functions/*.ts', 'lib/**/*.ts', 'tools/**/*.{ts,tsx}'];
/** Packing stays here. */
const LEFT_OUT = /^tools.pack\b/;
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
    await write(join(outdir, file), launcher.replaceAll(".ts'", ".js'"), 0o755);
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
  const files = await Array.fromAsync(glob(patterns, { cwd: PACKAGE }));
  return files.filter((file) => !LEFT_OUT.test(file)).sort();
}

async function write(file: string, text: string, mode?: number): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text, { mode });
}
