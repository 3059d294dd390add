/** What the handler printed itself: all that is no record. */
export function printedLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '' && !/^\{"level":"[A-Z]+","event":"/.test(line));
}
