/** What the mapping in force names: groups, domains and affiliations, and the claims or attributes under which they stand. */

import { SOURCED_FIELDS } from '../../lib/profile/fields/fields.ts';
import { type DefaultNames, type Name, namesOf, type Source } from '../../lib/profile/fields/reader.ts';
import { sourceNames } from '../../lib/profile/groups/readGroups.ts';
import { demandedTexts } from '../../lib/profile/rules/assurance.ts';
import { nameIn, textInValue, valuesIn } from '../../lib/profile/rules/claimRule.ts';
import { groupsOfRule } from '../../lib/profile/rules/rules.ts';
import type { Group, ParsedMapping, ParsedPart, Rule } from '../../lib/profile/schema/mappingSchema.ts';
import { asciiLowerCase } from '../../lib/text.ts';

/** All but groups in lower case. */
export interface MappingTexts {
  groups: readonly Group[];
  /** Without `*.`, the longest first. */
  domains: readonly string[];
  affiliations: readonly string[];
  /** Whole addresses that rules list. */
  addresses: ReadonlySet<string>;
  names: ReadonlySet<string>;
  groupNames: ReadonlySet<string>;
  affiliationNames: ReadonlySet<string>;
  /** By the name of the claim or attribute in lower case, what rules want there: numbers, true and false as texts. */
  values: ReadonlyMap<string, ReadonlySet<string>>;
  usesNameIdForGroups: boolean;
}

/** @param mapping null for the default handler and for a handler of code */
export function mappingTexts(mapping: ParsedMapping | null, defaults: DefaultNames): MappingTexts {
  const parts: ParsedPart[] = mapping ? [mapping, ...Object.values(mapping.issuers ?? {})] : [];
  const rules = parts.flatMap(({ rules = [] }) => rules);
  const scopes = rules.filter((rule) => 'scopes' in rule);
  const fields = parts.flatMap((part) => SOURCED_FIELDS.flatMap((field) => part[field]?.from ?? []));
  const groupSources = parts.flatMap(({ groups }) => groups?.from ?? [{ use: 'defaults' as const }]);
  const groupNames = keysOf(groupSources, defaults, 'groups');
  const affiliationSources = scopes.flatMap(({ from }) => from);
  const affiliationNames = keysOf(affiliationSources, defaults, 'scoped_affiliation');
  const values = valuesByName(rules, defaults);
  const tables = parts.flatMap(({ groups }) => groups?.table ?? []);
  return {
    groups: [...tables.map(({ group }) => group), ...rules.flatMap(groupsOfRule)],
    domains: rules
      .flatMap(domainsOf)
      .map((domain) => asciiLowerCase(domain).replace('*.', ''))
      .sort((one, other) => other.length - one.length),
    affiliations: scopes.flatMap(({ affiliations = [] }) => affiliations.map(asciiLowerCase)),
    addresses: new Set(rules.flatMap((rule) => ('emails' in rule ? rule.emails.map(asciiLowerCase) : []))),
    names: new Set([
      ...keysOf(fields, defaults, 'groups'),
      ...groupNames,
      ...affiliationNames,
      ...values.keys(),
    ]),
    groupNames,
    affiliationNames,
    values,
    // Stryker disable next-line ConditionalExpression: a text has no use.
    usesNameIdForGroups: groupSources.some((source) => typeof source === 'object' && source.use === 'nameId'),
  };
}

function valuesByName(rules: readonly Rule[], defaults: DefaultNames): Map<string, Set<string>> {
  const wanted = rules.flatMap((rule) => wantedBy(rule, defaults));
  const keys = new Set(wanted.flatMap(({ names }) => names.map(({ key }) => key)));
  const valuesOf = (key: string) =>
    wanted.flatMap(({ names, values }) => (names.some((name) => name.key === key) ? values : []));
  return new Map(Array.from(keys, (key) => [key, new Set(valuesOf(key).map(String))]));
}

/** A rule on any value names none. */
function wantedBy(rule: Rule, defaults: DefaultNames): { names: readonly Name[]; values: unknown[] }[] {
  if ('assurance' in rule) {
    return demandedTexts(rule.assurance, defaults).map(({ names, alternatives }) => ({
      names,
      values: alternatives.flat(),
    }));
  }
  if (!('claim' in rule) && !('attribute' in rule)) return [];
  const values = valuesIn(rule).map((value) => textInValue(value) ?? value);
  return [{ names: namesOf(...defaults.expand(nameIn(rule))), values }];
}

function keysOf(
  sources: readonly Source[],
  defaults: DefaultNames,
  kind: 'groups' | 'scoped_affiliation',
): Set<string> {
  return new Set(sources.flatMap((source) => sourceNames(source, defaults, kind).map(({ key }) => key)));
}

function domainsOf(rule: Rule): readonly string[] {
  if ('email_domains' in rule) return rule.email_domains;
  return 'scopes' in rule ? rule.scopes : [];
}
