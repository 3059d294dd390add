/**
 * `npm run build`: bundles the functions and every handler under `handlers/` into `dist/`, in one go, so that
 * a handler shares the function's module state (the running invocation, caches) through common chunks.
 */
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { thirdPartyLicenses } from './licenses.ts';

export const PROJECT = fileURLToPath(new URL('..', import.meta.url));
export const DIST = join(PROJECT, 'dist');

const TARGET = 'node24';

export interface BuildOptions {
  /** Where the bundle goes; what else is there is removed. */
  outdir?: string;
  /** A handler from elsewhere, bundled as `handlers/<its name>` beside those of the project. */
  extraHandler?: string;
}

/** @throws {esbuild.BuildFailure} whose `errors` say where */
export async function build({ outdir = DIST, extraHandler }: BuildOptions = {}): Promise<esbuild.Metafile> {
  const { metafile, outputFiles } = await esbuild.build({
    absWorkingDir: PROJECT,
    entryPoints: await entries(extraHandler),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: TARGET,
    mainFields: ['module', 'main'],
    nodePaths: [join(PROJECT, 'node_modules')],
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    // For a handler outside of the project too.
    alias: { '#sdk': join(PROJECT, 'lib', 'sdk.ts') },
    plugins: [lightBuiltins],
    define: { LOGIN_HOOKS_VERSION: JSON.stringify(await version()) },
    // Their licences are in a file of their own.
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'silent',
  });
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const { inputs = {} } = metafile.outputs[relative(PROJECT, path).replaceAll(sep, '/')] ?? {};
      await writeAtOnce(path, await finished(text, Object.keys(inputs)));
    }),
  );
  await writeAtOnce(join(outdir, 'THIRD_PARTY_LICENSES.txt'), await thirdPartyLicenses(metafile, PROJECT));
  await removeStale(outdir, Object.keys(metafile.outputs));
  return metafile;
}

async function version(): Promise<string> {
  return JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8')).version;
}

/** Only now, so that a function that runs from the folder never finds it empty. */
async function removeStale(outdir: string, outputs: string[]): Promise<void> {
  const current = new Set(outputs.map((file) => join(PROJECT, file)));
  const files = await Array.fromAsync(glob('**/*.mjs', { cwd: outdir }), (file) => join(outdir, file));
  await Promise.all(files.filter((file) => !current.has(file)).map((file) => rm(file, { force: true })));
}

export function isUnder(folder: string, file: string): boolean {
  return relative(PROJECT, resolve(file)).startsWith(`${folder}${sep}`);
}

/** Where the bundle has the handler that a source file becomes: as it lies under `handlers/`, or by its name. */
export function handlerName(file: string): string {
  const path = isUnder('handlers', file)
    ? relative(PROJECT, resolve(file))
    : join('handlers', basename(file));
  return path.slice(0, -extname(path).length).replaceAll(sep, '/');
}

async function entries(extraHandler: string | undefined) {
  const files = await Array.fromAsync(
    glob(['functions/*.ts', 'handlers/**/*.{ts,mts,cts,js,mjs,cjs}'], { cwd: PROJECT }),
  );
  const sources = files
    .filter((file) => !/\.(d|test)\.[cm]?ts$/.test(file))
    .map((file) => ({ in: resolve(PROJECT, file), out: file.slice(0, -extname(file).length) }));
  if (!extraHandler) return sources;
  const extra = { in: resolve(extraHandler), out: handlerName(extraHandler) };
  return [...sources.filter(({ out }) => out !== extra.out), extra];
}

/**
 * Takes from Node's built-ins what a module uses of them, and no more. Node lists the exports of a built-in that an ES
 * module imports, which runs its getters: `node:http` then loads undici and `node:timers` readline, each more than half
 * of a cold start; `node:util` costs 3 ms. Each importer has a stub of its own, so that none becomes a file.
 *
 * An operator's code and what it brings import the real thing: ready in any cycle, live, and missed at load by a Node
 * that does not have it.
 */
const lightBuiltins: esbuild.Plugin = {
  name: 'light-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z]/ }, ({ path, importer, kind }) => {
      const by = relative(PROJECT, importer).replaceAll(sep, '/');
      if (!isBuiltin(path) || kind !== 'import-statement' || !LIGHT.test(by)) return null;
      const contents = by.startsWith(MIDDY_UTIL) && path === 'node:http' ? LAZY_STATUS_CODES : stub(path);
      return { path: `${path} for ${by}`, namespace: 'light-builtins', pluginData: contents };
    });
    onLoad({ filter: /.*/, namespace: 'light-builtins' }, ({ pluginData: contents }) => ({ contents }));
  },
};

/** What is not used is left out of the bundle, because reading it is marked as pure. */
function stub(path: string): string {
  const builtin = process.getBuiltinModule(path) ?? {};
  const names = Object.keys(builtin).filter((name) => name !== 'default' && /^[a-z_$][\w$]*$/i.test(name));
  return [
    `const builtin = process.getBuiltinModule(${JSON.stringify(path)});`,
    'export default builtin;',
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`),
  ].join('\n');
}

/** Our own code, and what of the libraries that it brings imports built-ins. */
const LIGHT = /^(functions|lib|node_modules\/(@middy|@aws-sdk|@smithy|lru-cache))\//;

/** Middy reads it where it makes an HTTP error: for a body whose key its parser refuses, and for no other login. */
const MIDDY_UTIL = 'node_modules/@middy/util/';
const LAZY_STATUS_CODES = `export const STATUS_CODES = new Proxy({}, {
  get: (_, code) => process.getBuiltinModule('node:http').STATUS_CODES[code],
});`;

/**
 * Minifies what is ours, and leaves as it is what holds an operator's code: a stack trace in the log must lead
 * to a line that the operator can read. CommonJS code in a bundle needs a `require` for Node's own modules.
 */
async function finished(code: string, inputs: string[]): Promise<string> {
  const whole = code.includes('typeof require !== "undefined"') ? REQUIRE + code : code;
  if (!inputs.every(isOurs)) return whole;
  return (await esbuild.transform(whole, { minify: true, format: 'esm', target: TARGET })).code;
}

/** Never half a file, and no new one for the same content: functions may be running from the folder. */
async function writeAtOnce(file: string, content: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => null)) === content) return;
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, content);
  await rename(temporary, file);
}

const REQUIRE = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n`;

const OURS =
  /^(light-builtins:|shared:|entry:.*\/functions\/|functions\/|lib\/|node_modules\/|secrets\.sample\.json$)/;

function isOurs(input: string): boolean {
  return OURS.test(input);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
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
