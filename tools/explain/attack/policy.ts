/** What a handler claims to guard, as far as it can be read: a mapping says it, also one that code calls; plain code does not. */
import type { LoginKind } from '../../../lib/kinds.ts';
import type { Name } from '../../../lib/profile/fields/reader.ts';
import { sourceNames } from '../../../lib/profile/groups/readGroups.ts';
import { addressMatcher, isEmailRule, readsOf, wantedGroups } from '../../../lib/profile/rules/rules.ts';
import { type Mapping, parseMapping, type Rule } from '../../../lib/profile/schema/mappingSchema.ts';
import { type IssuerPart, ofIssuer } from '../../../lib/profile/schema/ofIssuer.ts';
import { DEFAULTS, type Source } from '../../../lib/profile/schema/profileFields.ts';
import type { RuleKey } from '../../../lib/profile/schema/ruleSchema.ts';
import { OF_KIND } from '../places.ts';
import type { AttackedLogin } from './login.ts';

/** The policy of one issuer. Of code nothing is known but the mapping that it calls: it may look at the usual sources too. */
export type Policy = ReturnType<typeof policyOf>;
export type GroupSource = Policy['groups'][number];

/**
 * @param mapping null for a handler of plain code
 * @param isCode whether code decides, which may call the mapping
 * @param isOfAnyIssuer whether the configuration says aloud that the handler accepts any issuer
 */
export function policyOf(
  mapping: Mapping | null,
  kind: LoginKind,
  issuer: string,
  { isCode, isOfAnyIssuer }: { isCode: boolean; isOfAnyIssuer: boolean },
) {
  const parsed = parseMapping(mapping ?? {});
  const { issuers = {} } = parsed;
  // An issuer that is not listed has what stands beside all issuers.
  const part = (ofIssuer(parsed, issuer) ??
    ofIssuer({ ...parsed, issuers: undefined }, issuer)) as IssuerPart;
  const groups = groupSources(part, kind, isCode);
  return {
    kind,
    isCode,
    groups,
    ...ofRules(part, kind, groups),
    /** Whether a mapping decides, or a default handler, also inside code. */
    hasMapping: mapping !== null,
    isOfAnyIssuer: isOfAnyIssuer || mapping?.issuers === 'any',
    /** None where every issuer is accepted. */
    issuers: Object.keys(issuers),
    freeIssuers: Object.keys(issuers).filter((name) => !isBound(issuers[name])),
    isBound: isBound(issuers[issuer]),
    demandsProof: part.email.unverified === 'demand_proof',
    /** Whether the mapping says how one text of a source is read. */
    hasSeparator: part.groups?.separator !== undefined,
    /** The usual names of what has a scope, and of assurance. */
    scoped: textsOf(OF_KIND[kind].names.scoped_affiliation),
    assurance: textsOf(OF_KIND[kind].names.assurance),
  };
}

function groupSources({ groups, rules }: IssuerPart, kind: LoginKind, isCode: boolean) {
  // The default handler, and a mapping of only the profile, look at no groups.
  const looksAtGroups = rules.some(({ rule }) => 'any_group' in rule || 'no_group' in rule);
  const ofMapping: readonly Source[] = groups?.from ?? (looksAtGroups ? [DEFAULTS] : []);
  const ofCode = isCode && !isAmong(DEFAULTS, ofMapping) ? [DEFAULTS] : [];
  return [...ofMapping, ...ofCode].map((source) => ({
    source,
    /** Whether no mapping names it, and only code may look there. */
    isGuess: !ofMapping.includes(source),
    names: textsOf(sourceNames(source, OF_KIND[kind].names, 'groups')),
    /** Whether the mapping says that the provider leaves it out for people without groups. */
    mayBeAbsent: typeof source === 'string' && groups?.absent.includes(source) === true,
  }));
}

function isAmong(source: Source, others: readonly Source[]): boolean {
  return others.map((other) => JSON.stringify(other)).includes(JSON.stringify(source));
}

/** A rule, and the names under which it looks up claims or attributes. */
type NamedRule = Rule & { names: string[] };
type RuleOf<TKey extends RuleKey> = Extract<Rule, Record<TKey, unknown>> & NamedRule;

function ofRules(part: IssuerPart, kind: LoginKind, groups: ReturnType<typeof groupSources>) {
  const lookUpsOf = (rule: Rule) => readsOf(rule, OF_KIND[kind].names).lookUps;
  const rules = part.rules.map(({ rule }): NamedRule => {
    const names = lookUpsOf(rule).flatMap((lookUp) => textsOf(lookUp.names));
    return { ...rule, names };
  });
  const named = groups.filter(({ isGuess }) => !isGuess);
  const ofAddresses = part.rules.map(({ rule }) => rule).filter(isEmailRule);
  const addresses = textsOf(OF_KIND[kind].names.email);
  const has = (...keys: RuleKey[]) => rules.some((rule) => keys.some((key) => key in rule));
  const rulesOf = <TKey extends RuleKey>(key: TKey) =>
    rules.filter((rule): rule is RuleOf<TKey> => key in rule);
  return {
    rules,
    has,
    rulesOf,
    /** What rules need one by one: the names of each claim, attribute or group of sources. */
    needed: [
      ...(has('any_group') ? [named.flatMap(({ names }) => names)] : []),
      ...part.rules
        .flatMap(({ rule }) => lookUpsOf(rule))
        .filter(({ isNeeded }) => isNeeded)
        .map(({ names }) => textsOf(names)),
    ],
    /** Whether a rule lists the addresses that may get in: by their own key, or as the values of the claim. */
    judgesAddress: rules.some(
      (rule) => isEmailRule(rule) || ('is' in rule && rule.names.some((name) => addresses.includes(name))),
    ),
    listsAddress: (address: string) =>
      ofAddresses.length > 0 && ofAddresses.every((rule) => addressMatcher(rule)(address)),
    /** The groups that let a person in, or give a user group. */
    grants: [...(part.groups?.table ?? []).map(({ group }) => group), ...rules.flatMap(wantedGroups)],
    /** What each rule denies, and the sources that it looks at. */
    denials: rulesOf('no_group').map(({ no_group, from }) => ({
      denied: no_group,
      sources: groups.filter(({ source, isGuess }) => (from ? isAmong(source, from) : !isGuess)),
    })),
  };
}

/** Whether an issuer has a rule of its own that says which addresses or scopes it may assert. */
function isBound(part: { rules?: readonly Rule[] | undefined } | undefined): boolean {
  return part?.rules?.some((rule) => isEmailRule(rule) || 'scopes' in rule) ?? false;
}

function textsOf(names: readonly Name[]): string[] {
  return names.map(({ name }) => name);
}

export interface Target {
  login: AttackedLogin;
  policy: Policy;
  /** Of the response; an empty text where it has none. */
  address: string;
}

export const EVIL = 'evil.example';

/** Domains that begin or end as this one does, and one that does neither. */
export function foreignDomains(domain: string): Record<string, string> {
  return {
    'another domain': EVIL,
    subdomain: `evil.${domain}`,
    suffix: `${domain}.${EVIL}`,
    prefix: `evil-${domain}`,
  };
}

/** A login that should be refused, made out of one that is authorized. */
export interface Variant {
  what: string;
  login: AttackedLogin;
  /** The address with which the login would get in; any address where it is left out. */
  address?: string;
  /** The login without what the variant imitates: it gets in only where it is given more than this one. */
  control?: AttackedLogin;
}

/** @param logins by what is changed in each */
export function variantsOf(logins: Readonly<Record<string, AttackedLogin>>): Variant[] {
  return Object.entries(logins).map(([what, login]) => ({ what, login }));
}

/** One way in which logins are changed. */
export interface Change {
  cure: string;
  /** Whether a finding is an error: the policy claims to refuse this. Default: always. */
  isError?: (policy: Policy) => boolean;
  /** Whether what gets in may be meant: then the expected response of an event says so. Default: true. */
  canBeMeant?: boolean;
  /** Whether one event says for all of a handler that it is meant. Default: false. */
  isMeantForAll?: boolean;
  variants: (target: Target) => Variant[];
}
