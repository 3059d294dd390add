/** Loads the project's modules afresh: each load has instances of its own, as each test file of jest has. */
import { readFileSync } from 'node:fs';
import { type LoadHookSync, type ResolveHookSync, registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Of a URL: the load that this instance belongs to. */
const LOAD = 'load';

const JEST_GLOBALS = new URL('jestGlobals.ts', import.meta.url).href;

/** A file without its types, by its path: it is read once a process. */
const stripped = new Map<string, string>();

/** @param project the folder whose modules are loaded afresh; those of node_modules are loaded once a process */
export function registerFreshModules(project: string): void {
  const root = pathToFileURL(`${project}/`).href;
  const resolve: ResolveHookSync = (specifier, context, next) => {
    if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
    const resolved = next(specifier, context);
    const load = loadOf(context.parentURL ?? '');
    const { url } = resolved;
    const isOurs = url.startsWith(root) && !url.includes('/node_modules/');
    return load !== null && isOurs && loadOf(url) === null
      ? { ...resolved, url: `${url}?${LOAD}=${load}` }
      : resolved;
  };
  const load: LoadHookSync = (url, context, next) => {
    if (loadOf(url) === null) return next(url, context);
    const file = fileURLToPath(url);
    return file.endsWith('.ts')
      ? { format: 'module', source: withoutTypes(file), shortCircuit: true }
      : next(url, context);
  };
  registerHooks({ resolve, load });
}

/**
 * Imports a file, and all of the project that it imports, into new instances.
 *
 * @param name of this load: new each time
 */
export async function importAfresh(file: string, name: string): Promise<void> {
  await import(`${pathToFileURL(file).href}?${LOAD}=${name}`);
}

function loadOf(url: string): string | null {
  return URL.parse(url)?.searchParams.get(LOAD) ?? null;
}

function withoutTypes(file: string): string {
  const known = stripped.get(file);
  if (known !== undefined) return known;
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'));
  stripped.set(file, source);
  return source;
}
