/** One file of what every start loads: each file more costs half a millisecond of each cold start. */
import { readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import * as esbuild from 'esbuild';
import { CODE, PACKAGE } from '../shared/project.ts';

const START = 'login-hooks:start';
const SOURCES = /^(?:functions|lib)\//;
/** What both `login-hooks` and a look-up or a check import: apart, it would be one file more for each handler. */
const SHARED = ['lib/toolkit/url', 'lib/profile/fields/nearMiss'];

/**
 * Has each function, and each file of `lib/` that is loaded later, import first all that the functions import statically.
 * esbuild makes one file of what the same entry points share, and so one of the start.
 */
export const startChunk: esbuild.Plugin = {
  name: 'start-chunk',
  setup({ initialOptions, onStart, onResolve, onLoad }) {
    const entries = initialOptions.entryPoints as { out: string }[];
    const functions = entries.map(({ out }) => out).filter((out) => SOURCES.test(out));
    let start = new Set<string>();
    onStart(async () => {
      start = await neededBy([...functions, ...SHARED].map((file) => file + CODE));
    });
    onResolve({ filter: new RegExp(`^${START}$`) }, () => ({ path: START, namespace: 'lib' }));
    onLoad({ filter: /./, namespace: 'lib' }, () => ({
      contents: Array.from(start, (file) => `import ${JSON.stringify(file)};`).join('\n'),
      resolveDir: PACKAGE,
    }));
    onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
      const file = relative(PACKAGE, path).replaceAll(sep, '/');
      if (!SOURCES.test(file) || start.has(`./${file}`)) return null;
      // On the first line, so that all lines keep their numbers.
      const contents = `import '${START}'; ${await readFile(path, 'utf8')}`;
      return { contents, loader: CODE === '.ts' ? 'ts' : 'js' };
    });
  },
};

/** The files of `lib/`, as `./lib/…`, and the packages that these files import statically. Nothing where they cannot be built. */
async function neededBy(entries: readonly string[]): Promise<Set<string>> {
  const result = await esbuild
    .build({
      bundle: true,
      splitting: true,
      format: 'esm',
      packages: 'external',
      metafile: true,
      absWorkingDir: PACKAGE,
      entryPoints: entries.map((entry) => join(PACKAGE, entry)),
      outdir: PACKAGE,
      write: false,
      logLevel: 'silent',
    })
    // The build that follows says what is wrong.
    .catch(() => null);
  const { inputs = {} } = result?.metafile ?? {};
  const found = new Set<string>();
  const follow = (file: string) => {
    if (found.has(`./${file}`)) return;
    found.add(`./${file}`);
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== 'import-statement' || path.startsWith('node:')) continue;
      if (external) found.add(path);
      else follow(path);
    }
  };
  for (const entry of entries) follow(entry);
  return new Set([...found].filter((file) => !file.startsWith('./functions/')));
}
