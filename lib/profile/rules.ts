/** The rules of a mapping, each made into a function that judges a login. */

import { asciiLowerCase } from '../text.ts';
import { assuranceRule } from './assurance.ts';
import { claimRule } from './claimRule.ts';
import { domainMatcher, scopedAffiliationReader } from './domains.ts';
import { anyGroup, noGroup } from './groupRules.ts';
import { sourceNames } from './groups.ts';
import { allowsIf, type Judge } from './judgement.ts';
import type { Group, Rule } from './mappingSchema.ts';
import { type DefaultNames, usedTexts } from './reader.ts';

/** A rule, and where it stands in the mapping. */
export interface PlacedRule {
  rule: Rule;
  path: string;
}

export interface CompiledRule {
  /** Where it stands in the mapping, e.g. `rules[0].email_domains`. */
  path: string;
  isAboutGroups: boolean;
  judge: Judge;
  /** What a refused person reads. */
  message: string;
  isOperatorsMessage: boolean;
}

const LACKING = 'Your account does not have what is needed to log in here.';

/** What a refused person reads, by the key of the rule in the mapping. */
const MESSAGES = {
  email_domains: 'Your e-mail address does not belong to an organisation that may log in here.',
  scopes: 'Your organisation has not confirmed that you may log in here.',
  any_group: 'You are in none of the groups that may log in here.',
  no_group: 'You are in a group that may not log in here.',
  claim: LACKING,
  attribute: LACKING,
  assurance: 'Your sign-in is too old or not secure enough to log in here. Please sign in again.',
};

type RuleKind = keyof typeof MESSAGES;

/** The key that tells what a rule is about. */
export function kindOfRule(rule: Rule): RuleKind {
  return Object.keys(rule).find((key) => Object.hasOwn(MESSAGES, key)) as RuleKind;
}

/** @param named all groups that the mapping names */
export function compiledRule(
  { rule, path }: PlacedRule,
  named: readonly Group[],
  defaults: DefaultNames,
): CompiledRule {
  const kind = kindOfRule(rule);
  return {
    path: `${path}.${kind}`,
    isAboutGroups: groupsOfRule(rule).length > 0,
    judge: judgeOf(rule, named, defaults),
    message: rule.message ?? MESSAGES[kind],
    isOperatorsMessage: rule.message !== undefined,
  };
}

/** The groups that a rule names. */
export function groupsOfRule(rule: Rule): readonly Group[] {
  if ('any_group' in rule) return rule.any_group;
  return 'no_group' in rule ? rule.no_group : [];
}

function judgeOf(rule: Rule, named: readonly Group[], defaults: DefaultNames): Judge {
  if ('email_domains' in rule) return emailDomain(rule.email_domains);
  if ('scopes' in rule) return scopedAffiliation(rule, defaults);
  if ('any_group' in rule) return anyGroup(rule.any_group);
  if ('no_group' in rule) return noGroup(rule.no_group, named);
  if ('assurance' in rule) return assuranceRule(rule.assurance, defaults);
  return claimRule(rule, defaults);
}

function emailDomain(domains: readonly string[]): Judge {
  const isListed = domainMatcher(domains);
  return ({ email }) => allowsIf(email !== null && isListed(email.slice(email.indexOf('@') + 1)));
}

/** Values after so many are not read: real people have some ten. */
const MAX_AFFILIATIONS = 1_000;

/** Some value whose scope, and affiliation where the rule names some, are listed. */
function scopedAffiliation(
  { scopes, affiliations, from }: Extract<Rule, { scopes: unknown }>,
  defaults: DefaultNames,
): Judge {
  const names = from.flatMap((source) => sourceNames(source, defaults, 'scoped_affiliation'));
  const wanted = affiliations && new Set(affiliations.map(asciiLowerCase));
  const isListed = domainMatcher(scopes);
  const read = scopedAffiliationReader(scopes);
  return ({ reader }) =>
    allowsIf(
      usedTexts(reader.places(names))
        .slice(0, MAX_AFFILIATIONS)
        .flatMap(read)
        .some(
          ({ affiliation, scope }) =>
            affiliation !== '' && isListed(scope) && (wanted?.has(affiliation) ?? true),
        ),
    );
}
