/** What a handler claims to guard, as far as it can be read: a mapping says it, also one that code calls; plain code does not. */

import type { LoginKind } from '../../../lib/kinds.ts';
import { OPENID_NAMES } from '../../../lib/openid/claims.ts';
import type { DefaultNames } from '../../../lib/profile/fields/reader.ts';
import { sourceNames } from '../../../lib/profile/groups/readGroups.ts';
import type { ClaimRule } from '../../../lib/profile/rules/claimRule.ts';
import { addressMatcher, groupsOfRule, isEmailRule, readsOf } from '../../../lib/profile/rules/rules.ts';
import { domainMatcher } from '../../../lib/profile/schema/domains.ts';
import {
  type Group,
  type Mapping,
  type ParsedPart,
  parseMapping,
  type Rule,
} from '../../../lib/profile/schema/mappingSchema.ts';
import { ofIssuer } from '../../../lib/profile/schema/ofIssuer.ts';
import { DEFAULTS, type Source } from '../../../lib/profile/schema/profileFields.ts';
import { SAML_NAMES } from '../../../lib/saml/attributeNames.ts';
import type { AttackedLogin } from './login.ts';

const NAMES: Readonly<Record<LoginKind, DefaultNames>> = { OpenID: OPENID_NAMES, SAML: SAML_NAMES };

interface PolicyOptions {
  /** Whether code decides, which may call the mapping. */
  isCode: boolean;
  /** Whether the configuration says aloud that the handler accepts any issuer. */
  isOfAnyIssuer: boolean;
}

/** The policy of one issuer. Of code nothing is known but the mapping that it calls: it may look at the usual sources too. */
export type Policy = ReturnType<typeof policyOf>;
export type GroupSource = Policy['groups'][number];

/** @param mapping null for a handler of plain code */
export function policyOf(
  mapping: Mapping | null,
  kind: LoginKind,
  issuer: string,
  { isCode, isOfAnyIssuer }: PolicyOptions,
) {
  const parsed = parseMapping(mapping ?? {});
  const { issuers = {} } = parsed;
  // An issuer that is not listed has what stands beside all issuers.
  const part = ofIssuer(parsed, issuer) ?? ofIssuer({ ...parsed, issuers: undefined }, issuer);
  const { email, groups } = part ?? {};
  const rules = part?.rules.map(({ rule }) => rule) ?? [];
  const table: readonly Group[] = (groups?.table ?? []).map(({ group }) => group);
  // The default handler, and a mapping of only the profile, look at no groups.
  const looksAtGroups = table.length > 0 || rules.some((rule) => groupsOfRule(rule).length > 0);
  const ofMapping: readonly Source[] = groups?.from ?? (looksAtGroups ? [DEFAULTS] : []);
  const ofCode = isCode && !isAmong(DEFAULTS, ofMapping) ? [DEFAULTS] : [];
  return {
    ...{ kind, isCode, table, rules },
    /** Whether a mapping decides, or a default handler, also inside code. */
    hasMapping: mapping !== null,
    isOfAnyIssuer: isOfAnyIssuer || mapping?.issuers === 'any',
    /** None where every issuer is accepted. */
    issuers: Object.keys(issuers),
    freeIssuers: Object.keys(issuers).filter((name) => !isBound(issuers[name])),
    isBound: isBound(issuers[issuer]),
    demandsProof: email !== undefined && 'unverified' in email && email.unverified === 'demand_proof',
    groups: [...ofMapping, ...ofCode].map((source) => ({
      source,
      /** Whether no mapping names it, and only code may look there. */
      isGuess: !ofMapping.includes(source),
      names: namesOf(source, kind, 'groups'),
      /** Whether the mapping says that the provider leaves it out for people without groups. */
      mayBeAbsent: typeof source === 'string' && groups?.absent.includes(source) === true,
    })),
    /** Whether the mapping says how one text of a source is read. */
    hasSeparator: groups?.separator !== undefined,
  };
}

/** Whether an issuer has a rule of its own that says which addresses or scopes it may assert. */
function isBound(part: Pick<ParsedPart, 'rules'> | undefined): boolean {
  return part?.rules?.some((rule) => isEmailRule(rule) || 'scopes' in rule) ?? false;
}

type RuleOf<TKey extends string> = Extract<Rule, Record<TKey, unknown>>;

export function rulesOf<TKey extends string>({ rules }: Policy, kind: TKey): RuleOf<TKey>[] {
  return rules.filter((rule): rule is RuleOf<TKey> => kind in rule);
}

export function hasRule({ rules }: Policy, ...kinds: readonly string[]): boolean {
  return rules.some((rule) => kinds.some((kind) => kind in rule));
}

export function listsAddress({ rules }: Policy, address: string): boolean {
  const ofAddresses = rules.filter(isEmailRule);
  return ofAddresses.length > 0 && ofAddresses.every((rule) => addressMatcher(rule)(address));
}

/** Whether a rule lists the addresses that may get in: by their own key, or as the values of the claim. */
export function judgesAddress({ kind, rules }: Policy): boolean {
  const names = (NAMES[kind].email ?? []).map(({ name }) => name);
  const isOnAddress = (rule: Rule) =>
    isAboutClaim(rule) && 'is' in rule && namesOfRule(rule, kind).some((name) => names.includes(name));
  return rules.some((rule) => isEmailRule(rule) || isOnAddress(rule));
}

/** The groups that let a person in, or give a user group. */
export function grants(policy: Policy): readonly Group[] {
  return [...policy.table, ...rulesOf(policy, 'any_group').flatMap(({ any_group }) => any_group)];
}

/** A guess is where only code may look: then a login without any scope tells whether it does. */
export function scopeGuards(policy: Policy) {
  const { isCode, kind } = policy;
  const ofRules = rulesOf(policy, 'scopes').map((rule) => ({
    names: namesOfRule(rule, kind),
    isAllowed: domainMatcher(rule.scopes),
    isGuess: false,
  }));
  const usual = namesOf(DEFAULTS, kind, 'scoped_affiliation');
  return isCode ? [...ofRules, { names: usual, isAllowed: () => false, isGuess: true }] : ofRules;
}

/** What rules need one by one: the names of each claim, attribute or group of sources. */
export function neededNames(policy: Policy): string[][] {
  const { kind, groups, rules } = policy;
  const named = groups.filter(({ isGuess }) => !isGuess);
  const lookUps = rules.flatMap((rule) => readsOf(rule, NAMES[kind]).lookUps);
  return [
    ...(hasRule(policy, 'any_group') ? [named.flatMap(({ names }) => [...names])] : []),
    ...lookUps.filter(({ isNeeded }) => isNeeded).map(({ names }) => names.map(({ name }) => name)),
  ];
}

export function isAboutClaim(rule: Rule): rule is ClaimRule {
  return 'claim' in rule || 'attribute' in rule;
}

/** The names under which a rule looks up claims or attributes. */
export function namesOfRule(rule: Rule, kind: LoginKind): string[] {
  return readsOf(rule, NAMES[kind]).lookUps.flatMap(({ names }) => names.map(({ name }) => name));
}

export function assuranceNames(kind: LoginKind): string[] {
  return NAMES[kind].assurance.map(({ name }) => name);
}

/** What each rule denies, and the sources that it looks at. */
export function denials(policy: Policy) {
  return rulesOf(policy, 'no_group').map(({ no_group, from }) => ({
    denied: no_group,
    sources: policy.groups.filter(({ source, isGuess }) => (from ? isAmong(source, from) : !isGuess)),
  }));
}

function isAmong(source: Source, others: readonly Source[]): boolean {
  return others.map((other) => JSON.stringify(other)).includes(JSON.stringify(source));
}

function namesOf(source: Source, kind: LoginKind, topic: 'groups' | 'scoped_affiliation'): string[] {
  return sourceNames(source, NAMES[kind], topic).map(({ name }) => name);
}

export interface Target {
  login: AttackedLogin;
  policy: Policy;
  /** Of the response; an empty text where it has none. */
  address: string;
}

export const EVIL = 'evil.example';

/** A login that should be refused, made out of one that is authorized. */
export interface Variant {
  what: string;
  login: AttackedLogin;
  /** The address with which the login would get in; any address where it is left out. */
  address?: string;
  /** The login without what the variant imitates: it gets in only where it is given more than this one. */
  control?: AttackedLogin;
}
