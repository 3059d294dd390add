/** The rules of a mapping, each made into a function that judges a login. */

import type { Words } from '../../messages/en.ts';
import type { RefusalReason } from '../../reasons.ts';
import { asciiLowerCase, isVisible, MAX_NAME_LENGTH } from '../../text.ts';

import type { AddressTest } from '../fields/addressChoice.ts';
import { nearMisses, nearNote } from '../fields/nearestName.ts';
import { type DefaultNames, isUsed, usedTexts } from '../fields/reader.ts';
import { joinedNote, valuesJoinedBy } from '../groups/joinedTexts.ts';
import { type GroupSources, groupReader, sourceNames } from '../groups/readGroups.ts';
import { addressKey, domainMatcher, scopedAffiliationReader } from '../schema/domains.ts';
import { isGuest } from '../schema/emailAddress.ts';
import type { Group, Message } from '../schema/mappingParts.ts';
import type { Rule, RuleKey } from '../schema/ruleSchema.ts';
import { assuranceRule } from './assurance.ts';
import { type ClaimRule, claimRule, friendlyNameNote } from './claimRule.ts';
import { anyGroup, noGroup } from './groupRules.ts';
import { allowsIf, type Judge } from './judgement.ts';

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
  words: keyof Words;
  /** The reason where the provider does not say what the rule needs. */
  unknown: RefusalReason;
}

/** The rest of a mapping, as far as rules look at it. */
export interface RuleContext {
  /** All groups that the mapping names. */
  named: readonly Group[];
  sources: GroupSources;
  defaults: DefaultNames;
}

interface RuleRow<TRule> {
  words: keyof Words;
  unknown: RefusalReason;
  judge(rule: TRule, context: RuleContext): Judge;
}

const OF_ADDRESS: RuleRow<EmailRule> = { words: 'email_domains', unknown: 'rule_refused', judge: emailRule };
const OF_CLAIM: RuleRow<ClaimRule> = {
  words: 'claim',
  unknown: 'claim_unknown',
  judge: (rule, { defaults }) => claimRule(rule, defaults),
};

/** By the key of the rule in the mapping. */
const RULES = {
  emails: OF_ADDRESS,
  email_domains: OF_ADDRESS,
  scopes: { words: 'scopes', unknown: 'rule_refused', judge: scopedAffiliation },
  any_group: {
    words: 'any_group',
    unknown: 'groups_unknown',
    judge: (rule, context) => ofSources(rule, context, anyGroup(rule.any_group)),
  },
  no_group: {
    words: 'no_group',
    unknown: 'groups_unknown',
    judge: (rule, context) => ofSources(rule, context, noGroup(rule.no_group, context.named)),
  },
  claim: OF_CLAIM,
  attribute: OF_CLAIM,
  assurance: {
    words: 'assurance',
    unknown: 'assurance_unknown',
    judge: ({ assurance }, { defaults }) => assuranceRule(assurance, defaults),
  },
} satisfies { [TKind in RuleKey]: RuleRow<Extract<Rule, { [TKey in TKind]: unknown }>> };

/** The key that tells what a rule is about. */
export function kindOfRule(rule: Rule): RuleKey {
  return Object.keys(rule).find((key) => Object.hasOwn(RULES, key)) as RuleKey;
}

export function compiledRule({ rule, path }: PlacedRule, context: RuleContext): CompiledRule {
  const kind = kindOfRule(rule);
  const { words, unknown, judge }: RuleRow<never> = RULES[kind];
  return {
    path: `${path}.${kind}`,
    isAboutGroups: groupsOfRule(rule).length > 0,
    judge: judge(rule as never, context),
    message: rule.message,
    words,
    unknown,
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

function emailRule(rule: EmailRule): Judge {
  const isListed = addressMatcher(rule);
  const [listed, partOf] =
    'emails' in rule
      ? [rule.emails, (email: string) => email]
      : [rule.email_domains, (email: string) => email.replace(/.*@/s, '')];
  return ({ email }) => {
    if (email === null) return allowsIf(false);
    return { ...allowsIf(isListed(email)), note: () => nearNote(nearMisses(listed, [partOf(email)])) ?? '' };
  };
}

/** What the rules ask of the address that leaves: of several, one that passes is preferred. */
export function addressTests(rules: readonly Rule[]): AddressTest[] {
  return rules.filter(isEmailRule).map(addressMatcher);
}

/** A rule that names some of the sources looks at no group of another one. */
function ofSources(
  { from }: Extract<Rule, { any_group: unknown } | { no_group: unknown }>,
  { sources, defaults }: RuleContext,
  judge: Judge,
): Judge {
  if (!from) return judge;
  const read = groupReader({ ...sources, from }, defaults);
  return (input) => judge({ ...input, groups: read(input.reader) });
}

/** Values after so many are not read: real people have some ten. */
const MAX_AFFILIATIONS = 100;

/** Some value whose scope, and affiliation where the rule names some, are listed. */
function scopedAffiliation(
  { scopes, affiliations, from, separator }: Extract<Rule, { scopes: unknown }>,
  { defaults }: RuleContext,
): Judge {
  const names = from.flatMap((source) => sourceNames(source, defaults, 'scoped_affiliation'));
  const wanted = affiliations && new Set(affiliations.map(asciiLowerCase));
  const isListed = domainMatcher(scopes);
  const read = scopedAffiliationReader(scopes);
  const isAffiliation = (text: string) => isVisible(text) && !isGuest(text);
  const isWanted = (value: string) =>
    read(value).some(
      ({ affiliation, scope }) =>
        isAffiliation(affiliation) && isListed(scope) && (wanted?.has(affiliation) ?? true),
    );
  return ({ reader }) => {
    const arrived = reader.places(names).filter(isUsed).toArray();
    // A FriendlyName is no basis for a decision (SAML Core 2.7.3.1): anybody may call an attribute so.
    const places = arrived.filter(({ by }) => by !== 'FriendlyName');
    const [friendly] = arrived;
    if (friendly && places.length === 0)
      return { verdict: 'refuses', note: () => friendlyNameNote(friendly.name, friendly) };
    const texts = usedTexts(places)
      .filter(({ length }) => length <= MAX_NAME_LENGTH)
      .slice(0, MAX_AFFILIATIONS);
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
    const near = () =>
      nearNote(
        nearMisses(
          scopes,
          values.map((text) => text.replace(/.*@/s, '')),
        ),
      );
    return { verdict: 'refuses', value, note: () => note ?? near() ?? '' };
  };
}
