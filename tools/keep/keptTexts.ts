/** Which texts of a login stay, each by its place: those of protocols, the issuer, what the mapping names, what is ticked. */

import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import { parseDistinguishedName, unescapeName } from '../../lib/profile/distinguishedName.ts';
import { scopedAffiliationReader } from '../../lib/profile/domains.ts';
import { groupMatcher } from '../../lib/profile/groupMatcher.ts';
import type { Group } from '../../lib/profile/mappingSchema.ts';
import { isEmail } from '../../lib/profile/response.ts';
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
    part.why === null && isTicked(part.text) ? { ...part, why: 'ticked' } : part,
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
  const isShared = [...names, field].some(
    (name) => OF_MANY.has(name) || mapping.groupNames.has(asciiLowerCase(name)),
  );
  return (role === 'value' || role === 'nameId') && !isShared && !WEB_URL.test(text);
}

function reasonToStay(text: string, place: Place, { issuer, mapping }: Policy): string | null {
  if (text.trim() === '') return '';
  const { role } = place;
  const isValue = role === 'value' || role === 'response';
  if (isValue && text === issuer) return 'the issuer';
  if (isValue && UUID.test(text) && issuer?.split('/').includes(text)) return 'a part of the issuer';
  if (role === 'attributeName' || role === 'claimName') {
    if (isNamed(text, mapping)) return 'a name that the mapping has';
  }
  return protocolReason(text, place);
}

/** `realm_access.roles` names `realm_access` and `roles`. */
function isNamed(name: string, { names }: MappingTexts): boolean {
  const key = asciiLowerCase(name);
  return names.has(key) || [...names].some((path) => path.split('.').includes(key));
}

function split(text: string, place: Place, { mapping, hosts }: Policy): Part[] {
  if (place.role === 'request') return requestParts(text);
  if (!['value', 'nameId', 'response'].includes(place.role)) return [replaced(text)];
  const stands = (names: ReadonlySet<string>) => place.names.some((name) => names.has(asciiLowerCase(name)));
  const isGroup = stands(mapping.groupNames) || (place.role === 'nameId' && mapping.usesNameIdForGroups);
  const isAffiliation = stands(mapping.affiliationNames);
  return (
    (isGroup && groupParts(text, mapping)) ||
    (isAffiliation && affiliationParts(text, mapping)) ||
    addressParts(text, mapping) ||
    urlParts(text, hosts) ||
    nameParts(text, isGroup ? mapping.groups : []) || [replaced(text)]
  );
}

/** A group that the mapping names, or names by its beginning. */
function groupParts(text: string, { groups }: MappingTexts): Part[] | null {
  const name = asciiLowerCase(text);
  for (const group of groups) {
    if (typeof group === 'string' && asciiLowerCase(group) === name)
      return [kept(text, 'a group that the mapping names')];
    if (typeof group !== 'object' || !('prefix' in group)) continue;
    const { length } = group.prefix;
    if (name.startsWith(asciiLowerCase(group.prefix)))
      return [
        kept(text.slice(0, length), 'how groups that the mapping names begin'),
        ...optional(text.slice(length)),
      ];
  }
  return null;
}

/** `member@uni.example`; several that arrived as one text stay where each of them is named. */
function affiliationParts(text: string, { affiliations, domains }: MappingTexts): Part[] | null {
  const read = scopedAffiliationReader(domains)(asciiLowerCase(text));
  if (read.length > 1) return [kept(text, 'affiliations of scopes that the mapping names')];
  const [first = ''] = text.split('@', 1);
  const isNamed = [...AFFILIATIONS, ...affiliations].includes(asciiLowerCase(first));
  if (read.length === 0 || !isNamed) return null;
  return [kept(first, 'an affiliation'), between('@'), ...domainParts(text.slice(first.length + 1), domains)];
}

/** Entra's sign of a guest's account, which decides whether a NameID is an address. */
const GUEST = /#EXT#$/i;

/** Addresses compare without case. */
function addressParts(text: string, { domains }: MappingTexts): Part[] | null {
  if (!isEmail(text)) return null;
  const [local = '', domain = ''] = text.split('@');
  const account = local.replace(GUEST, '');
  const guest = local.slice(account.length);
  const sign = guest === '' ? [] : [kept(guest, "Entra's sign of a guest")];
  const name = asciiLowerCase(account);
  return [...optional(name), ...sign, between('@'), ...domainParts(domain, domains)];
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

function requestParts(text: string): Part[] {
  const [start = '', method = '', host = ''] = REQUEST.exec(text) ?? [];
  return [between(method), kept(host, ASKED), ...optional(text.slice(start.length))];
}

/** Of a request (`GET https://…`): with its port, in lower case; empty for another text. */
export function hostOf(text: string): string {
  return asciiLowerCase(REQUEST.exec(text)?.[2] ?? '');
}

const REQUEST = /^([A-Z]+ https?:\/\/)([^/?#]*)/;
const ASKED = 'a system that the handler asks';
const WEB_URL = /^(https?:\/\/)([^/?#]*)(.*)$/is;

function urlParts(text: string, hosts: ReadonlySet<string>): Part[] | null {
  const [, scheme = '', host = '', rest = ''] = WEB_URL.exec(text) ?? [];
  if (host === '') return null;
  const name = asciiLowerCase(host);
  const isAsked = hosts.has(name);
  const hostParts = isAsked ? [kept(host, ASKED)] : separated(name, /(@|:\d{1,5}$)/, replaced);
  return [between(scheme), ...hostParts, ...separated(rest, /([/?#&=;]+)/, replaced)];
}

/** A type and its value, and what ends it: in one alternative or the other, each character is read once. */
const ATTRIBUTE = /([^=,+\\]*=)((?:\\.|[^\\,+])*)([,+]?)/gs;

/** A distinguished name (RFC 4514) of types that everybody has. The end that the mapping names stays. */
function nameParts(text: string, groups: readonly Group[]): Part[] | null {
  if (parseDistinguishedName(text) === null) return null;
  const attributes = Array.from(text.matchAll(ATTRIBUTE), ([all, type = '', value = '', end = ''], index) => {
    return { all, type, value, end, index };
  });
  const isKnown = attributes.every(({ type }) => NAME_TYPES.includes(type.slice(0, -1).trim().toUpperCase()));
  if (!isKnown) return null;
  const named = groups.flatMap((group) => {
    if (typeof group === 'string' || 'prefix' in group) return [];
    return 'dn' in group ? [group.dn] : [group.dn_suffix];
  });
  const matches = groupMatcher(named.map((dn) => ({ dn })));
  const rest = attributes.map((_, index) =>
    attributes
      .slice(index)
      .map(({ all }) => all)
      .join(''),
  );
  const start = rest.findIndex((one) => matches(one).matches.length > 0);
  const before = start < 0 ? attributes : attributes.slice(0, start);
  const parts = before.flatMap(({ type, value, end }) => [
    between(type),
    ...optional(unescapeName(value).trim()),
    between(end),
  ]);
  const stays = rest[start];
  return stays === undefined ? parts : [...parts, kept(stays, 'a distinguished name that the mapping names')];
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
