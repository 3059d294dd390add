/** The rules of a mapping, each made into a function that judges a login. */

import { asciiLowerCase } from '../text.ts';
import type { Sentence } from '../words/languages.ts';
import { domainMatcher, scopedAffiliationReader } from './domains.ts';
import { anyGroup, noGroup } from './groupRules.ts';
import { sourceNames } from './groups.ts';
import { allowsIf, type Judge } from './judgement.ts';
import type { Group, Message, Rule } from './mappingSchema.ts';
import { type DefaultNames, usedTexts } from './reader.ts';

/** A rule, and where it stands in the mapping. */
export interface PlacedRule {
  rule: Rule;
  path: string;
}

export interface CompiledRule {
  /** Where it stands in the mapping, e.g. `rules[0].email_domains`. */
  path: string;
  judge: Judge;
  /** What a refused person reads: the operator's words, or else ours. */
  message: Message | undefined;
  sentence: Sentence;
}

/** @param named all groups that the mapping names */
export function compiledRule(
  { rule, path }: PlacedRule,
  named: readonly Group[],
  defaults: DefaultNames,
): CompiledRule {
  const { kind, judge } = judgeOf(rule, named, defaults);
  return { path: `${path}.${kind}`, judge, message: rule.message, sentence: (words) => words[kind] };
}

/** The groups that a rule names. */
export function groupsOfRule(rule: Rule): readonly Group[] {
  if ('any_group' in rule) return rule.any_group;
  return 'no_group' in rule ? rule.no_group : [];
}

/** Each has its sentence in the words of every language. */
type RuleKind = 'email_domains' | 'scopes' | 'any_group' | 'no_group';

function judgeOf(
  rule: Rule,
  named: readonly Group[],
  defaults: DefaultNames,
): { kind: RuleKind; judge: Judge } {
  if ('email_domains' in rule) return { kind: 'email_domains', judge: emailDomain(rule.email_domains) };
  if ('scopes' in rule) return { kind: 'scopes', judge: scopedAffiliation(rule, defaults) };
  if ('any_group' in rule) return { kind: 'any_group', judge: anyGroup(rule.any_group) };
  return { kind: 'no_group', judge: noGroup(rule.no_group, named) };
}

function emailDomain(domains: readonly string[]): Judge {
  const isListed = domainMatcher(domains);
  return ({ email }) => allowsIf(isListed(email.slice(email.indexOf('@') + 1)));
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
