/** The handlers that the command line names, among those of the project. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UnusableInput } from '../shared/commandLine.ts';
import { type Entry, handlerName, projectEntries } from './build.ts';
import { withoutExtension } from './bundler.ts';

/** What a handler's source file ends with; anything else is the name of a module, as the setting takes it. */
export const SOURCE = /\.[cm]?ts$/;

/** What the handler setting must say for a handler of the command line. */
export function moduleOf(given: string): string {
  return SOURCE.test(given) ? handlerName(given) : given;
}

/**
 * @param given what the setting takes, or source files (`.ts`, from the working directory)
 * @param isAlone whether these are built without the other handlers of the project
 * @returns what to build, asked before each build: a handler of the project may be new
 * @throws {UnusableInput} for a source file that is not there
 */
export function entriesWith(given: readonly string[], isAlone: boolean): () => Entry[] {
  const sources = given
    .filter((one) => SOURCE.test(one))
    .map((file) => ({ in: existingFile(file), out: handlerName(file) }));
  const wanted = given.map((one) => withoutExtension(moduleOf(one)));
  const isWanted = ({ out }: Entry) => !isAlone || out.startsWith('functions/') || wanted.includes(out);
  const isReplaced = ({ out }: Entry) => sources.some((source) => source.out === out);
  return () => [...projectEntries().filter((entry) => isWanted(entry) && !isReplaced(entry)), ...sources];
}

function existingFile(given: string): string {
  const file = resolve(given);
  if (!existsSync(file)) throw new UnusableInput(`${given}: no such file`);
  return file;
}
