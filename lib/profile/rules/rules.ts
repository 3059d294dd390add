/** The rules of a mapping. All that is known of a kind of rule, besides its schema, stands in its row. */

import type { Words } from '../../messages/en.ts';
import type { RefusalReason } from '../../reasons.ts';
import type { AddressTest } from '../fields/addressChoice.ts';
import { nearMisses, nearNote } from '../fields/nearMiss.ts';
import { type DefaultNames, type Name, namesOf } from '../fields/reader.ts';
import { addressKey, domainMatcher } from '../schema/domains.ts';
import type { PlacedRule } from '../schema/ofIssuer.ts';
import type { Group, Message, Rule, RuleKey } from '../schema/ruleSchema.ts';
import { assuranceRule, demandedTexts } from './assurance.ts';
import { type ClaimRule, claimRule, nameIn, textInValue, valuesIn } from './claimRule.ts';
import { type GroupRule, groupRule, type RuleContext } from './groupRules.ts';
import { allowsIf, type Evaluate } from './ruleResult.ts';
import { affiliationNames, scopesRule } from './scopes.ts';

export interface CompiledRule {
  /** Where it stands in the mapping, e.g. `rules[0].email_domains`. */
  path: string;
  isAboutGroups: boolean;
  evaluate: Evaluate;
  /** What a refused person reads: the operator's words, or else ours. */
  message: Message | undefined;
  sentence: keyof Words;
  /** The reason where the provider does not say what the rule needs. */
  unknown: RefusalReason;
}

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
  sentence: keyof Words;
  unknown: RefusalReason;
  compile(rule: TRule, context: RuleContext): Evaluate;
  reads(rule: TRule, defaults: DefaultNames): Partial<RuleReads>;
}

const OF_CLAIM: RuleRow<ClaimRule> = {
  sentence: 'claim',
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
  emails: {
    sentence: 'email_domains',
    // Stryker disable next-line StringLiteral: it is always known.
    unknown: 'rule_refused',
    compile: emailRule,
    reads: ({ emails }) => ({ addresses: emails }),
  },
  email_domains: {
    sentence: 'email_domains',
    // Stryker disable next-line StringLiteral: it is always known.
    unknown: 'rule_refused',
    compile: emailRule,
    reads: ({ email_domains }) => ({ domains: email_domains }),
  },
  scopes: {
    sentence: 'scopes',
    // Stryker disable next-line StringLiteral: it is always known.
    unknown: 'rule_refused',
    compile: (rule, { defaults }) => scopesRule(rule, defaults),
    reads: ({ scopes, affiliations = [], from }, defaults) => ({
      lookUps: [{ names: affiliationNames(from, defaults), values: [], isNeeded: true }],
      domains: scopes,
      affiliations,
    }),
  },
  any_group: {
    sentence: 'any_group',
    unknown: 'groups_unknown',
    compile: groupRule,
    reads: ({ any_group }) => ({ groups: any_group }),
  },
  no_group: {
    sentence: 'no_group',
    unknown: 'groups_unknown',
    compile: groupRule,
    reads: ({ no_group }) => ({ groups: no_group }),
  },
  claim: OF_CLAIM,
  attribute: OF_CLAIM,
  assurance: {
    sentence: 'assurance',
    unknown: 'assurance_unknown',
    compile: ({ assurance }, context) => assuranceRule(assurance, context),
    reads: ({ assurance }, defaults) => ({
      lookUps: [
        ...demandedTexts(assurance, defaults).map(({ names, alternatives }) => ({
          names,
          values: alternatives.flat(),
          isNeeded: true,
        })),
        ...(assurance.max_age ? [{ names: namesOf('auth_time'), values: [], isNeeded: true }] : []),
      ],
    }),
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
  return rowOf(rule).sentence;
}

export function compiledRule({ rule, path }: PlacedRule, context: RuleContext): CompiledRule {
  const { unknown, compile } = rowOf(rule);
  return {
    path: `${path}.${kindOfRule(rule)}`,
    isAboutGroups: isGroupRule(rule),
    evaluate: compile(rule as never, context),
    message: rule.message,
    sentence: wordsOfRule(rule),
    unknown,
  };
}

/** What a rule looks at, for tools that change it or keep it. */
export function readsOf(rule: Rule, defaults: DefaultNames): RuleReads {
  const nothing = { lookUps: [], groups: [], addresses: [], domains: [], affiliations: [] };
  return { ...nothing, ...rowOf(rule).reads(rule as never, defaults) };
}

function isGroupRule(rule: Rule): rule is GroupRule {
  return 'any_group' in rule || 'no_group' in rule;
}

export function groupsOfRule(rule: Rule): readonly Group[] {
  return 'no_group' in rule ? rule.no_group : wantedGroups(rule);
}

/** The groups of which a rule wants one. */
export function wantedGroups(rule: Rule): readonly Group[] {
  return 'any_group' in rule ? rule.any_group : [];
}

type EmailRule = Extract<Rule, { emails: unknown } | { email_domains: unknown }>;

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
  const [listed, partOf] =
    'emails' in rule
      ? [rule.emails, (email: string) => email]
      : [rule.email_domains, (email: string) => email.replace(/.*@/s, '')];
  return ({ email }) => {
    if (email === null) return allowsIf(false);
    return { ...allowsIf(isListed(email)), note: () => nearNote(nearMisses(listed, [partOf(email)])) };
  };
}
