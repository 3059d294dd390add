/** JSON out of a capture: nested no deeper than real JSON is, so that whatever reads it may be recursive. */
import { isDeeperThan } from '../local/httpEvent.ts';
import { UnusableInput } from '../shared/commandLine.ts';

/** HAR files and events nest some ten levels. */
const MAX_DEPTH = 100;

/** @throws {UnusableInput} that says where it is broken, and quotes nothing of it */
export function parseJson(text: string): unknown {
  const json = parsed(text);
  if (!isDeeperThan(json, MAX_DEPTH)) return json;
  throw new UnusableInput(`this JSON is nested too deeply: expected at most ${MAX_DEPTH} levels`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (mistake) {
    // The message itself quotes the text. It has a position, unless the text ends too early or is short.
    const { message } = mistake as Error;
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    const where = position === undefined ? 'it is broken' : `it is broken at character ${position}`;
    const isCut = /end of JSON|^Unterminated/.test(message);
    throw new UnusableInput(
      `this looks like JSON, but ${isCut ? 'it ends too early' : where}: copy all of it`,
    );
  }
}

/** Undefined where the text is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
