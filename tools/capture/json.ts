/** JSON out of a capture: nested no deeper than real JSON is, so that whatever reads it may be recursive. */
import { UnusableInput } from '../shared/commandLine.ts';

/** HAR files and events nest some ten levels. */
const MAX_DEPTH = 100;

/** @throws {UnusableInput} that says where it is broken, and quotes nothing of it */
export function parseJson(text: string): unknown {
  refuseDeep(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message itself quotes the text.
    throw new UnusableInput(
      `this looks like JSON, but ${mistakeIn((error as Error).message)}: copy all of it`,
    );
  }
}

/** @param message of V8: with a position, unless the text ends too early or is short */
function mistakeIn(message: string): string {
  if (/end of JSON|^Unterminated/.test(message)) return 'it ends too early';
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  return position === undefined ? 'it is broken' : `it is broken at character ${position}`;
}

/** Undefined where the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: readonly number[] = [0x5b, 0x7b];
const CLOSING: readonly number[] = [0x5d, 0x7d];

function refuseDeep(text: string): void {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isInString = !isInString;
    else if (isInString) index += code === BACKSLASH ? 1 : 0;
    else if (CLOSING.includes(code)) depth--;
    else if (OPENING.includes(code) && ++depth > MAX_DEPTH) {
      throw new UnusableInput(`this JSON is nested too deeply: expected at most ${MAX_DEPTH} levels`);
    }
  }
}
