export type LogRecord = Record<string, unknown>;

/** The event of a record of what a mapping or a default handler decided. No function writes it: its process tells of it. */
export const DECISION = 'decision';

/** The log records among what a function wrote: one line of JSON each. */
export function recordsOf(output: string): LogRecord[] {
  return output.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [recordOf(JSON.parse(line))] : [];
    } catch {
      return [];
    }
  });
}

/** On Lambda, the runtime's client makes the line, and the record is the message in it. */
function recordOf({ message, ...line }: LogRecord): LogRecord {
  if (typeof message === 'object' && message !== null) return { level: line.level, ...message };
  return { ...line, ...(message !== undefined && { message }) };
}

/** What the handler printed itself: all that is no record. */
export function printedLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '' && !/^\{"level":"[A-Z]+","event":"/.test(line));
}
