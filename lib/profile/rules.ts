/** The rules of a mapping, each made into a function that judges a login. */

import { asciiLowerCase, MAX_NAME_LENGTH } from '../text.ts';
import type { Words } from '../words/en.ts';
import type { Sentence } from '../words/languages.ts';
import type { AddressTest } from './addressChoice.ts';
import { assuranceRule } from './assurance.ts';
import { claimRule } from './claimRule.ts';
import { domainMatcher, scopedAffiliationReader } from './domains.ts';
import { anyGroup, noGroup } from './groupRules.ts';
import { sourceNames } from './groups.ts';
import { joinedNote, valuesJoinedBy } from './joinedTexts.ts';
import { allowsIf, type Judge } from './judgement.ts';
import type { Group, Message, Rule } from './mappingSchema.ts';
import { type DefaultNames, isUsed, usedTexts } from './reader.ts';

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
  /** What a refused person reads: the operator's words, or else ours. */
  message: Message | undefined;
  sentence: Sentence;
}

/** What a refused person reads, by the key of the rule in the mapping. */
const SENTENCES = {
  email_domains: 'email_domains',
  scopes: 'scopes',
  any_group: 'any_group',
  no_group: 'no_group',
  claim: 'claim',
  attribute: 'claim',
  assurance: 'assurance',
} as const satisfies Record<string, keyof Words>;

export type RuleKind = keyof typeof SENTENCES;

/** The key that tells what a rule is about. */
export function kindOfRule(rule: Rule): RuleKind {
  return Object.keys(rule).find((key) => Object.hasOwn(SENTENCES, key)) as RuleKind;
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
    message: rule.message,
    sentence: (words) => words[SENTENCES[kind]],
  };
}

/** The groups that a rule names. */
export function groupsOfRule(rule: Rule): readonly Group[] {
  if ('any_group' in rule) return rule.any_group;
  return 'no_group' in rule ? rule.no_group : [];
}

/** The groups of which a rule wants one. */
export function wantedGroups(rule: Rule): readonly Group[] {
  return 'any_group' in rule ? rule.any_group : [];
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
  const isAllowed = ofDomain(domains);
  return ({ email }) => allowsIf(email !== null && isAllowed(email));
}

function ofDomain(domains: readonly string[]): AddressTest {
  const isListed = domainMatcher(domains);
  return (address) => isListed(address.slice(address.indexOf('@') + 1));
}

/** What the rules ask of the address that leaves: of several, one that passes is preferred. */
export function addressTests(rules: readonly Rule[]): AddressTest[] {
  return rules.filter((rule) => 'email_domains' in rule).map((rule) => ofDomain(rule.email_domains));
}

/** Values after so many are not read: real people have some ten. */
const MAX_AFFILIATIONS = 1_000;

/** Some value whose scope, and affiliation where the rule names some, are listed. */
function scopedAffiliation(
  { scopes, affiliations, from, separator }: Extract<Rule, { scopes: unknown }>,
  defaults: DefaultNames,
): Judge {
  const names = from.flatMap((source) => sourceNames(source, defaults, 'scoped_affiliation'));
  const wanted = affiliations && new Set(affiliations.map(asciiLowerCase));
  const isListed = domainMatcher(scopes);
  const read = scopedAffiliationReader(scopes);
  const isWanted = (value: string) =>
    read(value).some(
      ({ affiliation, scope }) => affiliation !== '' && isListed(scope) && (wanted?.has(affiliation) ?? true),
    );
  return ({ reader }) => {
    const places = Array.from(reader.places(names)).filter(isUsed);
    const texts = usedTexts(places).filter(({ length }) => length <= MAX_NAME_LENGTH);
    const isOnly = texts.length === 1 && places.every(({ form }) => form !== 'value');
    const joints = separator !== undefined && isOnly ? [';', separator] : [';'];
    // No affiliation and no scope holds a semicolon.
    const values = joints.reduce(
      (split, joint) => split.flatMap((text) => valuesJoinedBy(joint, text)),
      texts,
    );
    if (values.slice(0, MAX_AFFILIATIONS).some(isWanted)) return allowsIf(true);
    const note = joinedNote(
      values.map((text) => ({ text, isOnly })),
      isWanted,
      'separator of the rule',
    );
    const value = places.find(({ text }) => text.trim() !== '')?.path;
    return { verdict: 'refuses', value, ...(note !== undefined && { note: () => note }) };
  };
}
