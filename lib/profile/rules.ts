/** Who may log in, and with which groups: each rule allows or refuses, and one that cannot be evaluated refuses. */

import { REASONS } from '../errors.ts';
import { asciiLowerCase } from '../text.ts';
import type { Decision, GroupsTrace, RuleTrace, Verdict } from './decision.ts';
import { deniedGroups, misleadingNames } from './deniedGroups.ts';
import { domainMatcher, scopedAffiliationReader } from './domains.ts';
import { groupMatcher } from './groupMatcher.ts';
import {
  type GroupsSpec,
  groupDetails,
  groupReader,
  groupTable,
  type ProviderGroups,
  sourceNames,
} from './groups.ts';
import type { Group, Rule } from './mappingSchema.ts';
import { DEFAULTS, type DefaultNames, type Reader } from './reader.ts';
import { error, forbidden } from './response.ts';

/**
 * Decides about a person whose profile is complete.
 *
 * @param isDetailed whether the traces hold what is for level DEBUG
 */
export type AccessPolicy = (reader: Reader, email: string, isDetailed: boolean) => AccessDecision;

export interface AccessDecision {
  user_group_uuids: string[];
  /** Whether groups were looked for and the provider names none. */
  areGroupsMissing: boolean;
  groups?: GroupsTrace;
  rules?: RuleTrace[];
  /** Left out where the person may log in. */
  refusal?: Refusal;
}

type Refusal = Omit<Decision, 'trace' | 'missing'> & { rule?: string };

/** A rule, and where it stands in the mapping. */
export interface PlacedRule {
  rule: Rule;
  path: string;
}

/** How groups are read, and where that stands in the mapping. */
export interface PlacedGroups extends GroupsSpec {
  path: string;
}

const AMBIGUOUS_NOTE =
  'A text may hold a forbidden group among others: have the provider send one Attribute for each value, and set groups.separate.';

/** For a mapping whose rules look at groups and that maps none. */
const GROUPS_FOR_RULES: PlacedGroups = {
  path: 'groups',
  from: [DEFAULTS],
  required: false,
  unknown: 'none',
  separate: false,
  table: [],
};

// Stryker disable next-line ArrayDeclaration,ArrowFunction,BooleanLiteral: where nobody asks for groups, nobody looks at these.
const NO_GROUPS: ProviderGroups = { known: true, areMissing: false, values: [], everywhere: () => [] };

export function accessPolicy(
  spec: PlacedGroups | null,
  placedRules: PlacedRule[],
  defaults: DefaultNames,
): AccessPolicy {
  const { table, unknown, path, ...reading } = spec ?? GROUPS_FOR_RULES;
  const ruledGroups = placedRules.flatMap(({ rule }) => groupsOfRule(rule));
  const named = [...table.map(({ group }) => group), ...ruledGroups];
  const asksForGroups = spec !== null || ruledGroups.length > 0;
  const readGroups = asksForGroups ? groupReader(reading, defaults) : () => NO_GROUPS;
  const mapGroups = groupTable(table);
  const detailsOf = groupDetails({ from: reading.from, table, path: `${path}.table` }, defaults);
  const rules = placedRules.map((placed) => compiledRule(placed, named, defaults));
  if (!reading.separate) for (const placed of placedRules) warnOf(warningsOfRule(placed, named));

  return (reader, email, isDetailed): AccessDecision => {
    const groups = readGroups(reader);
    const { user_group_uuids, trace: counts } = mapGroups(groups);
    const trace = isDetailed && asksForGroups ? { ...counts, ...detailsOf(reader, groups) } : counts;
    const allowed: AccessDecision = {
      user_group_uuids,
      areGroupsMissing: groups.areMissing,
      ...(asksForGroups && { groups: trace }),
    };
    if (isDetailed) allowed.rules = verdictsOf(rules, { reader, email, groups });
    if (!groups.known && unknown !== 'none') return { ...allowed, refusal: undecided('groups_unknown') };
    for (const rule of rules) {
      const verdict = rule.judge({ reader, email, groups });
      if (verdict === 'allows') continue;
      if (verdict === 'unclear') allowed.groups = { ...trace, note: AMBIGUOUS_NOTE };
      return { ...allowed, refusal: refusalOf(rule, verdict) };
    }
    return allowed;
  };
}

function verdictsOf(rules: readonly CompiledRule[], input: RuleInput): RuleTrace[] {
  return rules.map(({ path, judge }) => ({ path, verdict: judge(input) }));
}

function refusalOf({ path, message, isOperatorsMessage }: CompiledRule, verdict: Verdict): Refusal {
  if (verdict === 'unknown') return { ...undecided('groups_unknown'), rule: path };
  if (verdict === 'unclear') return { ...undecided('groups_ambiguous'), rule: path };
  return { response: forbidden(message), reason: 'rule_refused', isOperatorsMessage, rule: path };
}

function undecided(reason: 'groups_unknown' | 'groups_ambiguous'): Refusal {
  const [, message] = REASONS[reason];
  return { response: error(message), reason };
}

/** Warns through Node's own warnings: a mapping is made while a module loads, before there is a login or a log of one. */
function warnOf(problems: readonly string[]): void {
  for (const problem of problems) process.emitWarning(problem, 'MappingWarning');
}

interface RuleInput {
  reader: Reader;
  email: string;
  groups: ProviderGroups;
}

type Judge = (input: RuleInput) => Verdict;

interface CompiledRule {
  /** Where it stands in the mapping, e.g. `rules[0].email_domains`. */
  path: string;
  judge: Judge;
  /** What a refused person reads. */
  message: string;
  isOperatorsMessage: boolean;
}

/** @param named all groups that the mapping names */
function compiledRule(
  { rule, path }: PlacedRule,
  named: readonly Group[],
  defaults: DefaultNames,
): CompiledRule {
  const { kind, judge, message } = judgeOf(rule, named, defaults);
  return {
    path: `${path}.${kind}`,
    judge,
    message: rule.message ?? message,
    isOperatorsMessage: rule.message !== undefined,
  };
}

/** The groups that a rule names. */
function groupsOfRule(rule: Rule): readonly Group[] {
  if ('any_group' in rule) return rule.any_group;
  return 'no_group' in rule ? rule.no_group : [];
}

/** @returns a sentence for each name that also refuses other people */
function warningsOfRule({ rule, path }: PlacedRule, named: readonly Group[]): string[] {
  if (!('no_group' in rule)) return [];
  return misleadingNames(rule.no_group, named).map((problem) => `${path}.no_group: ${problem}`);
}

function judgeOf(
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
  return ({ reader }) =>
    allowsIf(
      reader
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
