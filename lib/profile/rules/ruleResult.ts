/** What a rule looks at, and what it says. */

import type { Words } from '../../messages/en.ts';
import type { Note } from '../fields/nearMiss.ts';
import type { DefaultNames, RuleReader } from '../fields/reader.ts';
import type { GroupSources, ProviderGroups } from '../groups/readGroups.ts';
import type { Group } from '../schema/ruleSchema.ts';

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

/** The rest of a mapping and of the settings, as far as rules look at it. */
export interface RuleContext {
  /** All groups that the mapping names. */
  named: readonly Group[];
  sources: GroupSources;
  defaults: DefaultNames;
  /** By how much the clocks of the provider and of this function may differ. */
  clockSkewSeconds: number;
}

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

export const ALLOWS: RuleResult = { verdict: 'allows' };

export function noted(verdict: Verdict, note: string): RuleResult {
  return { verdict, note: () => ({ note }) };
}

/** What is said against some of several values, with where each of them stands. */
export function objections<TPlaced extends { path: string }>(
  values: readonly TPlaced[],
  judge: (value: TPlaced) => RuleResult,
): RuleResult[] {
  return values.flatMap((value) => {
    const result = judge(value);
    // Stryker disable next-line ConditionalExpression,StringLiteral,ArrayDeclaration: it only saves time.
    return result.verdict === 'allows' ? [] : { ...result, value: value.path };
  });
}

/** What is said of several things that must all be allowed: a refusal is certain, whatever is unknown beside it. */
export function gravest(results: readonly RuleResult[]): RuleResult {
  const found = (['refuses', 'unknown', 'unclear'] as const).map((verdict) =>
    results.find((result) => result.verdict === verdict),
  );
  return found.find((result) => result !== undefined) ?? ALLOWS;
}
