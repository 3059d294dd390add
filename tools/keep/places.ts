/** Which texts of a login are kept, each by its place: those of protocols, the issuer, what the mapping names, what is allowed. */
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import type { DefaultNames } from '../../lib/profile/fields/reader.ts';
import { distinguishedNameOf, groupMatcher } from '../../lib/profile/groups/matchGroups.ts';
import { sourceNames } from '../../lib/profile/groups/readGroups.ts';
import { type RuleReads, readsOf } from '../../lib/profile/rules/rules.ts';
import { affiliationNames, scopedAffiliationReader } from '../../lib/profile/rules/scopes.ts';
import { parseDistinguishedName, unescapeName } from '../../lib/profile/schema/distinguishedName.ts';
import { problemOfAddress } from '../../lib/profile/schema/emailAddress.ts';
import type { Group, ParsedMapping, ParsedPart } from '../../lib/profile/schema/mappingSchema.ts';
import { SOURCED_FIELDS, type Source } from '../../lib/profile/schema/profileFields.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { asciiLowerCase } from '../../lib/text.ts';
import { AFFILIATIONS, NAME_TYPES, protocolReason } from './protocol.ts';
import { UUID } from './pseudonyms.ts';
import type { Place } from './texts.ts';

/** A whole text, or a part of an address, a URL or a distinguished name. */
export interface Part {
  text: string;
  /** Why it is kept; null where a pseudonym replaces it; empty for what stands between the parts. */
  why: string | null;
  /** Whether a standard or a provider's documents have it: it says nothing about anybody. */
  isStandard: boolean;
}

/** A text and where it stands: what the operator allows. */
export interface PlacedText {
  path: string;
  text: string;
}

export interface Policy {
  /** As the event spells it; null where it has none. */
  issuer: string | null;
  mapping: MappingTexts;
  /** Hosts that the handler asked, with their ports. */
  hosts: ReadonlySet<string>;
  allowed: readonly PlacedText[];
}

/** What the mapping in force names, and the claims or attributes under which that stands. All but groups in lower case. */
export interface MappingTexts {
  groups: readonly Group[];
  /** Without `*.`, the longest first. */
  domains: readonly string[];
  affiliations: readonly string[];
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

export function partsOf(text: string, place: Place, policy: Policy): Part[] {
  const whole = keptWhole(text, place, policy);
  if (whole !== null) return [whole];
  const { path } = place;
  const isAllowed = (part: string) => policy.allowed.some((one) => one.path === path && one.text === part);
  return split(text.trim(), place, policy).map((part) =>
    isAllowed(part.text) ? kept(part.text, 'allowed') : part,
  );
}

/** Claims and fields whose texts are the same for many people. */
const OF_MANY = new Set([
  ...[OPENID_NAMES, SAML_NAMES].flatMap(({ groups, scoped_affiliation }) =>
    [...groups, ...scoped_affiliation].map(({ name }) => name),
  ),
  ...'roles aud azp client_id scope acr amr typ token_use audienceRestrictionAudience'.split(' '),
]);

/** Whether a text may say who somebody is, so that no name of a sample may have it: what many share, and URLs, do not. */
export function isOfPerson(text: string, { path, role, names }: Place, { mapping }: Policy): boolean {
  const field = path.slice(path.lastIndexOf('.') + 1).replace('[]', '');
  const isShared =
    isWanted(text, names, mapping) ||
    [...names, field].some((name) => OF_MANY.has(name) || mapping.groupNames.has(asciiLowerCase(name)));
  return (role === 'value' || role === 'nameId') && !isShared && !WEB_URL.test(text);
}

const VALUE = 'a value that a rule of the mapping names';

/** Null where it is not kept as it is. */
function keptWhole(text: string, place: Place, { issuer, mapping }: Policy): Part | null {
  if (text.trim() === '') return between(text);
  const { role, names } = place;
  const isValue = role === 'value' || role === 'response';
  if (isValue && isWanted(text, names, mapping)) return kept(text, VALUE);
  if (isValue && text === issuer) return kept(text, 'the issuer');
  if (isValue && UUID.test(text) && issuer?.split('/').includes(text))
    return kept(text, 'a part of the issuer');
  if ((role === 'attributeName' || role === 'claimName') && isNamed(text, mapping)) {
    return kept(text, 'a name that the mapping has');
  }
  const why = protocolReason(text, place);
  return why === null ? null : standard(text, why);
}

/** Only where the rule looks for it. */
function isWanted(text: string, names: readonly string[], { values }: MappingTexts): boolean {
  return names.some((name) => values.get(asciiLowerCase(name))?.has(text.trim()));
}

/** A text that a rule names is kept where a value begins or ends with it. */
function valueParts(text: string, { names }: Place, { values }: MappingTexts): Part[] | null {
  const wanted = names.flatMap((name) => [...(values.get(asciiLowerCase(name)) ?? [])]);
  const prefix = wanted.find((one) => text.startsWith(one));
  if (prefix !== undefined) return [kept(prefix, VALUE), ...optional(text.slice(prefix.length))];
  const suffix = wanted.find((one) => text.endsWith(one));
  return suffix === undefined ? null : [replaced(text.slice(0, -suffix.length)), kept(suffix, VALUE)];
}

/** `realm_access.roles` names `realm_access` and `roles`. */
function isNamed(name: string, { names }: MappingTexts): boolean {
  const key = asciiLowerCase(name);
  return names.has(key) || [...names].some((path) => path.split('.').includes(key));
}

function split(text: string, place: Place, { mapping, hosts }: Policy): Part[] {
  if (place.role === 'request' && REQUEST.test(text)) return requestParts(text);
  if (!['value', 'nameId', 'response'].includes(place.role)) return [replaced(text)];
  const stands = (names: ReadonlySet<string>) => place.names.some((name) => names.has(asciiLowerCase(name)));
  const isGroup = stands(mapping.groupNames) || (place.role === 'nameId' && mapping.usesNameIdForGroups);
  const isAffiliation = stands(mapping.affiliationNames);
  return (
    valueParts(text, place, mapping) ||
    (isGroup && groupParts(text, mapping)) ||
    (isAffiliation && affiliationParts(text, mapping)) ||
    addressParts(text, mapping) ||
    urlParts(text, hosts) ||
    nameParts(text, isGroup ? mapping.groups : []) || [replaced(text)]
  );
}

/** What stands between the segments of a group. A rule that denies looks at each of them. */
const SEGMENTS = /([/\\:#])/;

/** A group that the mapping names, or names by its beginning or by segments of its path. */
function groupParts(text: string, { groups }: MappingTexts): Part[] | null {
  const name = asciiLowerCase(text);
  const segments = new Set<string>();
  for (const group of groups) {
    if (typeof group === 'string') {
      if (asciiLowerCase(group) === name) return [kept(text, 'a group that the mapping names')];
      for (const segment of asciiLowerCase(group).split(SEGMENTS)) segments.add(segment);
    } else if ('prefix' in group && name.startsWith(asciiLowerCase(group.prefix))) {
      const { length } = group.prefix;
      const start = kept(text.slice(0, length), 'the prefix of groups that the mapping names');
      return [start, ...optional(text.slice(length))];
    }
  }
  const parts = separated(text, SEGMENTS, (segment) =>
    segments.has(asciiLowerCase(segment))
      ? kept(segment, 'a part of a group that the mapping names')
      : replaced(segment),
  );
  return parts.some(({ why }) => why) ? parts : null;
}

/** `member@uni.example`; several that arrived as one text are kept where each of them is named. */
function affiliationParts(text: string, { affiliations, domains }: MappingTexts): Part[] | null {
  const read = scopedAffiliationReader(domains)(asciiLowerCase(text));
  if (read.length > 1) return [kept(text, 'an affiliation for a scope that the mapping names')];
  const at = text.indexOf('@');
  const first = text.slice(0, at);
  const isNamed = [...AFFILIATIONS, ...affiliations].includes(asciiLowerCase(first));
  if (read.length === 0 || !isNamed) return null;
  return [kept(first, 'an affiliation'), between('@'), ...domainParts(text.slice(at + 1), domains)];
}

/** Entra's sign of a guest's account, which decides whether a NameID is an address. */
const GUEST = /#EXT#$/i;

/** Addresses compare without case. */
function addressParts(text: string, { addresses, domains }: MappingTexts): Part[] | null {
  const problem = problemOfAddress(text);
  if (problem !== null && problem !== 'guest') return null;
  if (addresses.has(asciiLowerCase(text))) return [kept(text, 'an address that a rule of the mapping lists')];
  const at = text.indexOf('@');
  const account = text.slice(0, at).replace(GUEST, '');
  const sign = text.slice(account.length, at);
  const mark = sign === '' ? [] : [standard(sign, "Entra's mark of a guest")];
  const address = [...optional(asciiLowerCase(account)), ...mark, between('@')];
  return [...address, ...domainParts(text.slice(at + 1), domains)];
}

/** The end that the mapping names is kept. */
function domainParts(domain: string, named: readonly string[]): Part[] {
  const name = asciiLowerCase(domain);
  const end = named.find((one) => name === one || name.endsWith(`.${one}`));
  if (end === undefined) return [replaced(name)];
  const start = name.slice(0, -end.length - 1);
  const last = kept(end, 'a domain that the mapping names');
  return start === '' ? [last] : [replaced(start), between('.'), last];
}

const WEB_URL = /^https?:\/\/[^/?#]/i;
const REQUEST = /^[A-Z]+ https?:\/\//;
const ASKED = 'a system that the handler asks';

/** Of a URL, after its method where it has one: before the host, the host with its port, and the rest. */
function atHost(text: string): [before: string, host: string, rest: string] {
  const start = text.indexOf('//') + 2;
  const end = start + text.slice(start).search(/[/?#]|$/);
  return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

/** Of a request (`GET https://…`): with its port, in lower case; empty for another text. */
export function hostOf(text: string): string {
  return REQUEST.test(text) ? asciiLowerCase(atHost(text)[1]) : '';
}

function requestParts(text: string): Part[] {
  const [before, host, rest] = atHost(text);
  return [between(before), kept(host, ASKED), ...optional(rest)];
}

function urlParts(text: string, hosts: ReadonlySet<string>): Part[] | null {
  if (!WEB_URL.test(text)) return null;
  const [before, host, rest] = atHost(text);
  const name = asciiLowerCase(host);
  const hostParts = hosts.has(name) ? [kept(host, ASKED)] : separated(name, /(@|:\d{1,5}$)/, replaced);
  return [between(before), ...hostParts, ...separated(rest, /([/?#&=;])/, replaced)];
}

/** Types with their values, and what stands between them. */
const ATTRIBUTES = /(?:\\.|[^\\,+])+|[,+]/gs;

/** A distinguished name (RFC 4514) of types that everybody has. The end that the mapping names is kept. */
function nameParts(text: string, groups: readonly Group[]): Part[] | null {
  if (parseDistinguishedName(text) === null) return null;
  const attributes = Array.from(text.matchAll(ATTRIBUTES), ([attribute]) => attribute);
  const isKnown = attributes.map(typeIn).every((type) => type === '' || isNameType(type));
  if (!isKnown) return null;
  const end = attributes.findIndex((_, index) => isNamedEnd(attributes.slice(index).join(''), groups));
  const parts = attributes.slice(0, end < 0 ? undefined : end).flatMap((attribute) => {
    const type = typeIn(attribute);
    const value = unescapeName(attribute.slice(type.length)).trim();
    return type === '' ? [between(attribute)] : [between(type), ...optional(value)];
  });
  if (end < 0) return parts;
  return [...parts, kept(attributes.slice(end).join(''), 'a distinguished name that the mapping names')];
}

/** `CN=`; empty for what stands between attributes. */
function typeIn(attribute: string): string {
  return attribute.slice(0, attribute.indexOf('=') + 1);
}

function isNameType(type: string): boolean {
  return NAME_TYPES.includes(type.slice(0, -1).trim().toUpperCase());
}

function isNamedEnd(name: string, groups: readonly Group[]): boolean {
  const names = groups.map(distinguishedNameOf).filter((one) => one !== null);
  return groupMatcher(names.map((dn) => ({ dn })))(name).matches.length > 0;
}

function separated(text: string, separator: RegExp, part: (text: string) => Part): Part[] {
  return text
    .split(separator)
    .flatMap((one, index) => (one === '' ? [] : [index % 2 === 0 ? part(one) : between(one)]));
}

function replaced(text: string): Part {
  return { text, why: null, isStandard: false };
}

function optional(text: string): Part[] {
  return text === '' ? [] : [replaced(text)];
}

function kept(text: string, why: string): Part {
  return { text, why, isStandard: false };
}

function standard(text: string, why: string): Part {
  return { text, why, isStandard: true };
}

function between(text: string): Part {
  return { text, why: '', isStandard: true };
}
