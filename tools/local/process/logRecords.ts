import * as v from 'valibot';

export type LogRecord = Record<string, unknown>;

/** The event of a record of what a mapping or a default handler decided. No function writes it: its process tells of it. */
export const DECISION = 'decision';

const Texts = v.array(v.string());
const PLACED = { path: v.string() };

/** Of our own. A handler may print any record: one in another form is none. */
const Own = v.looseObject({
  error: v.optional(v.union([v.string(), v.looseObject({ frames: v.optional(Texts) })])),
  reads: v.optional(v.nullable(v.array(v.looseObject({ path: v.array(v.union([v.string(), v.number()])) })))),
  explanation: v.optional(
    v.looseObject({
      fields: v.record(v.string(), v.looseObject({ tried: Texts })),
      groups: v.optional(
        v.looseObject({
          sources: v.optional(v.array(v.looseObject({ name: v.string() }))),
          table: v.optional(v.looseObject({ ...PLACED, rows: v.record(v.string(), v.number()) })),
          everybody: v.optional(v.looseObject(PLACED)),
        }),
      ),
      rule: v.optional(v.string()),
      rules: v.optional(v.array(v.looseObject(PLACED))),
      received: v.looseObject({ names: Texts }),
    }),
  ),
});

/** `String` throws for an object with such a field. */
const NO_TEXT = /"(?:toString|valueOf)"\s*:/;

/** The log records among what a function wrote: one line of JSON each. */
export function recordsOf(output: string): LogRecord[] {
  return output.split('\n').flatMap((line) => {
    try {
      if (!line.startsWith('{') || NO_TEXT.test(line)) return [];
      const record = recordOf(JSON.parse(line));
      return v.is(Own, record) ? [record] : [];
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
  return output.split('\n').filter((line) => line !== '' && !/^\{"level":"[A-Z]+","event":"/.test(line));
}
