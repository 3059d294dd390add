import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Entry, handlerName, isFunction, projectEntries } from './build.ts';
import { withoutExtension } from './bundler.ts';

/** What a handler's source file ends with; anything else is the name of a module, as the setting takes it. */
export const SOURCE = /\.[cm]?ts$/;

export interface Handlers {
  /** Asked before each build: a handler of the project may be new. */
  entries: () => Entry[];
  /** What the handler setting must say, by what the command line said. */
  modules: ReadonlyMap<string, string>;
  /** Whether the command line names a source file. */
  hasSources: boolean;
}

/**
 * @param given what the setting takes, or source files (`.ts`, from the working directory)
 * @param isAlone whether these are built without the other handlers of the project
 * @throws {UnusableInput} for a source file that is not there
 */
export function handlersFrom(given: readonly string[], isAlone: boolean): Handlers {
  const modules = new Map<string, string>();
  const files = new Map<string, string>();
  for (const one of given) {
    const file = SOURCE.test(one) ? existingFile(one) : null;
    if (file !== null) files.set(one, file);
    modules.set(one, file === null ? one : freeName(file, modules));
  }
  const extra = Array.from(files, ([one, file]) => ({ in: file, out: modules.get(one) ?? '' }));
  const wanted = new Set(Array.from(modules.values(), withoutExtension));

  function entries(): Entry[] {
    const all = projectEntries();
    const ofProject = isAlone ? all.filter((entry) => isFunction(entry) || wanted.has(entry.out)) : all;
    return [...ofProject.filter(({ out }) => extra.every((one) => one.out !== out)), ...extra];
  }
  return { entries, modules, hasSources: files.size > 0 };
}

function existingFile(given: string): string {
  const file = resolve(given);
  if (!existsSync(file)) throw new UnusableInput(`${given}: no such file`);
  return file;
}

/** Two files of one name may be compared. */
function freeName(file: string, taken: ReadonlyMap<string, string>): string {
  const name = handlerName(file);
  const names = [...taken.values()];
  return names.includes(name) ? `${name}-${names.length}` : name;
}
