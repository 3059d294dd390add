/** How a response came about, for people: what `npm run login -- --explain` prints and the studio shows. */
import type { RuleTrace, SourceTrace } from '../../lib/profile/decision.ts';

export interface Explanation {
  /** Who got in or not, and why, e.g. `Authorized as Ada Lovelace: email from mail; staff → groups.table[2]`. */
  sentence: string;
  /** The login's path, in its order. */
  steps: Step[];
  /** False for a handler of plain code: then `marks` are a guess. */
  isTraced: boolean;
  fields: ExplainedField[];
  /** Null where groups were not read. */
  groups: ExplainedGroups | null;
  rules: ExplainedRule[];
  /** What was used of the event. */
  marks: Mark[];
}

export interface Step {
  name: 'request' | 'caller' | 'event' | 'token' | 'assertion' | 'handler' | 'response';
  /** `off`: a check that the settings turn off. `not reached`: the login ended before. */
  state: 'passed' | 'ended' | 'off' | 'not reached';
  /** Why it ended here, or what is on, e.g. `token_expired`. */
  note: string;
}

export interface ExplainedField {
  /** Of the response, e.g. `email`. */
  field: string;
  /** The claim or attribute that was used; null where none was. */
  from: string | null;
  /** Where its value stands, as the trace names it, e.g. `attribute_statement[3]`; empty where there is none. */
  path: string;
  /** The text of the event there; null where it has none. */
  value: string | null;
  /** The candidates, in the order in which they are tried. */
  tried: string[];
  note: string;
  /** What the operator can do. */
  hint: string;
}

export interface ExplainedGroups {
  known: boolean;
  received: number;
  mapped: number;
  unmatched: number;
  note: string;
  sources: SourceTrace[];
  values: {
    path: string;
    value: string | null;
    /** The rows of the table that it matched, as paths into the mapping. */
    rows: string[];
  }[];
}

export interface ExplainedRule extends RuleTrace {
  /** Whether it decided the login. */
  isDecisive: boolean;
}

/** A text of the event that was used. */
export interface Mark {
  /** In the event out of its HTTP envelope, e.g. `['idToken', 'otherClaims', 'email']`. */
  path: (string | number)[];
  /** What it was used for: fields of the response, or `groups`. */
  field: string;
}
