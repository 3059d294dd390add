/** Opens a file in the operator's own editor, which has a window of its own. */
import { createRequire } from 'node:module';
import { parse, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import openInEditor from 'launch-editor';
import { UnusableInput } from '../shared/commandLine.ts';
import { PROJECT } from '../shared/project.ts';

/** The command that `launch-editor` runs. It has no types. */
const guessEditor: () => [command: string | null] = createRequire(import.meta.url)('launch-editor/guess.js');

/** They need the keys of the terminal in which `npm start` runs. */
const IN_TERMINAL = 'vi vim nvim view ex ed nano pico micro emacs hx helix joe kak mg'.split(' ');
const CURE =
  'Set LAUNCH_EDITOR to the command of an editor with a window, e.g. LAUNCH_EDITOR=code npm start.';
/** Until a command that cannot be started has said so, in milliseconds. */
const START_MS = 200;

/**
 * @param place of the project's folder; a line and a column may follow, after colons
 * @returns what was done, in a sentence
 * @throws {UnusableInput} where no editor opens it
 */
export async function openPlace(place: string): Promise<string> {
  const [command] = guessEditor();
  if (!command) throw new UnusableInput(`No editor was found to open ${place}. ${CURE}`);
  const { name } = parse(command);
  if (IN_TERMINAL.includes(name))
    throw new UnusableInput(`${name} works in a terminal only, so ${place} was not opened. ${CURE}`);
  const failed = Promise.withResolvers<string>();
  openInEditor(resolve(PROJECT, place), (_, message) => failed.resolve(message ?? ''));
  const failure = await Promise.race([failed.promise, setTimeout(START_MS, null)]);
  if (failure === null) return `Opened ${place} in ${name}`;
  throw new UnusableInput(`${name} did not open ${place}: ${failure} ${CURE}`);
}
