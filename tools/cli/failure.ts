/** Why a login failed, for the author of its handler: a sentence, or what was thrown with its file, line and source. */
import { styleText } from 'node:util';
import type { InvocationResult } from '../local/invocation.ts';
import type { SourcePlace } from '../local/thrown.ts';

/**
 * Lines for this stream, in colour where it is a terminal; an empty list where nothing failed and nothing was left out.
 *
 * @param indent stands before each line
 */
export function failureLines(
  { failed, unavailable, thrown, droppedFields }: InvocationResult,
  stream: NodeJS.WriteStream,
  indent = '',
): string[] {
  const text = failed === null ? unavailable : thrown?.text || failed;
  const paint: Paint = (style, text) => styleText(style, text, { stream });
  const place = text === null || !thrown?.place ? [] : placeLines(thrown.place, paint);
  const dropped = droppedLines(droppedFields).map((line) => paint('red', line));
  return [...(text === null ? [] : [paint('red', text)]), ...place, ...dropped].map((line) => indent + line);
}

/** What does not leave: fields that no receiver knows, and an image that a browser would not load without harm. */
export function droppedLines(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const expected =
    'expected known fields, and an image by an http(s) address or data:image/ (png, jpeg, gif, webp)';
  return [`left out of the response: ${[...new Set(names)].join(', ')}; ${expected}`];
}

type Paint = (style: 'red' | 'cyan' | 'dim' | 'bold', text: string) => string;

function placeLines({ file, line, column, source }: SourcePlace, paint: Paint): string[] {
  const width = String(source.at(-1)?.number ?? line).length;
  const gutter = (number: string, mark: string) => `  ${mark} ${number.padStart(width)} | `;
  const lines = source.flatMap(({ number, text }) => {
    if (number !== line) return [paint('dim', gutter(String(number), ' ') + text)];
    // A tab stays one, so that the mark is below its character.
    const pointer = `${text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ')}^`;
    return [paint('bold', gutter(String(number), '>') + text), paint('red', gutter('', ' ') + pointer)];
  });
  return [paint('cyan', `  ${file}:${line}:${column}`), ...lines];
}
