/** What the mapping in force names: groups, domains and affiliations, and the claims or attributes under which they stand. */
import { FIELD_NAMES } from '../../lib/profile/fields.ts';
import { sourceNames } from '../../lib/profile/groups.ts';
import type { Group, ParsedMapping, ParsedPart, Rule } from '../../lib/profile/mappingSchema.ts';
import type { DefaultNames, Source } from '../../lib/profile/reader.ts';
import { groupsOfRule } from '../../lib/profile/rules.ts';
import { asciiLowerCase } from '../../lib/text.ts';

/** All but groups in lower case. */
export interface MappingTexts {
  groups: readonly Group[];
  /** Without `*.`, the longest first. */
  domains: readonly string[];
  affiliations: readonly string[];
  names: ReadonlySet<string>;
  groupNames: ReadonlySet<string>;
  affiliationNames: ReadonlySet<string>;
  usesNameIdForGroups: boolean;
}

/** @param mapping null for the default handler and for a handler of code */
export function mappingTexts(mapping: ParsedMapping | null, defaults: DefaultNames): MappingTexts {
  const parts: ParsedPart[] = mapping ? [mapping, ...Object.values(mapping.issuers ?? {})] : [];
  const rules = parts.flatMap(({ rules = [] }) => rules);
  const scopes = rules.filter((rule) => 'scopes' in rule);
  const fields = parts.flatMap((part) => FIELD_NAMES.flatMap((field) => part[field]?.from ?? []));
  const groupSources = parts.flatMap(({ groups }) => groups?.from ?? [{ use: 'defaults' as const }]);
  const groupNames = keysOf(groupSources, defaults, 'groups');
  const affiliationSources = scopes.flatMap(({ from }) => from);
  const affiliationNames = keysOf(affiliationSources, defaults, 'scoped_affiliation');
  const tables = parts.flatMap(({ groups }) => groups?.table ?? []);
  return {
    groups: [...tables.map(({ group }) => group), ...rules.flatMap(groupsOfRule)],
    domains: rules
      .flatMap(domainsOf)
      .map((domain) => asciiLowerCase(domain).replace('*.', ''))
      .sort((one, other) => other.length - one.length),
    affiliations: scopes.flatMap(({ affiliations = [] }) => affiliations.map(asciiLowerCase)),
    names: new Set([...keysOf(fields, defaults, 'groups'), ...groupNames, ...affiliationNames]),
    groupNames,
    affiliationNames,
    // Stryker disable next-line ConditionalExpression: a text has no use.
    usesNameIdForGroups: groupSources.some((source) => typeof source === 'object' && source.use === 'nameId'),
  };
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
