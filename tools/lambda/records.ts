export type LogRecord = Record<string, unknown>;

/** The log records among what a function wrote: one line of JSON each. */
export function recordsOf(output: string): LogRecord[] {
  return output.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : [];
    } catch {
      return [];
    }
  });
}
