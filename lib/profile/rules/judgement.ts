/** What a rule looks at, and what it says. */

import type { Words } from '../../messages/en.ts';
import type { ShowableNames } from '../../text.ts';
import type { Verdict } from '../decision.ts';
import type { RuleReader } from '../fields/reader.ts';
import type { ProviderGroups } from '../groups/readGroups.ts';

interface RuleInput {
  reader: RuleReader;
  /** Null where the person has none. */
  email: string | null;
  groups: ProviderGroups;
}

export interface Judgement {
  verdict: Verdict;
  /** The path of the group, or of the value, for which the login is not allowed. */
  value?: string | undefined;
  /** What the person reads in the place of the rule's usual words. */
  words?: keyof Words;
  /** What the operator can do. Made on demand, from the names that arrived. */
  note?: (received: ShowableNames) => string;
}

export type Judge = (input: RuleInput) => Judgement;

export function allowsIf(condition: boolean): Judgement {
  return { verdict: condition ? 'allows' : 'refuses' };
}
