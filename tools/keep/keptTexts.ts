/** Which texts of a login stay, each by its place: those of protocols, the issuer, what the mapping names, what is ticked. */

import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { distinguishedNameOf, groupMatcher } from '../../lib/profile/groups/matchGroups.ts';
import { scopedAffiliationReader } from '../../lib/profile/rules/scopes.ts';
import { parseDistinguishedName, unescapeName } from '../../lib/profile/schema/distinguishedName.ts';
import { problemOfAddress } from '../../lib/profile/schema/emailAddress.ts';
import type { Group } from '../../lib/profile/schema/mappingSchema.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { asciiLowerCase } from '../../lib/text.ts';
import type { Place } from './loginTexts.ts';
import type { MappingTexts } from './mappingTexts.ts';
import { AFFILIATIONS, NAME_TYPES, protocolReason } from './protocolTexts.ts';
import { UUID } from './standIns.ts';

/** A whole text, or a part of an address, a URL or a distinguished name. */
export interface Part {
  text: string;
  /** Null where a stand-in replaces it; empty for what stands between the parts. */
  why: string | null;
}

/** A text and where it stands: what the operator ticks. */
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
  ticked: readonly PlacedText[];
}

/** A text in its parts. */
export function partsOf(text: string, place: Place, policy: Policy): Part[] {
  const why = reasonToStay(text, place, policy);
  if (why !== null) return [{ text, why }];
  const { path } = place;
  const isTicked = (part: string) => policy.ticked.some((one) => one.path === path && one.text === part);
  return split(text.trim(), place, policy).map((part) =>
    isTicked(part.text) ? { ...part, why: 'ticked' } : part,
  );
}

/** Claims and fields whose texts are the same for many people. */
const OF_MANY = new Set([
  ...[...OPENID_NAMES.groups, ...OPENID_NAMES.scoped_affiliation].map(({ name }) => name),
  ...[...SAML_NAMES.groups, ...SAML_NAMES.scoped_affiliation].map(({ name }) => name),
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

function reasonToStay(text: string, place: Place, { issuer, mapping }: Policy): string | null {
  if (text.trim() === '') return '';
  const { role, names } = place;
  const isValue = role === 'value' || role === 'response';
  if (isValue && isWanted(text, names, mapping)) return VALUE;
  if (isValue && text === issuer) return 'the issuer';
  if (isValue && UUID.test(text) && issuer?.split('/').includes(text)) return 'a part of the issuer';
  if (role === 'attributeName' || role === 'claimName') {
    if (isNamed(text, mapping)) return 'a name that the mapping has';
  }
  return protocolReason(text, place);
}

/** Only where the rule looks for it. */
function isWanted(text: string, names: readonly string[], { values }: MappingTexts): boolean {
  return names.some((name) => values.get(asciiLowerCase(name))?.has(text.trim()));
}

/** A text that a rule names stays where a value begins or ends with it. */
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
    nameParts(
      text,
      mapping.groups.filter(() => isGroup),
    ) || [replaced(text)]
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

/** `member@uni.example`; several that arrived as one text stay where each of them is named. */
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
  const sign = account.length < at ? [kept(text.slice(account.length, at), "Entra's mark of a guest")] : [];
  const address = [...optional(asciiLowerCase(account)), ...sign, between('@')];
  return [...address, ...domainParts(text.slice(at + 1), domains)];
}

/** The end that the mapping names stays. */
function domainParts(domain: string, named: readonly string[]): Part[] {
  const name = asciiLowerCase(domain);
  const end = named.find((one) => name === one || name.endsWith(`.${one}`));
  if (end === undefined) return [replaced(name)];
  const start = name.slice(0, -end.length - 1);
  const stays = kept(end, 'a domain that the mapping names');
  return start === '' ? [stays] : [replaced(start), between('.'), stays];
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

/** A distinguished name (RFC 4514) of types that everybody has. The end that the mapping names stays. */
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
  return { text, why: null };
}

function optional(text: string): Part[] {
  return text === '' ? [] : [replaced(text)];
}

function kept(text: string, why: string): Part {
  return { text, why };
}

function between(text: string): Part {
  return { text, why: '' };
}
