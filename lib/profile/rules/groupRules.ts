/** The rules about groups. The one that denies needs evidence of each source, and a form in which no group can hide. */

import { arrivedOtherwise, notArrived } from '../fields/nearestName.ts';
import { friendlyNameNote, nearMisses, nearNote } from '../fields/nearMiss.ts';
import { deniedGroups } from '../groups/deniedGroups.ts';
import { joinedGroups } from '../groups/groupTable.ts';
import { groupMatcher } from '../groups/matchGroups.ts';
import { friendlyOnly, type GroupSources, groupReader, NAME_CURE } from '../groups/readGroups.ts';
import type { Group, Rule } from '../schema/ruleSchema.ts';
import { ALLOWS, type Evaluate, gravest, noted, objections, type RuleContext } from './ruleResult.ts';

export type GroupRule = Extract<Rule, { any_group: unknown } | { no_group: unknown }>;

/** A rule that names some of the sources looks at no group of another one. */
export function groupRule(rule: GroupRule, { named, sources, defaults }: RuleContext): Evaluate {
  const evaluate =
    'any_group' in rule ? anyGroup(rule.any_group, sources) : noGroup(rule.no_group, named, sources);
  const { from } = rule;
  // Stryker disable next-line ConditionalExpression: the same sources are read again, which takes time.
  if (!from) return evaluate;
  const read = groupReader(sources, defaults, from);
  return (input) => evaluate({ ...input, groups: read(input.reader) });
}

/** Exact, as the table is. */
function anyGroup(wanted: readonly Group[], { from }: GroupSources): Evaluate {
  const matching = groupMatcher(wanted);
  return ({ reader, groups }) => {
    const { known, values, missing, unproven, sources } = groups;
    if (!known) return { verdict: 'unknown' };
    if (values.some((value) => matching(value).matches.length > 0)) return ALLOWS;
    const note = () => {
      if (unproven.length > 0) return notArrived(missing, reader, NAME_CURE, from);
      // The others were compared.
      const friendly = friendlyOnly(sources).find(({ use }) => use === 'fallback');
      if (friendly) return friendlyNameNote(friendly.name, friendly);
      const near = joinedGroups(wanted)(groups);
      return near.note === undefined ? arrivedOtherwise(missing, reader, NAME_CURE, from) : near;
    };
    return { verdict: 'refuses', note };
  };
}

/** @param named all groups that the mapping names */
function noGroup(
  denied: readonly Group[],
  named: readonly Group[],
  { absent, from }: GroupSources,
): Evaluate {
  const judge = deniedGroups(denied, named);
  return ({ reader, groups: { known, unproven, partial, everywhere } }) => {
    const texts = everywhere();
    const found = gravest(objections(texts, judge));
    if (found.verdict === 'refuses') return found;
    if (unproven.length > 0) {
      const cure = unproven.every((name) => absent.includes(name)) ? NAME_CURE : ABSENT_CURE;
      return { verdict: 'unknown', note: () => notArrived(unproven, reader, cure, from) };
    }
    if (!known) return { verdict: 'unknown' };
    if (partial.length > 0)
      return noted('unknown', `${partial.join(' and ')}: some items have no text there. ${SEND_ALL}`);
    if (found.verdict !== 'allows') return found;
    const arrived = texts.map(({ text }) => text);
    return { verdict: 'allows', note: () => nearNote(nearMisses(denied, arrived)) };
  };
}

const SEND_ALL = 'Have the provider send it for each, or a list of texts.';
const ABSENT_CURE = `${NAME_CURE} If the provider leaves it out for people without groups, list it in groups.absent.`;
