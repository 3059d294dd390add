/** What a rule looks at, and what it says. */

import type { Words } from '../../messages/en.ts';
import type { Note } from '../fields/nearMiss.ts';
import type { RuleReader } from '../fields/reader.ts';
import type { ProviderGroups } from '../groups/readGroups.ts';

export interface RuleTrace {
  /** In the mapping, e.g. `rules[0].any_group`. */
  path: string;
  verdict: Verdict;
  /** Where the group stands that it denies, or may deny, or the first value that is not the one it wants: as `path` of the groups. */
  value?: string | undefined;
}

/**
 * `unknown`: the provider does not say which groups, or not of each source, or not how the person signed in, or not the value
 * that a rule denies some of. `unclear`: it says which groups in a form that may hide one.
 */
export type Verdict = 'allows' | 'refuses' | 'unknown' | 'unclear';

interface RuleInput {
  reader: RuleReader;
  /** Null where the person has none. */
  email: string | null;
  /** The domain of the identifier that leaves; null where it has none. */
  identifierScope: string | null;
  groups: ProviderGroups;
}

export interface RuleResult {
  verdict: Verdict;
  /** The path of the group, or of the value, for which the login is not allowed. */
  value?: string | undefined;
  /** What the person reads in the place of the rule's usual words. */
  words?: keyof Words;
  /** What the operator can do. Made on demand. */
  note?: () => Note;
}

export type Evaluate = (input: RuleInput) => RuleResult;

export function allowsIf(condition: boolean): RuleResult {
  return { verdict: condition ? 'allows' : 'refuses' };
}

export function unknown(note: string): RuleResult {
  return { verdict: 'unknown', note: () => ({ note }) };
}
