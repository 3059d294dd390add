/** The rules of a mapping. All that is known of a kind of rule, besides its schema, stands in its row. */

import type { Words } from '../../messages/en.ts';
import type { RefusalReason } from '../../reasons.ts';
import type { AddressTest } from '../fields/addressChoice.ts';
import { nearMisses, nearNote } from '../fields/nearMiss.ts';
import { type DefaultNames, type Name, namesOf } from '../fields/reader.ts';
import { addressKey, domainMatcher } from '../schema/domains.ts';
import type { ParsedGroups } from '../schema/mappingSchema.ts';
import type { PlacedRule } from '../schema/ofIssuer.ts';
import type { Group, Rule, RuleKey } from '../schema/ruleSchema.ts';
import { assuranceRule, demandedTexts } from './assurance.ts';
import { type ClaimRule, claimRule, nameIn, textInValue, valuesIn } from './claimRule.ts';
import { type GroupRule, groupRule } from './groupRules.ts';
import { ALLOWS, type Evaluate, type RuleContext } from './ruleResult.ts';
import { affiliationNames, scopesRule } from './scopes.ts';

/** What a rule looks at in a login, and what it names. */
export interface RuleReads {
  /** Each claim or attribute, with the values that the rule names; groups stand under the sources of the mapping. */
  lookUps: { names: readonly Name[]; values: readonly unknown[]; isNeeded: boolean }[];
  groups: readonly Group[];
  addresses: readonly string[];
  domains: readonly string[];
  affiliations: readonly string[];
}

interface RuleRow<TRule> {
  /** What a refused person reads, where the rule has no words of the operator's. */
  words: keyof Words;
  /** The reason where the provider does not say what the rule needs. */
  unknown: RefusalReason;
  compile(rule: TRule, context: RuleContext): Evaluate;
  reads(rule: TRule, defaults: DefaultNames): Partial<RuleReads>;
}

type EmailRule = Extract<Rule, { emails: unknown } | { email_domains: unknown }>;

const OF_ADDRESS: RuleRow<EmailRule> = {
  words: 'email_domains',
  // Stryker disable next-line StringLiteral: it is always known.
  unknown: 'rule_refused',
  compile: emailRule,
  reads: (rule) => ('emails' in rule ? { addresses: rule.emails } : { domains: rule.email_domains }),
};

const OF_GROUPS = {
  unknown: 'groups_unknown',
  compile: groupRule,
  reads: (rule: GroupRule) => ({ groups: groupsOfRule(rule) }),
} as const;

const OF_CLAIM: RuleRow<ClaimRule> = {
  words: 'claim',
  unknown: 'claim_unknown',
  compile: (rule, { defaults }) => claimRule(rule, defaults),
  reads: (rule, { expand }) => {
    const names = namesOf(...expand(nameIn(rule)));
    const values = valuesIn(rule).map((value) => textInValue(value) ?? value);
    return { lookUps: [{ names, values, isNeeded: !('is_not' in rule && rule.absent) }] };
  },
};

/** By the key of the rule in the mapping. */
const RULES = {
  emails: OF_ADDRESS,
  email_domains: OF_ADDRESS,
  scopes: {
    words: 'scopes',
    // Stryker disable next-line StringLiteral: it is always known.
    unknown: 'rule_refused',
    compile: (rule, { defaults }) => scopesRule(rule, defaults),
    reads: ({ scopes, affiliations = [], from }, defaults) => ({
      lookUps: [{ names: affiliationNames(from, defaults), values: [], isNeeded: true }],
      domains: scopes,
      affiliations,
    }),
  },
  any_group: { ...OF_GROUPS, words: 'any_group' },
  no_group: { ...OF_GROUPS, words: 'no_group' },
  claim: OF_CLAIM,
  attribute: OF_CLAIM,
  assurance: {
    words: 'assurance',
    unknown: 'assurance_unknown',
    compile: ({ assurance }, context) => assuranceRule(assurance, context),
    reads: ({ assurance }, defaults) => {
      const texts = demandedTexts(assurance, defaults);
      const demands = texts.map(({ names, alternatives }) => ({ names, values: alternatives.flat() }));
      if (assurance.max_age) demands.push({ names: namesOf('auth_time'), values: [] });
      return { lookUps: demands.map((demand) => ({ ...demand, isNeeded: true })) };
    },
  },
} satisfies { [TKind in RuleKey]: RuleRow<Extract<Rule, { [TKey in TKind]: unknown }>> };

export function kindOfRule(rule: Rule): RuleKey {
  return Object.keys(rule).find((key) => Object.hasOwn(RULES, key)) as RuleKey;
}

function rowOf(rule: Rule): RuleRow<never> {
  return RULES[kindOfRule(rule)];
}

/** What a person reads whom the rule refuses, where it has no words of its own. */
export function wordsOfRule(rule: Rule): keyof Words {
  return rowOf(rule).words;
}

export type CompiledRule = ReturnType<typeof compiledRule>;

export function compiledRule({ rule, path }: PlacedRule, context: RuleContext) {
  const { unknown, compile } = rowOf(rule);
  return {
    /** Where it stands in the mapping, e.g. `rules[0].email_domains`. */
    path: `${path}.${kindOfRule(rule)}`,
    isAboutGroups: 'any_group' in rule || 'no_group' in rule,
    evaluate: compile(rule as never, context),
    message: rule.message,
    words: wordsOfRule(rule),
    unknown,
  };
}

/** What a rule looks at, for tools that change it or keep it. */
export function readsOf(rule: Rule, defaults: DefaultNames): RuleReads {
  const nothing = { lookUps: [], groups: [], addresses: [], domains: [], affiliations: [] };
  return { ...nothing, ...rowOf(rule).reads(rule as never, defaults) };
}

function groupsOfRule(rule: Rule): readonly Group[] {
  return 'no_group' in rule ? rule.no_group : wantedGroups(rule);
}

/** The groups of which a rule wants one. */
export function wantedGroups(rule: Rule): readonly Group[] {
  return 'any_group' in rule ? rule.any_group : [];
}

/** The groups that the table and the rules of a mapping name; of rules, all groups or those that count. */
export function namedGroups(
  { table }: ParsedGroups,
  rules: readonly PlacedRule[],
  ofRule = groupsOfRule,
): Group[] {
  return [...table.map(({ group }) => group), ...rules.flatMap(({ rule }) => ofRule(rule))];
}

export function isEmailRule(rule: Rule): rule is EmailRule {
  return 'emails' in rule || 'email_domains' in rule;
}

/** Makes a function that tells whether a rule allows an address, which has one `@`. */
export function addressMatcher(rule: EmailRule): AddressTest {
  if ('email_domains' in rule) {
    const isListed = domainMatcher(rule.email_domains);
    return (address) => isListed(address.slice(address.indexOf('@') + 1));
  }
  const listed = new Set(rule.emails.map(addressKey));
  return (address) => listed.has(addressKey(address));
}

function emailRule(rule: EmailRule): Evaluate {
  const isListed = addressMatcher(rule);
  return ({ email }) => {
    // Without an address, the words of the rule would speak of one.
    if (email === null) return { verdict: 'refuses', words: 'claim' };
    if (isListed(email)) return ALLOWS;
    const near = () =>
      'emails' in rule
        ? nearMisses(rule.emails, [email])
        : nearMisses(rule.email_domains, [email.replace(/.*@/s, '')]);
    return { verdict: 'refuses', note: () => nearNote(near()) };
  };
}
