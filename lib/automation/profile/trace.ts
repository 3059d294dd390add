/**
 * How a decision came about: names only, never a value. A trace is kept beside the event that it is about, so
 * that whoever answers the login finds it there, whichever handler decided.
 */

/** A name that may be shown: long enough for every real one, and nothing that could be somebody's data. */
const SAFE_NAME = /^[A-Za-z0-9_.:/#-]{1,100}$/;
const MAX_NAMES = 60;

export interface FieldTrace {
  /** The candidates in the order in which they were tried, up to the one that won. */
  tried: string[];
  /** The one that won, and how; null where none did. */
  found: string | null;
  /** What else decided, e.g. that an address was said to be unverified. */
  note?: string;
  /** What the operator can do about it. */
  hint?: string;
}

export interface GroupsTrace {
  /** False where the provider did not say, which is something else than none. */
  known: boolean;
  received: number;
  mapped: number;
  unmatched: number;
  note?: string;
}

export interface Trace {
  fields: Record<string, FieldTrace>;
  /** The names of all claims or attributes received, sorted; `others` counts those that are not shown. */
  received: { names: string[]; others: number };
  groups?: GroupsTrace;
  /** The rule that refused, as a path into the mapping. */
  rule?: string;
}

const traces = new WeakMap<object, Trace>();

export function keepTrace(event: object, trace: Trace): void {
  traces.set(event, trace);
}

/** The trace of the last decision about this event; undefined where nothing was decided by a mapping. */
export function traceOf(event: unknown): Trace | undefined {
  return typeof event === 'object' && event !== null ? traces.get(event) : undefined;
}

export function showableNames(names: Iterable<string>): Trace['received'] {
  const all = [...new Set(names)];
  const shown = all
    .filter((name) => SAFE_NAME.test(name))
    .sort()
    .slice(0, MAX_NAMES);
  return { names: shown, others: all.length - shown.length };
}
