/** Which texts of a login are kept, each by its place: those of protocols, the issuer, what the mapping names, what is allowed. */
import { OPENID_NAMES } from '../../lib/openid/claims.ts';
import type { DefaultNames } from '../../lib/profile/fields/reader.ts';
import { textOf } from '../../lib/profile/groups/matchGroups.ts';
import { sourceNames } from '../../lib/profile/groups/readGroups.ts';
import { readsOf } from '../../lib/profile/rules/rules.ts';
import { AFFILIATIONS, scopedAffiliationReader } from '../../lib/profile/rules/scopes.ts';
import { problemOfAddress } from '../../lib/profile/schema/emailAddress.ts';
import type { Group, ParsedMapping, ParsedPart } from '../../lib/profile/schema/mappingSchema.ts';
import { DEFAULTS, SOURCED_FIELDS, type Source } from '../../lib/profile/schema/profileFields.ts';
import { SAML_NAMES } from '../../lib/saml/attributeNames.ts';
import { asciiLowerCase, UUID } from '../../lib/text.ts';
import { protocolReason } from './protocol.ts';
import { NAME_ID, type Place } from './texts.ts';

/** A whole text, or a part of an address, a URL or a distinguished name. */
export interface Part {
  text: string;
  /** Why it is kept; null where a pseudonym replaces it; empty for what stands between the parts. */
  why: string | null;
}

/** A text and where it stands: what the operator allows. */
export interface PlacedText {
  path: string;
  text: string;
}

export interface KeepRules extends NamedTexts {
  /** As the event spells it; null where it has none. */
  issuer: string | null;
  /** Hosts that the handler asked, with their ports. */
  hosts: ReadonlySet<string>;
  allowed: readonly PlacedText[];
}

/** What the mapping in force names, in lower case. */
interface NamedTexts {
  /** Whole ones, and how they begin. */
  groups: readonly string[];
  /** Without `*.`, the longest first. */
  domains: readonly string[];
  addresses: readonly string[];
  /** Of claims and attributes. */
  names: readonly string[];
  lookUps: readonly LookUp[];
}

/** What is looked for in some claims or attributes. */
interface LookUp {
  /** Null for values that a rule names. */
  of: 'groups' | 'affiliations' | null;
  names: readonly string[];
  /** With what a value begins or ends, or all of it. */
  values: readonly string[];
}

/** @param mapping null for the default handler and for a handler of code */
export function namedTexts(mapping: ParsedMapping | null, defaults: DefaultNames): NamedTexts {
  const parts: ParsedPart[] = mapping ? [mapping, ...Object.values(mapping.issuers ?? {})] : [];
  const reads = parts.flatMap(({ rules = [] }) => rules).map((rule) => readsOf(rule, defaults));
  const tables = parts.flatMap(({ groups }) => groups?.table ?? []);
  const groups = [...tables.map(({ group }) => group), ...reads.flatMap((read) => read.groups)];
  const namesIn = (source: Source) => {
    // Stryker disable next-line ConditionalExpression: a text has no use.
    const isNameId = typeof source === 'object' && source.use === 'nameId';
    return isNameId ? [NAME_ID] : sourceNames(source, defaults, 'groups').map(({ key }) => key);
  };
  const lookUp = (of: LookUp['of'], names: string[], values: readonly unknown[]): LookUp => {
    return { of, names, values: values.map(String).map(asciiLowerCase) };
  };
  const groupNames = parts.flatMap((part) => part.groups?.from ?? [DEFAULTS]).flatMap(namesIn);
  const lookUps = [
    lookUp('groups', groupNames, groups.filter((group) => typeof group === 'object').flatMap(edgesOf)),
    ...reads.flatMap((read) =>
      read.lookUps.map(({ names, values }) => {
        const affiliations = [...AFFILIATIONS, ...read.affiliations].map((one) => `${one}@`);
        const keys = names.map(({ key }) => key);
        return read.domains.length > 0
          ? lookUp('affiliations', keys, affiliations)
          : lookUp(null, keys, values);
      }),
    ),
  ];
  const fields = parts.flatMap((part) => SOURCED_FIELDS.flatMap((field) => part[field]?.from ?? []));
  const texts = groups.map(textOf).filter((text) => text !== null);
  const domains = reads
    .flatMap((read) => read.domains)
    .map((domain) => asciiLowerCase(domain).replace('*.', ''));
  return {
    groups: texts.map(asciiLowerCase),
    domains: domains.sort((one, other) => other.length - one.length),
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

export function partsOf(text: string, place: Place, rules: KeepRules): Part[] {
  const whole = keptWhole(text, place, rules);
  if (whole !== null) return [whole];
  const isAllowed = (part: Part) =>
    rules.allowed.some((one) => one.path === place.path && one.text === part.text);
  return split(text.trim(), place, rules)
    .filter((part) => part.text !== '')
    .map((part) => (isAllowed(part) ? kept(part.text, 'allowed') : part));
}

/** Claims and fields whose texts are the same for many people. */
const OF_MANY = new Set([
  ...[OPENID_NAMES, SAML_NAMES].flatMap(({ groups, scoped_affiliation }) =>
    [...groups, ...scoped_affiliation].map(({ key }) => key),
  ),
  ...'roles aud azp client_id scope acr amr typ token_use audience'.split(' '),
]);

/** Whether a text may say who somebody is, so that no name of a sample may have it: what many share, and URLs, do not. */
export function isOfPerson(text: string, place: Place, rules: KeepRules): boolean {
  const { path, role, names } = place;
  const field = path.slice(path.lastIndexOf('.') + 1).replace('[]', '');
  const { kinds, values } = lookUpsAt(place, rules);
  const isOfMany =
    [...names, field].some((name) => OF_MANY.has(asciiLowerCase(name))) ||
    (role !== 'nameId' && kinds.includes('groups')) ||
    values.includes(asciiLowerCase(text.trim()));
  return (role === 'value' || role === 'nameId') && !isOfMany && !WEB_URL.test(text);
}

/** Null where it is not kept as it is. */
function keptWhole(text: string, place: Place, rules: KeepRules): Part | null {
  const { issuer, addresses, names } = rules;
  const name = asciiLowerCase(text.trim());
  if (name === '') return between(text);
  if (place.role === 'value' || place.role === 'response') {
    if (lookUpsAt(place, rules).values.includes(name)) return kept(text, VALUE);
    if (addresses.includes(name)) return kept(text, 'an address that a rule of the mapping lists');
    if (text === issuer) return kept(text, 'the issuer');
    if (UUID.test(text) && issuer?.split('/').includes(text)) return kept(text, 'a part of the issuer');
  }
  // `realm_access.roles` names `realm_access` and `roles`.
  const isNamed = names.some((one) => one === name || one.split('.').includes(name));
  if (place.role.endsWith('Name') && isNamed) return kept(text, 'a name that the mapping has');
  const why = protocolReason(text, place);
  return why === null ? null : kept(text, why);
}

/** What is looked for at a place. */
function lookUpsAt({ names }: Place, { lookUps }: KeepRules) {
  const keys = names.map(asciiLowerCase);
  const here = lookUps.filter((lookUp) => lookUp.names.some((name) => keys.includes(name)));
  return { kinds: here.map(({ of }) => of), values: here.flatMap(({ values }) => values) };
}

function split(text: string, place: Place, rules: KeepRules): Part[] {
  if (!['value', 'nameId', 'response', 'request'].includes(place.role)) return [replaced(text)];
  const { groups, domains, hosts } = rules;
  const { kinds, values } = lookUpsAt(place, rules);
  return (
    (kinds.includes('affiliations') && joinedAffiliations(text, domains)) ||
    valueParts(text, values, domains) ||
    (kinds.includes('groups') && groupParts(text, groups)) ||
    addressParts(text, domains) ||
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

function groupParts(text: string, groups: readonly string[]): Part[] | null {
  if (groups.includes(asciiLowerCase(text))) return [kept(text, GROUP)];
  const segments = new Set(groups.flatMap((group) => group.split(SEGMENTS)));
  const parts = text.split(SEGMENTS).map((one, index) => {
    if (index % 2 === 1 || one === '') return between(one);
    return segments.has(asciiLowerCase(one)) ? kept(one, GROUP) : replaced(one);
  });
  return parts.some(({ why }) => why) ? parts : null;
}

/** Several affiliations that arrived as one text are kept where each of them is named. */
function joinedAffiliations(text: string, domains: readonly string[]): Part[] | null {
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
  return { text, why: null };
}

function kept(text: string, why: string): Part {
  return { text, why };
}

function between(text: string): Part {
  return kept(text, '');
}
