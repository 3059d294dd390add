/**
 * All that a command writes. Names, messages and logs are of providers, handlers and files: their control characters could move
 * the cursor, rewrite what stands above or change how it reads.
 */

/** The colours and weights that are used here (ECMA-48 section 8.3.117), and each character that is not shown as itself. */
const COLOUR = String.raw`\u001b\[(?:0|1|2|3[1-6]|22|39)m`;
const UNSHOWN = String.raw`[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]`;
const PARTS = new RegExp(`${COLOUR}|${UNSHOWN}`, 'gu');
const AS_THEY_ARE = ['\n', '\t'];

/** Control characters and those of direction become `\u001b`, which JSON reads as the character. */
export function terminalText(text: string): string {
  return text.replaceAll(PARTS, (part) =>
    part.length > 1 || AS_THEY_ARE.includes(part)
      ? part
      : `\\u${part.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** From now on, all that this process writes to stdout and stderr is made so. */
export function guardTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    stream.write = (chunk: string | Uint8Array, ...others: unknown[]) =>
      write(terminalText(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()), ...others);
  }
}
