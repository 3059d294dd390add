/** Whom the rules of a mapping let in, and for what reason they refuse the others. */

import type { Group } from '../../../lib/profile/mappingSchema.ts';
import { DEFAULTS } from '../../../lib/profile/reader.ts';
import { assurance, hasClaim } from './claimRules.ts';
import { isEmailOf, isScopeOf } from './domains.ts';
import { asciiLower, type Evidence, namesOf, trimmed } from './evidence.ts';
import { isForbidden, isGroup, isOddForm, mayHold, type ReadGroups } from './groups.ts';
import { groupsNamedIn, type Part, type Rule, type ScopesRule } from './mapping.ts';
import { affiliationsIn } from './scopedAffiliation.ts';

/** `open` where the specification does not say; `refuses` where it does not say why. */
export type Verdict =
  | ('allows' | 'refuses' | 'open')
  | ('rule_refused' | 'groups_unknown' | 'groups_ambiguous' | 'assurance_unknown');

export interface RuleInput {
  evidence: Evidence;
  groups: ReadGroups;
  /** Null where it is not known which address the answer has; empty where it has none. */
  email: string | null;
}

/** In the order in which they decide: the first that does not allow a login is why it is refused. */
export function verdicts(part: Part, input: RuleInput): { rule: Rule | null; verdict: Verdict }[] {
  const { groups, rules = [] } = part;
  const all = rules.map((rule) => ({ rule, verdict: verdict(rule, part, input) }));
  if (!groups || groups.unknown === 'none') return all;
  const known = ({ true: 'groups_unknown', false: 'allows', null: 'open' } as const)[
    `${input.groups.unknown}`
  ];
  return [{ rule: null, verdict: known }, ...all];
}

function verdict(rule: Rule, part: Part, { evidence, groups, email }: RuleInput): Verdict {
  if ('email_domains' in rule) {
    if (email === null) return 'open';
    return isEmailOf(email, rule.email_domains) ? 'allows' : 'rule_refused';
  }
  if ('scopes' in rule) return isVouchedFor(rule, evidence) ? 'allows' : 'rule_refused';
  if ('any_group' in rule) return anyGroup(rule.any_group, groups);
  if ('no_group' in rule) return noGroup(rule.no_group, groups, groupsNamedIn(part));
  if ('assurance' in rule) return assurance(rule.assurance, evidence);
  return hasClaim(rule, evidence) ? 'allows' : 'rule_refused';
}

function anyGroup(wanted: Group[], { granted, unknown }: ReadGroups): Verdict {
  if (unknown === true) return 'groups_unknown';
  if (unknown === null || granted.some(isOddForm)) return 'open';
  return wanted.some((group) => granted.some((value) => isGroup(value, group))) ? 'allows' : 'rule_refused';
}

function noGroup(
  forbidden: Group[],
  { denied, unknown, isProven, isTooMuch }: ReadGroups,
  named: Group[],
): Verdict {
  const matching = denied.filter(({ text }) => forbidden.some((group) => isForbidden(text, group)));
  // What is too much to be read is not looked through.
  if (matching.some(({ text }) => !isOddForm(text))) return isTooMuch ? 'refuses' : 'rule_refused';
  if (!isProven) return matching.length > 0 ? 'open' : 'groups_unknown';
  if (unknown !== false) return matching.length > 0 || unknown === null ? 'open' : 'groups_unknown';
  if (matching.length > 0) return 'open';
  const held = denied.flatMap((value) => forbidden.map((group) => mayHold(value, group, named)));
  if (held.includes(true)) return denied.some(({ text }) => isOddForm(text)) ? 'refuses' : 'groups_ambiguous';
  return held.includes(null) ? 'open' : 'allows';
}

/** eduPerson 2.2.9: an affiliation, and where somebody has it. */
function isVouchedFor({ scopes, affiliations, from = [DEFAULTS] }: ScopesRule, evidence: Evidence): boolean {
  const names = from.flatMap((source) => namesOf(evidence, source, 'scoped_affiliation'));
  const wanted = affiliations?.map(asciiLower);
  return trimmed(evidence.granted(names))
    .flatMap((value) => affiliationsIn(value, scopes))
    .some(
      ({ affiliation, scope }) =>
        affiliation !== '' && isScopeOf(scope, scopes) && (wanted?.includes(asciiLower(affiliation)) ?? true),
    );
}
