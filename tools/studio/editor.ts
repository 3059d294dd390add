/** Opens a file in the operator's own editor. */
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import openInEditor from 'launch-editor';
import { UnusableInput } from '../shared/commandLine.ts';
import { PROJECT } from '../shared/project.ts';

/** Until a command that cannot be started has said so, in milliseconds. */
const START_MS = 200;

/**
 * @param place of the project's folder; a line and a column may follow, after colons
 * @returns what was done, in a sentence
 * @throws {UnusableInput} where no editor opens it
 */
export async function openPlace(place: string): Promise<string> {
  const failed = Promise.withResolvers<boolean>();
  openInEditor(resolve(PROJECT, place), () => failed.resolve(false));
  const isOpen = await Promise.race([failed.promise, setTimeout(START_MS, true)]);
  if (isOpen) return `Opened ${place}`;
  throw new UnusableInput(
    `No editor opened ${place}. Set LAUNCH_EDITOR to the command of one: LAUNCH_EDITOR=code npm start`,
  );
}
