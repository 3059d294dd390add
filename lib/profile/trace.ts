/** How a decision came about: names only, never a value. */

/** A name that may be shown: long enough for every real one, and nothing that could be somebody's data. */
const SAFE_NAME = /^[A-Za-z0-9_.:/#-]{1,100}$/;
const MAX_NAMES = 60;

export interface FieldTrace {
  /** The candidates, in the order in which they are tried. */
  tried: string[];
  /** The one that won, and how; null where none did. */
  found: string | null;
  /** What else there is to say, e.g. that an address was said to be unverified. */
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
  /** What was decided, where the handler made an answer of another type of it. */
  decided?: string;
}

export function showableNames(names: Iterable<string>): Trace['received'] {
  const all = [...new Set(names)];
  const shown = all
    .filter((name) => SAFE_NAME.test(name))
    .sort()
    .slice(0, MAX_NAMES);
  return { names: shown, others: all.length - shown.length };
}
