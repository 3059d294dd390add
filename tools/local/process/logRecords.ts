export type LogRecord = Record<string, unknown>;

/** The log records among what a function wrote: one line of JSON each. */
export function recordsOf(output: string): LogRecord[] {
  return logLines(output).map(recordOf);
}

/** The lines of JSON as they were written: on Lambda, the runtime's client makes each, with `requestId` and `message`. */
function logLines(output: string): LogRecord[] {
  return output.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line)] : [];
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
