/** Who may log in: each rule allows or refuses, and one that cannot be evaluated refuses. */

import { asciiLowerCase } from '../text.ts';
import { deniedGroups, misleadingNames } from './deniedGroups.ts';
import { domainMatcher } from './domains.ts';
import { groupMatcher } from './groupMatcher.ts';
import { type ReceivedGroups, sourceNames } from './groups.ts';
import type { Group, Rule } from './mapping.ts';
import type { DefaultNames } from './names.ts';
import type { Received } from './received.ts';
import { scopedAffiliationReader } from './scopedAffiliation.ts';

/** A rule, and where it stands in the mapping. */
export interface PlacedRule {
  rule: Rule;
  path: string;
}

export interface RuleInput {
  received: Received;
  email: string;
  groups: ReceivedGroups;
}

/** `unknown`: the provider did not tell the groups. `unclear`: it told them in a form that may hide one. */
export type Verdict = 'allows' | 'refuses' | 'unknown' | 'unclear';

type Judge = (input: RuleInput) => Verdict;

export interface CheckedRule {
  /** Where it stands in the mapping, e.g. `rules[0].email_domains`. */
  path: string;
  judge: Judge;
  /** What a person is told whom it refuses. */
  message: string;
  isOperatorsMessage: boolean;
}

/** @param named all groups that the mapping names */
export function checkedRule(
  { rule, path }: PlacedRule,
  named: readonly Group[],
  defaults: DefaultNames,
): CheckedRule {
  const { kind, judge, message } = readRule(rule, named, defaults);
  return {
    path: `${path}.${kind}`,
    judge,
    message: rule.message ?? message,
    isOperatorsMessage: rule.message !== undefined,
  };
}

/** The groups that a rule names. */
export function groupsOfRule(rule: Rule): readonly Group[] {
  if ('any_group' in rule) return rule.any_group;
  return 'no_group' in rule ? rule.no_group : [];
}

/** @returns a sentence for each name that refuses people who are not meant */
export function warningsOfRule({ rule, path }: PlacedRule, named: readonly Group[]): string[] {
  if (!('no_group' in rule)) return [];
  return misleadingNames(rule.no_group, named).map((problem) => `${path}.no_group: ${problem}`);
}

function readRule(
  rule: Rule,
  named: readonly Group[],
  defaults: DefaultNames,
): { kind: string; judge: Judge; message: string } {
  if ('email_domains' in rule) {
    return {
      kind: 'email_domains',
      judge: emailDomain(rule.email_domains),
      message: 'Your e-mail address is not of an organisation that may log in here.',
    };
  }
  if ('scopes' in rule) {
    return {
      kind: 'scopes',
      judge: scopedAffiliation(rule, defaults),
      message: 'Your organisation does not vouch for you in a way that lets you log in here.',
    };
  }
  if ('any_group' in rule) {
    return {
      kind: 'any_group',
      judge: anyGroup(rule.any_group),
      message: 'You are in none of the groups that may log in here.',
    };
  }
  return {
    kind: 'no_group',
    judge: noGroup(rule.no_group, named),
    message: 'You are in a group that may not log in here.',
  };
}

function emailDomain(domains: readonly string[]): Judge {
  const isListed = domainMatcher(domains);
  return ({ email }) => allowsIf(isListed(email.slice(email.indexOf('@') + 1)));
}

/** Some value whose scope, and affiliation where the rule names some, are listed. */
function scopedAffiliation(
  { scopes, affiliations, from }: Extract<Rule, { scopes: unknown }>,
  defaults: DefaultNames,
): Judge {
  const names = from.flatMap((source) => sourceNames(source, defaults, 'scoped_affiliation'));
  const wanted = affiliations && new Set(affiliations.map(asciiLowerCase));
  const isListed = domainMatcher(scopes);
  const read = scopedAffiliationReader(scopes);
  return ({ received }) =>
    allowsIf(
      received
        .all(names)
        .flatMap(read)
        .some(
          ({ affiliation, scope }) =>
            affiliation !== '' && isListed(scope) && (wanted?.has(affiliation) ?? true),
        ),
    );
}

function anyGroup(groups: readonly Group[]): Judge {
  const matching = groupMatcher(groups);
  return ({ groups: { known, values } }) =>
    known ? allowsIf(values.some((value) => matching(value).matches.length > 0)) : 'unknown';
}

function noGroup(groups: readonly Group[], named: readonly Group[]): Judge {
  const denial = deniedGroups(groups, named);
  return ({ groups: { known, everywhere } }) => {
    const found = denial(everywhere());
    if (found === 'denied') return 'refuses';
    if (!known) return 'unknown';
    return found === 'unclear' ? 'unclear' : 'allows';
  };
}

function allowsIf(condition: boolean): Verdict {
  return condition ? 'allows' : 'refuses';
}
