/** What of a leaf stays, and why. Everything else is replaced. */
import { parseDistinguishedName } from '../../lib/profile/distinguishedName.ts';
import { asciiLowerCase } from '../../lib/text.ts';
import {
  isBooleanText,
  isFormat,
  isKnownAttribute,
  isKnownClaim,
  isMethod,
  isMethodReference,
  isTokenHeader,
  isTokenHeaderValue,
  NAME_TYPE,
} from './knownNames.ts';
import type { Place } from './leaves.ts';
import {
  affiliationRanges,
  domainRanges,
  groupRanges,
  type MappingTexts,
  type Range,
} from './mappingTexts.ts';
import { UUID } from './words.ts';

/** A text of the original that stays. */
export interface Stay {
  text: string;
  why: string;
  /** Whether it stays inside longer texts too. */
  isPart: boolean;
}

export interface Known {
  /** As the event spells it; null where it has none. */
  issuer: string | null;
  mapping: MappingTexts;
}

/** Entra's sign of a guest's account, which decides whether a NameID is an address. */
const GUEST = /#EXT#/gi;
const CONTENT_TYPE = /^[a-z]+\/[a-z0-9.+-]+(?:; ?charset=[a-z0-9-]+)?$/i;
const ATTRIBUTE = 'the name of an attribute, out of a standard or the mapping';
const CLAIM = 'the name of a claim, out of a standard or the mapping';

/** Why all of a text stays; null where it does not, or only parts of it do. */
export function reasonToStay(
  text: string,
  { role, names }: Place,
  { issuer, mapping }: Known,
): string | null {
  if (text.trim() === '') return 'an empty text';
  if (text === issuer && role !== 'nameId') return 'the issuer';
  const isNamed = mapping.names.has(asciiLowerCase(text));
  switch (role) {
    case 'tokenType':
      return /^(?:bearer|dpop)$/i.test(text) ? 'the type of the token' : null;
    case 'format':
      return isFormat(text) ? 'a format' : null;
    case 'method':
      return isMethod(text) ? 'a method' : null;
    case 'attributeName':
      return isKnownAttribute(text) || isNamed ? ATTRIBUTE : null;
    case 'claimName':
      return isKnownClaim(text) || isNamed || isNamedInside(text, mapping) ? CLAIM : null;
    case 'headerName':
      return isTokenHeader(text) ? 'the name of a field of a token' : null;
    case 'header':
      return isTokenHeaderValue(text) ? 'the type or algorithm of a token' : null;
    case 'contentType':
      return CONTENT_TYPE.test(text) ? 'the type of a response' : null;
    case 'value':
      return reasonOfValue(text, names);
    default:
      return null;
  }
}

/** `realm_access.roles` names `realm_access` and `roles`. */
function isNamedInside(text: string, { names }: MappingTexts): boolean {
  const name = asciiLowerCase(text);
  return [...names].some((path) => path.split('.').includes(name));
}

function reasonOfValue(text: string, names: readonly string[]): string | null {
  if (isBooleanText(text)) return 'a boolean';
  if (isMethod(text)) return 'a method';
  if (names.includes('amr') && isMethodReference(text)) return 'a method';
  if (['typ', 'token_use'].some((name) => names.includes(name)) && /^id$/i.test(text))
    return 'the type of the token';
  return null;
}

/** The parts of a text that stay, in order, none over another. */
export function stayingRanges(text: string, place: Place, { issuer, mapping }: Known): Range[] {
  if (!['value', 'nameId'].includes(place.role)) return [];
  const stands = (names: ReadonlySet<string>) => place.names.some((name) => names.has(asciiLowerCase(name)));
  const isGroup = stands(mapping.groupNames) || (place.role === 'nameId' && mapping.usesNameIdForGroups);
  return apart([
    ...(isGroup ? groupRanges(text, mapping.groups) : []),
    ...(stands(mapping.affiliationNames) ? affiliationRanges(text, mapping.affiliations) : []),
    ...domainRanges(text, mapping.domains),
    ...matches(text, GUEST, "Entra's sign of a guest"),
    ...issuersParts(text, issuer),
    ...(parseDistinguishedName(text) ? matches(text, NAME_TYPE, 'a type in a distinguished name') : []),
  ]);
}

/** The issuer names its tenant, and other claims repeat it. */
function issuersParts(text: string, issuer: string | null): Range[] {
  const parts = [...new Set(issuer?.match(UUID))];
  return parts.flatMap((part) => matches(text, new RegExp(part, 'gi'), 'a part of the issuer'));
}

function matches(text: string, pattern: RegExp, why: string): Range[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    why,
  }));
}

function apart(ranges: readonly Range[]): Range[] {
  const longestFirst = [...ranges].sort((one, other) => other.end - other.start - (one.end - one.start));
  const taken: Range[] = [];
  for (const range of longestFirst) {
    if (!taken.some((one) => range.start < one.end && one.start < range.end)) taken.push(range);
  }
  return taken.sort((one, other) => one.start - other.start);
}

/** The parts of a text: those that stay have a reason. */
export function cutOut(text: string, ranges: readonly Range[]): { text: string; why: string }[] {
  const parts: { text: string; why: string }[] = [];
  let end = 0;
  for (const range of ranges) {
    parts.push({ text: text.slice(end, range.start), why: '' });
    parts.push({ text: text.slice(range.start, range.end), why: range.why });
    end = range.end;
  }
  return [...parts, { text: text.slice(end), why: '' }].filter((part) => part.text !== '');
}
