export type LogRecord = Record<string, unknown>;

/** The event of a record of what a mapping or a default handler decided. No function writes it: its process tells of it. */
export const DECISION = 'decision';

/** As our own log writes a record, and as Lambda writes that and its own. Another line of JSON is what a handler printed. */
const RECORD = /^\{"(?:level":"[A-Z]+","event|time(?:stamp)?)":"/;

/** The log records among what a function wrote: one line of JSON each. */
export function recordsOf(output: string): LogRecord[] {
  return output.split('\n').flatMap((line) => {
    try {
      return RECORD.test(line) ? [recordOf(JSON.parse(line))] : [];
    } catch {
      return [];
    }
  });
}

/** A handler may print records too: the function's own is the last one. Empty where there is none. */
export function lastRecord(records: readonly LogRecord[], event: string): LogRecord {
  return records.findLast((one) => one.event === event) ?? {};
}

/** On Lambda, the runtime's client makes the line, and the record is the message in it. */
function recordOf({ message, ...line }: LogRecord): LogRecord {
  if (typeof message === 'object' && message !== null) return { level: line.level, ...message };
  return { ...line, ...(message !== undefined && { message }) };
}

/** What the handler printed itself: all that is no record. */
export function printedLines(output: string): string[] {
  return output.split('\n').filter((line) => line !== '' && !RECORD.test(line));
}
