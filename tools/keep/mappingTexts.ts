/** What the mapping in force names: groups, domains and affiliations, and the claims or attributes under which they stand. */

import type { DefaultNames } from '../../lib/profile/fields/reader.ts';
import { sourceNames } from '../../lib/profile/groups/readGroups.ts';
import { type RuleReads, readsOf } from '../../lib/profile/rules/rules.ts';
import { affiliationNames } from '../../lib/profile/rules/scopes.ts';
import type { Group, ParsedMapping, ParsedPart } from '../../lib/profile/schema/mappingSchema.ts';
import { SOURCED_FIELDS } from '../../lib/profile/schema/profileFields.ts';
import type { Source } from '../../lib/profile/schema/ruleSchema.ts';
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
  const reads = rules.map((rule) => readsOf(rule, defaults));
  const fields = parts.flatMap((part) => SOURCED_FIELDS.flatMap((field) => part[field]?.from ?? []));
  const groupSources = parts.flatMap(({ groups }) => groups?.from ?? [{ use: 'defaults' as const }]);
  const groupNames = keysOf(groupSources, defaults);
  const scopes = rules.filter((rule) => 'scopes' in rule);
  const ofAffiliations = new Set(
    scopes.flatMap(({ from }) => affiliationNames(from, defaults).map(({ key }) => key)),
  );
  const values = valuesByName(reads);
  const tables = parts.flatMap(({ groups }) => groups?.table ?? []);
  return {
    groups: [...tables.map(({ group }) => group), ...reads.flatMap(({ groups }) => groups)],
    domains: reads
      .flatMap(({ domains }) => domains)
      .map((domain) => asciiLowerCase(domain).replace('*.', ''))
      .sort((one, other) => other.length - one.length),
    affiliations: reads.flatMap(({ affiliations }) => affiliations.map(asciiLowerCase)),
    addresses: new Set(reads.flatMap(({ addresses }) => addresses.map(asciiLowerCase))),
    names: new Set([...keysOf(fields, defaults), ...groupNames, ...ofAffiliations, ...values.keys()]),
    groupNames,
    affiliationNames: ofAffiliations,
    values,
    // Stryker disable next-line ConditionalExpression: a text has no use.
    usesNameIdForGroups: groupSources.some((source) => typeof source === 'object' && source.use === 'nameId'),
  };
}

function valuesByName(reads: readonly RuleReads[]): Map<string, Set<string>> {
  // The values of a rule on scopes are domains and affiliations.
  const lookUps = reads.filter(({ domains }) => domains.length === 0).flatMap(({ lookUps }) => lookUps);
  const keys = new Set(lookUps.flatMap(({ names }) => names.map(({ key }) => key)));
  const valuesOf = (key: string) =>
    lookUps.flatMap(({ names, values }) => (names.some((name) => name.key === key) ? values : []));
  return new Map(Array.from(keys, (key) => [key, new Set(valuesOf(key).map(String))]));
}

function keysOf(sources: readonly Source[], defaults: DefaultNames): Set<string> {
  return new Set(sources.flatMap((source) => sourceNames(source, defaults, 'groups').map(({ key }) => key)));
}
