/** Handlers of a command line: they are there before any event is answered. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { withoutExtension } from '../bundle/bundler.ts';
import { missingHandler } from '../local/coldStartReport.ts';
import type { Engine } from '../local/engine.ts';
import { UnusableInput } from '../shared/commandLine.ts';

type Built = Pick<Engine, 'root' | 'broken' | 'moduleOf'>;

/** @throws {UnusableInput} for a handler that is not there: otherwise each event would say so */
export function expectHandlers(engine: Built, given: readonly (string | undefined)[]): void {
  const missing = given.find((one) => one !== undefined && !isThere(engine, engine.moduleOf(one)));
  if (missing !== undefined) throw new UnusableInput(missingHandler(missing));
}

/** As a function looks for it; one that cannot be built is there too. */
function isThere({ root, broken }: Built, module: string): boolean {
  const name = withoutExtension(module);
  const files = ['', '.mjs', '.js', '.cjs'].map((extension) => resolve(root, module + extension));
  return [...files, resolve(root, `${name}.mjs`)].some(isFile) || broken.some((one) => one.module === name);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
