/** Loads the operator's handler: the one module that a setting names, never another in its place. */

import { hasAsked, withTimeout } from '../invocation.ts';
import { KINDS, type LoginKind } from '../kinds.ts';
import { kindOf } from '../profile/kind.ts';
import { LoginError } from '../reasons.ts';
import { variableOf } from '../settings.ts';

const { existsSync, statSync } = process.getBuiltinModule('node:fs');
const { isAbsolute } = process.getBuiltinModule('node:path');
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('node:url');

/** A function of exactly one argument, the event. */
export type LoginHandler = (event: unknown) => unknown;

/** Tried in this order after the name as it stands. */
const EXTENSIONS = ['', '.mjs', '.js', '.cjs'];
/** What a source file under `handlers/` may end with, before the build makes `.mjs` of it. */
const SOURCE_EXTENSION = /\.[cm]?[jt]s$/;
/** Lambda ends an initialization after 10 s; a module that takes longer than this never gets ready. */
const LOAD_TIMEOUT_MS = 8_000;

/**
 * @param module as the setting names it: relative to the root or absolute, with or without extension
 * @param options `root`: the bundle's, a `file:` URL that ends with `/`; `kind`: of the logins that the handler is for
 * @throws {LoginError} `handler_not_loaded` saying which paths were tried, which exports found, or the error thrown
 */
export async function loadHandler(
  module: string,
  { root, kind }: { root: URL; kind: LoginKind },
): Promise<LoginHandler> {
  const href = locate(module, root).href;
  const tooLate = () => notLoaded(module, `did not finish loading within ${LOAD_TIMEOUT_MS} ms`);
  const exported = await withTimeout(LOAD_TIMEOUT_MS, () => importModule(href, module), tooLate);
  const exportName = KINDS[kind].defaultHandler;
  const handler = findFunction(exported, exportName);
  if (!handler) {
    const expected = `expected a default export or an export named ${exportName} that is a function`;
    const exports = Object.keys(exported).filter((name) => exported[name] !== undefined);
    throw notLoaded(module, expected, { exports });
  }
  if (handler.length > 1)
    throw notLoaded(module, `expected a function of one parameter, the event; it declares ${handler.length}`);
  const other = kindOf(handler) ?? kind;
  if (other !== kind) {
    const cure = `make it with ${KINDS[kind].mappingMaker}, or set it in ${variableOf(KINDS[other].handlerModule)}`;
    const problem = `expected a handler of ${kind} logins; it is a mapping of ${other} logins: ${cure}`;
    throw notLoaded(module, problem);
  }
  return handler;
}

/** @throws {LoginError} `handler_not_loaded` */
function locate(module: string, root: URL): URL {
  const base = isAbsolute(module) ? pathToFileURL(module) : new URL(encodePath(module), root);
  const asBuilt = base.href.replace(SOURCE_EXTENSION, '.mjs');
  const hrefs = new Set([...EXTENSIONS.map((extension) => base.href + extension), asBuilt]);
  const candidates = Array.from(hrefs, (href) => new URL(href));
  const found = candidates.find(isFile);
  if (found) return found;
  const lookedFor = candidates.map((candidate) => fileURLToPath(candidate));
  throw notLoaded(module, 'found no such file', { lookedFor });
}

/**
 * Not by a promise: nothing else is waiting at cold start, and `node:fs/promises` would have to be loaded. Where the system lets
 * nobody look, nothing is there: the operator learns which paths were tried.
 */
function isFile(url: URL): boolean {
  return existsSync(url) && statSync(url).isFile();
}

/** A name is a path, never a URL: `node:fs` or `https://…` is a file that does not exist. */
function encodePath(module: string): string {
  return `./${module.split('/').map(encodeURIComponent).join('/')}`;
}

async function importModule(href: string, module: string): Promise<Record<string, unknown>> {
  try {
    return await import(href);
  } catch (error) {
    throw notLoaded(module, hasAsked() ? THREW_AFTER_ASKING : 'threw while loading', { cause: error });
  }
}

const THREW_AFTER_ASKING =
  'threw while loading, after a request for a secret or a look-up; its message may contain the response and is not logged';

function notLoaded(
  module: string,
  problem: string,
  { cause, ...details }: { cause?: unknown } & Record<string, unknown> = {},
): LoginError {
  return new LoginError('handler_not_loaded', { module, problem, ...details }, { cause });
}

/** A CommonJS module is the default export of its namespace; compiled from an ES module, it holds one itself. */
function findFunction(exported: Record<string, unknown>, exportName: string): LoginHandler | undefined {
  const commonJs = exported.default as Record<string, unknown> | null | undefined;
  const candidates = [exported.default, exported[exportName], commonJs?.default, commonJs?.[exportName]];
  return candidates.find((candidate) => typeof candidate === 'function') as LoginHandler | undefined;
}
