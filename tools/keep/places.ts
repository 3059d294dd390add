/** Which texts of a login are kept, each by its place: those of protocols, the issuer, what the mapping names, what is allowed. */
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import type { DefaultNames, Name } from '../../lib/profile/fields/reader.ts';
import { textOf } from '../../lib/profile/groups/matchGroups.ts';
import { sourceNames } from '../../lib/profile/groups/readGroups.ts';
import { readsOf } from '../../lib/profile/rules/rules.ts';
import { scopedAffiliationReader } from '../../lib/profile/rules/scopes.ts';
import { problemOfAddress } from '../../lib/profile/schema/emailAddress.ts';
import type { Group, ParsedMapping, ParsedPart } from '../../lib/profile/schema/mappingSchema.ts';
import { SOURCED_FIELDS, type Source } from '../../lib/profile/schema/profileFields.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { asciiLowerCase } from '../../lib/text.ts';
import { AFFILIATIONS, protocolReason } from './protocol.ts';
import { UUID } from './pseudonyms.ts';
import { NAME_ID, type Place } from './texts.ts';

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

/** What the mapping in force names. All but groups in lower case. */
export interface MappingTexts {
  groups: readonly Group[];
  /** Without `*.`, the longest first. */
  domains: readonly string[];
  addresses: readonly string[];
  /** Of claims and attributes. */
  names: readonly string[];
  /** What it looks for in some claims or attributes. */
  lookUps: readonly LookUp[];
}

interface LookUp {
  /** Null for values that rules name. */
  of: 'groups' | 'affiliations' | null;
  names: readonly string[];
  values: readonly string[];
}

/** @param mapping null for the default handler and for a handler of code */
export function mappingTexts(mapping: ParsedMapping | null, defaults: DefaultNames): MappingTexts {
  const parts: ParsedPart[] = mapping ? [mapping, ...Object.values(mapping.issuers ?? {})] : [];
  const reads = parts.flatMap(({ rules = [] }) => rules).map((rule) => readsOf(rule, defaults));
  const fields = parts.flatMap((part) => SOURCED_FIELDS.flatMap((field) => part[field]?.from ?? []));
  const groupSources = parts.flatMap(({ groups }) => groups?.from ?? [{ use: 'defaults' } as const]);
  const tables = parts.flatMap(({ groups }) => groups?.table ?? []);
  const groups = [...tables.map(({ group }) => group), ...reads.flatMap((read) => read.groups)];
  const namesIn = (source: Source) => keysOf(sourceNames(source, defaults, 'groups'));
  const ofRules = reads.flatMap(({ lookUps, domains, affiliations }) =>
    lookUps.map(({ names, values }): LookUp => {
      if (domains.length === 0) return { of: null, names: keysOf(names), values: values.map(String) };
      const first = [...AFFILIATIONS, ...affiliations].map((affiliation) => `${affiliation}@`);
      return { of: 'affiliations', names: keysOf(names), values: first };
    }),
  );
  const ofGroups: LookUp = {
    of: 'groups',
    names: groupSources.flatMap((source) => (isNameId(source) ? NAME_ID : namesIn(source))),
    values: groups.filter((group) => typeof group === 'object').flatMap(edgesOf),
  };
  const lookUps = [ofGroups, ...ofRules];
  return {
    groups,
    domains: reads
      .flatMap(({ domains }) => domains)
      .map((domain) => asciiLowerCase(domain).replace('*.', ''))
      .sort((one, other) => other.length - one.length),
    addresses: reads.flatMap(({ addresses }) => addresses.map(asciiLowerCase)),
    names: [...fields.flatMap(namesIn), ...lookUps.flatMap(({ names }) => names)],
    lookUps,
  };
}

/** With what a value begins or ends that is a group of this kind. */
function edgesOf(group: Exclude<Group, string>): string[] {
  if ('dn_suffix' in group) return [`,${group.dn_suffix}`, group.dn_suffix];
  return ['prefix' in group ? group.prefix : group.dn];
}

function isNameId(source: Source): boolean {
  // Stryker disable next-line ConditionalExpression: a text has no use.
  return typeof source === 'object' && source.use === 'nameId';
}

function keysOf(names: readonly Name[]): string[] {
  return names.map(({ key }) => key);
}

export function partsOf(text: string, place: Place, policy: Policy): Part[] {
  const whole = keptWhole(text, place, policy);
  if (whole !== null) return [whole];
  const isAllowed = (part: string) =>
    policy.allowed.some((one) => one.path === place.path && one.text === part);
  return split(text.trim(), place, policy)
    .filter((part) => part.text !== '')
    .map((part) => (isAllowed(part.text) ? kept(part.text, 'allowed') : part));
}

/** Claims and fields whose texts are the same for many people. */
const OF_MANY = new Set([
  ...[OPENID_NAMES, SAML_NAMES].flatMap(({ groups, scoped_affiliation }) =>
    [...groups, ...scoped_affiliation].map(({ key }) => key),
  ),
  ...'roles aud azp client_id scope acr amr typ token_use audience'.split(' '),
]);

/** Whether a text may say who somebody is, so that no name of a sample may have it: what many share, and URLs, do not. */
export function isOfPerson(text: string, place: Place, { mapping }: Policy): boolean {
  const { path, role, names } = place;
  const field = path.slice(path.lastIndexOf('.') + 1).replace('[]', '');
  const isOfMany =
    [...names, field].some((name) => OF_MANY.has(asciiLowerCase(name))) ||
    (role !== 'nameId' && lookUpsAt(place, mapping, 'groups').length > 0) ||
    valuesAt(place, mapping).includes(asciiLowerCase(text.trim()));
  return (role === 'value' || role === 'nameId') && !isOfMany && !WEB_URL.test(text);
}

/** Null where it is not kept as it is. */
function keptWhole(text: string, place: Place, { issuer, mapping }: Policy): Part | null {
  const name = asciiLowerCase(text.trim());
  if (name === '') return between(text);
  if (place.role === 'value' || place.role === 'response') {
    if (valuesAt(place, mapping).includes(name)) return kept(text, VALUE);
    if (mapping.addresses.includes(name)) return kept(text, 'an address that a rule of the mapping lists');
    if (text === issuer) return kept(text, 'the issuer');
    if (UUID.test(text) && issuer?.split('/').includes(text)) return kept(text, 'a part of the issuer');
  }
  if (place.role.endsWith('Name') && isNamed(name, mapping)) return kept(text, 'a name that the mapping has');
  const why = protocolReason(text, place);
  return why === null ? null : { text, why, isStandard: true };
}

/** `realm_access.roles` names `realm_access` and `roles`. */
function isNamed(name: string, { names }: MappingTexts): boolean {
  return names.includes(name) || names.some((path) => path.split('.').includes(name));
}

function lookUpsAt({ names }: Place, { lookUps }: MappingTexts, of?: LookUp['of']) {
  const here = names.map(asciiLowerCase);
  return lookUps.filter(
    (one) => (of === undefined || one.of === of) && one.names.some((name) => here.includes(name)),
  );
}

function valuesAt(place: Place, mapping: MappingTexts): string[] {
  return lookUpsAt(place, mapping).flatMap(({ values }) => values.map(asciiLowerCase));
}

function split(text: string, place: Place, { mapping, hosts }: Policy): Part[] {
  if (!['value', 'nameId', 'response', 'request'].includes(place.role)) return [replaced(text)];
  const stands = (of: LookUp['of']) => lookUpsAt(place, mapping, of).length > 0;
  return (
    (stands('affiliations') && joinedAffiliations(text, mapping)) ||
    valueParts(text, valuesAt(place, mapping), mapping.domains) ||
    (stands('groups') && groupParts(text, mapping.groups)) ||
    addressParts(text, mapping.domains) ||
    urlParts(text, hosts) || [replaced(text)]
  );
}

const VALUE = 'a value that the mapping names, or begins or ends with';

function valueParts(text: string, values: readonly string[], domains: readonly string[]): Part[] | null {
  const name = asciiLowerCase(text);
  const start = values.find((value) => name.startsWith(value))?.length ?? 0;
  if (start > 0) return [kept(text.slice(0, start), VALUE), ...domainParts(text.slice(start), domains)];
  const end = values.find((value) => name.endsWith(value))?.length ?? 0;
  return end === 0 ? null : [replaced(text.slice(0, -end)), kept(text.slice(-end), VALUE)];
}

/** What stands between the segments of a group. A rule that denies looks at each of them. */
const SEGMENTS = /([/\\:#])/;
const GROUP = 'a group that the mapping names, or a part of one';

function groupParts(text: string, groups: readonly Group[]): Part[] | null {
  const texts = groups
    .map(textOf)
    .filter((one) => one !== null)
    .map(asciiLowerCase);
  if (texts.includes(asciiLowerCase(text))) return [kept(text, GROUP)];
  const segments = new Set(texts.flatMap((one) => one.split(SEGMENTS)));
  const isNamedSegment = (one: string) => one !== '' && segments.has(asciiLowerCase(one));
  const parts = text.split(SEGMENTS).map((one, index) => {
    if (index % 2 === 1) return between(one);
    return isNamedSegment(one) ? kept(one, GROUP) : replaced(one);
  });
  return parts.some(({ why }) => why) ? parts : null;
}

/** Several affiliations that arrived as one text are kept where each of them is named. */
function joinedAffiliations(text: string, { domains }: MappingTexts): Part[] | null {
  const isJoined = scopedAffiliationReader(domains)(text).length > 1;
  return isJoined ? [kept(text, 'affiliations for scopes that the mapping names')] : null;
}

/** Addresses compare without case. */
function addressParts(text: string, domains: readonly string[]): Part[] | null {
  const problem = problemOfAddress(text);
  if (problem !== null && problem !== 'guest') return null;
  const at = text.indexOf('@');
  const account = asciiLowerCase(text.slice(0, at));
  return [replaced(account), between('@'), ...domainParts(text.slice(at + 1), domains)];
}

/** The end that the mapping names is kept. */
function domainParts(domain: string, named: readonly string[]): Part[] {
  const name = asciiLowerCase(domain);
  const end = named.find((one) => `.${name}`.endsWith(`.${one}`));
  if (end === undefined) return [replaced(name)];
  const start = name.slice(0, -end.length - 1);
  return [replaced(start), between(start && '.'), kept(end, 'a domain that the mapping names')];
}

/** A URL, also behind the method of a request: what is before its host, the host with its port, and what follows. */
const WEB_URL = /^((?:(?:GET|HEAD|POST|PUT|PATCH|DELETE) )?https?:\/\/)([^/?#]+)([/?#]*)(.*)/is;

/** Of a request (`GET https://…`): with its port, in lower case; empty for another text. */
export function hostOf(request: string): string {
  return asciiLowerCase(WEB_URL.exec(request)?.[2] ?? '');
}

/** Of a URL whose host the handler asks: a link, or a request. */
function urlParts(text: string, hosts: ReadonlySet<string>): Part[] | null {
  const match = WEB_URL.exec(text);
  if (match === null) return null;
  const [, before, host, mark, rest] = match.map(String) as [string, string, string, string, string];
  if (!hosts.has(asciiLowerCase(host))) return null;
  return [between(before), kept(host, 'a system that the handler asks'), between(mark), replaced(rest)];
}

function replaced(text: string): Part {
  return { text, why: null, isStandard: false };
}

function kept(text: string, why: string): Part {
  return { text, why, isStandard: false };
}

function between(text: string): Part {
  return { text, why: '', isStandard: true };
}
