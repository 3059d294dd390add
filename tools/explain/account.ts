/** What a login's log says of its decision, with the texts of the event. */

import type { SourceTrace } from '../../lib/profile/groups/groupTable.ts';
import type { RuleTrace } from '../../lib/profile/rules/ruleResult.ts';
import type { ShowableNames } from '../../lib/text.ts';
import type { EventKey } from './eventNodes.ts';

export interface Account {
  fields: ExplainedField[];
  /** Null where groups were not read. */
  groups: ExplainedGroups | null;
  rules: ExplainedRule[];
  /** What was decided, where the handler made a response of another type of it. */
  decided: string | null;
  /** The names of the claims or attributes that arrived; null where there is no explanation. */
  received: ShowableNames | null;
  /** What was used of the event. */
  marks: Mark[];
}

export interface ExplainedField {
  /** Of the response, e.g. `email`. */
  field: string;
  /** The claim or attribute that was used; null where none was. */
  from: string | null;
  /** Where its value stands, as the explanation names it, e.g. `attribute_statement[3]`; empty where there is none. */
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
    /** The rows of the table that it matched, as paths into the mapping, with the name of the user group where it has one. */
    rows: string[];
    /** Of the user groups of these rows that have one. */
    names: string[];
    /** Whether a rule denies it. */
    isDenied: boolean;
  }[];
  /** The user groups of each person who gets in, by where the mapping has them. */
  everybody: { path: string; uuid: string }[];
}

export interface ExplainedRule extends RuleTrace {
  /** Whether it decided the login. */
  isDecisive: boolean;
  /** The group that it denies, or that may be one that it denies, or the value that is not the one it wants; null where there is none. */
  found: string | null;
  /** The claim or attribute of `found`, as providers call it; empty where there is none. */
  name: string;
  /** Where it decided, and is not about groups: why, and what the operator can do. Empty where there is none. */
  note: string;
}

/** A text of the event that was used. */
export interface Mark {
  /** In the event out of its HTTP envelope, e.g. `['idToken', 'otherClaims', 'email']`. */
  path: readonly EventKey[];
  /** What it was used for: fields of the response, or `groups`. */
  field: string;
}

/** A row of what decided a login: what was expected or found, and where it stands. */
export interface Evidence {
  /** E.g. `Expected`, `Found`; several rows may have the same. */
  title: string;
  text: string;
  /** In the event out of its HTTP envelope; null where it is not from there. */
  at: readonly EventKey[] | null;
}
