/** What the mapping in force names: its texts in an event decide, and stay. */
import { parseDistinguishedName } from '../../lib/profile/distinguishedName.ts';
import { groupMatcher } from '../../lib/profile/groupMatcher.ts';
import type { Group, ParsedMapping, ParsedPart, Rule } from '../../lib/profile/mappingSchema.ts';
import type { DefaultNames, Source } from '../../lib/profile/reader.ts';
import { asciiLowerCase } from '../../lib/text.ts';

export interface MappingTexts {
  groups: readonly Group[];
  /** Without `*.`, in lower case. */
  domains: readonly string[];
  affiliations: readonly string[];
  /** Every name of a claim or attribute, in lower case. */
  names: ReadonlySet<string>;
  /** Where groups stand, in lower case. */
  groupNames: ReadonlySet<string>;
  /** Where scoped affiliations stand, in lower case. */
  affiliationNames: ReadonlySet<string>;
  usesNameIdForGroups: boolean;
}

/** Part of a text: from here, until before there. */
export interface Range {
  start: number;
  end: number;
  why: string;
}

const FIELDS = [
  'first_name',
  'last_name',
  'email',
  'image_url',
  'affiliation',
  'external_id',
  'external_label',
] as const;

/** @param mapping null for a handler that is none: then the event's names are those of the default handler */
export function mappingTexts(mapping: ParsedMapping | null, defaults: DefaultNames): MappingTexts {
  const parts: ParsedPart[] = mapping ? [mapping, ...Object.values(mapping.issuers ?? {})] : [];
  const rules = parts.flatMap(({ rules = [] }) => rules);
  const fields = parts.flatMap((part) => FIELDS.flatMap((field) => part[field]?.from ?? []));
  const groupSources = parts.flatMap(({ groups }) => groups?.from ?? [{ use: 'defaults' as const }]);
  const scopes = rules.filter((rule) => 'scopes' in rule);
  const groupNames = expanded(groupSources, defaults, 'groups');
  const affiliationNames = expanded(
    scopes.flatMap(({ from }) => from),
    defaults,
    'scoped_affiliation',
  );
  return {
    groups: [
      ...parts.flatMap(({ groups }) => groups?.table.map(({ group }) => group) ?? []),
      ...rules.flatMap(groupsOf),
    ],
    domains: rules.flatMap(domainsOf).map((domain) => asciiLowerCase(domain).replace('*.', '')),
    affiliations: scopes.flatMap(({ affiliations = [] }) => affiliations).map(asciiLowerCase),
    names: new Set([...expanded(fields, defaults, 'groups'), ...groupNames, ...affiliationNames]),
    groupNames,
    affiliationNames,
    usesNameIdForGroups: groupSources.some((source) => (source as { use?: string }).use === 'nameId'),
  };
}

function expanded(
  sources: readonly Source[],
  defaults: DefaultNames,
  kind: 'groups' | 'scoped_affiliation',
): ReadonlySet<string> {
  const names = sources.flatMap((source) => {
    if (typeof source === 'string') return defaults.expand(source);
    return source.use === 'defaults' ? defaults[kind].map(({ name }) => name) : [];
  });
  return new Set(names.map(asciiLowerCase));
}

function groupsOf(rule: Rule): readonly Group[] {
  if ('any_group' in rule) return rule.any_group;
  return 'no_group' in rule ? rule.no_group : [];
}

function domainsOf(rule: Rule): readonly string[] {
  if ('email_domains' in rule) return rule.email_domains;
  return 'scopes' in rule ? rule.scopes : [];
}

/** The groups that the mapping names, in a text under one of its sources; also inside joined values. */
export function groupRanges(text: string, groups: readonly Group[]): Range[] {
  return groups.flatMap((group) => {
    if (typeof group === 'string') return namedGroup(text, group);
    if ('prefix' in group) return namedPrefix(text, group.prefix);
    return nameRange(text, group);
  });
}

/** Shorter names occur inside everything: they stay where they are the whole text. In characters. */
const MIN_JOINED = 4;

function namedGroup(text: string, group: string): Range[] {
  const found = occurrences(text, group, 'a group that the mapping names');
  return group.length < MIN_JOINED ? found.filter(() => text.trim().length === group.length) : found;
}

function namedPrefix(text: string, prefix: string): Range[] {
  const found = occurrences(text, prefix, 'how groups that the mapping names begin');
  return prefix.length < MIN_JOINED ? found.filter(({ start }) => start === 0) : found;
}

/** The end of a distinguished name that the mapping names: all of it where it names the whole. */
function nameRange(text: string, group: Exclude<Group, string | { prefix: string }>): Range[] {
  if (parseDistinguishedName(text) === null) return [];
  const name = 'dn' in group ? group.dn : group.dn_suffix;
  const isNamed = groupMatcher([{ dn: name }]);
  const starts = [
    0,
    ...Array.from(text.matchAll(/(?<!\\)(?:\\\\)*,/g), ({ 0: found, index }) => index + found.length),
  ];
  const start = starts.find((one) => isNamed(text.slice(one)).matches.length > 0);
  return start === undefined
    ? []
    : [{ start, end: text.length, why: 'a distinguished name that the mapping names' }];
}

/** The domains that the mapping names, alone, in addresses and in URLs. */
export function domainRanges(text: string, domains: readonly string[]): Range[] {
  return domains.flatMap((domain) =>
    occurrences(text, domain, 'a domain that the mapping names').filter(
      ({ start }) => start === 0 || /[@./]/.test(text.charAt(start - 1)),
    ),
  );
}

/** eduPerson 2.2.1. */
const AFFILIATIONS = 'faculty student staff alum member affiliate employee library-walk-in'.split(' ');

/** The words before the scopes of affiliations. */
export function affiliationRanges(text: string, named: readonly string[]): Range[] {
  const words = [...new Set([...AFFILIATIONS, ...named])];
  return words.flatMap((word) =>
    occurrences(text, word, 'an affiliation').filter(({ end }) => text.charAt(end) === '@'),
  );
}

function occurrences(text: string, part: string, why: string): Range[] {
  const folded = asciiLowerCase(text);
  const wanted = asciiLowerCase(part);
  const ranges: Range[] = [];
  for (let start = folded.indexOf(wanted); start >= 0; start = folded.indexOf(wanted, start + 1)) {
    ranges.push({ start, end: start + wanted.length, why });
  }
  return ranges;
}
