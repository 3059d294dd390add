/**
 * `npm run build`: bundles the functions and every handler under `handlers/` into `dist/`, in one go, so that
 * a handler shares the function's module state (the running invocation, caches) through common chunks.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

export const PROJECT = fileURLToPath(new URL('..', import.meta.url));
export const DIST = join(PROJECT, 'dist');

const TARGET = 'node24';

export interface BuildOptions {
  /** Where the bundle goes; emptied first. */
  outdir?: string;
  /** A handler from elsewhere, bundled as `handlers/<its name>` besides those of the project. */
  extraHandler?: string;
}

/** @throws {esbuild.BuildFailure} whose `errors` say where */
export async function build({ outdir = DIST, extraHandler }: BuildOptions = {}): Promise<esbuild.Metafile> {
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await esbuild.build({
    absWorkingDir: PROJECT,
    entryPoints: [
      { in: 'functions/openidLoggedIn.ts', out: 'functions/openidLoggedIn' },
      { in: 'functions/samlLoggedIn.ts', out: 'functions/samlLoggedIn' },
      ...(await projectHandlers()),
      ...(extraHandler ? [{ in: resolve(extraHandler), out: handlerName(extraHandler) }] : []),
    ],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: TARGET,
    mainFields: ['module', 'main'],
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [lazyHttp],
    legalComments: 'none',
    metafile: true,
    logLevel: 'silent',
  });
  await Promise.all(Object.entries(metafile.outputs).map(([file, output]) => finish(join(PROJECT, file), output)));
  return metafile;
}

/** Where the bundle has the handler that a source file became: `handlers/<name>`. */
export function handlerName(file: string): string {
  return `handlers/${basename(file, extname(file))}`;
}

async function projectHandlers() {
  const { glob } = await import('node:fs/promises');
  const files = await Array.fromAsync(glob('handlers/**/*.{ts,mts,cts,js,mjs,cjs}', { cwd: PROJECT }));
  return files
    .filter((file) => !/\.(d|test)\.[cm]?ts$/.test(file))
    .map((file) => ({ in: file, out: file.slice(0, -extname(file).length) }));
}

/**
 * `@middy/util` imports `STATUS_CODES` from `node:http`. Node lists the exports of a built-in that an ES module
 * imports, whose getters then load undici: more than half of a cold start. Read on use, it costs nothing.
 */
const lazyHttp: esbuild.Plugin = {
  name: 'lazy-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http$/ }, ({ path, importer }) =>
      relative(PROJECT, importer).startsWith(join('node_modules', '@middy', 'util'))
        ? { path, namespace: 'lazy-http' }
        : null,
    );
    onLoad({ filter: /.*/, namespace: 'lazy-http' }, () => ({
      contents: `export const STATUS_CODES = new Proxy({}, {
        get: (_, code) => process.getBuiltinModule('node:http').STATUS_CODES[code],
      });`,
    }));
  },
};

/**
 * Minifies what is ours, and leaves as it is what holds an operator's code: a stack trace in the log must lead
 * to a line that the operator can read. CommonJS code in a bundle needs a `require` for Node's own modules.
 */
async function finish(file: string, { inputs }: esbuild.Metafile['outputs'][string]): Promise<void> {
  const code = await readFile(file, 'utf8');
  const banner = code.includes('typeof require !== "undefined"') ? REQUIRE : '';
  if (Object.keys(inputs).every(isOurs)) {
    const minified = await esbuild.transform(banner + code, { minify: true, format: 'esm', target: TARGET });
    await writeFile(file, minified.code);
  } else if (banner) {
    await writeFile(file, banner + code);
  }
}

const REQUIRE = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n`;

function isOurs(input: string): boolean {
  return /^(lazy-http:|functions\/|lib\/|node_modules\/)/.test(input);
}

if (import.meta.main) {
  try {
    const { outputs } = await build();
    for (const [file, { entryPoint }] of Object.entries(outputs)) if (entryPoint) console.log(file);
  } catch (error) {
    const { errors = [] } = error as Partial<esbuild.BuildFailure>;
    if (errors.length === 0) throw error;
    for (const line of await esbuild.formatMessages(errors, { kind: 'error' })) console.error(line);
    process.exitCode = 1;
  }
}
