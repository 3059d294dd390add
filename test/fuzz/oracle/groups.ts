/** Which groups a login has, which user groups follow, and which are forbidden. */

import type { Group } from '../../../lib/profile/mappingSchema.ts';
import { DEFAULTS } from '../../../lib/profile/reader.ts';
import { MAX_NAME_LENGTH, mayBeName, readName, splitAt, unescaped } from './distinguishedName.ts';
import { type Evidence, isNameId, namesOf, trimmed, type Value } from './evidence.ts';
import type { Groups } from './mapping.ts';

/** In characters, of all values together. */
const MAX_TOTAL_LENGTH = 396_000;
const GLUED_UUIDS = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}){2,}$/i;
const UUID_LENGTH = 36;
/** More marks in a row than any language has. */
const MANY_MARKS = /[\p{Mark}\uff9e\uff9f]{31}/u;
/** JSON's and XML's. */
const ESCAPED = /\\u[0-9a-f]{4}|&(#\w+|\w+);/i;
const UNSEEN = /[\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u1806\u2800\ufffc]/gu;
/** Null where the specification leaves it open. */
export type Answer = boolean | null;

export interface ReadGroups {
  /** What grants and `any_group` look at. */
  granted: string[];
  /** What denial looks at. */
  denied: Value[];
  unknown: Answer;
  /** Whether each source is there, or is one that the provider leaves out. */
  isProven: boolean;
  /** Whether they may be more than are read. */
  isTooMuch: boolean;
}

export function readGroups(
  evidence: Evidence,
  { from = [DEFAULTS], absent = [], required, separate }: Groups,
): ReadGroups {
  const lists = from.map((source) => namesOf(evidence, source, 'groups'));
  const missing = from.filter((source) =>
    isNameId(source) ? evidence.nameId === null : !evidence.isThere(namesOf(evidence, source, 'groups')),
  );
  const nameId = from.some(isNameId) && evidence.nameId !== null ? [evidence.nameId] : [];
  const granted = [...lists.flatMap((names) => evidence.granted(names)), ...nameId];
  const joinedNameId = nameId.map((text): Value => ({ text, joined: true }));
  const denied = [...lists.flatMap((names) => evidence.denied(names)), ...joinedNameId];
  const isUnknown = lists.flat().some((name) => evidence.isUnknown(name));
  const tooMuch = isTooMuch(granted, denied);
  return {
    isTooMuch: tooMuch !== false,
    granted: split(trimmed(granted)),
    denied: denied.flatMap(({ text, joined, alone = false }) => {
      const parts = split(trimmed([text]));
      const isJoined = joined && !separate && parts.length === 1;
      return parts.map((part) => ({ text: part, joined: isJoined, alone: alone && !separate }));
    }),
    unknown: isUnknown || (required === true && missing.length > 0) || tooMuch,
    isProven: missing.every((source) => typeof source === 'string' && absent.includes(source)),
  };
}

/** Open between what is certainly counted and what may be. */
function isTooMuch(granted: string[], denied: Value[]): Answer {
  const total = (texts: string[]) => texts.reduce((sum, { length }) => sum + length, 0);
  if (total([...new Set(trimmed(granted))]) > MAX_TOTAL_LENGTH) return true;
  return total([...granted, ...denied.map(({ text }) => text)]) > MAX_TOTAL_LENGTH ? null : false;
}

function split(texts: string[]): string[] {
  return texts.flatMap((text) => {
    if (!GLUED_UUIDS.test(text)) return [text];
    return Array.from({ length: text.length / UUID_LENGTH }, (_, index) =>
      text.slice(index * UUID_LENGTH, (index + 1) * UUID_LENGTH),
    );
  });
}

/** Whether a value is this group, as grants have it: exactly. */
export function isGroup(value: string, group: Group): boolean {
  if (typeof group === 'string') return value === group;
  if ('prefix' in group) return value.startsWith(group.prefix);
  return isName(value, group);
}

export function userGroups({ granted }: ReadGroups, { table = [] }: Groups): string[] {
  const matching = table.filter(({ group }) => granted.some((value) => isGroup(value, group)));
  return [...new Set(matching.map(({ uuid }) => uuid))].sort();
}

/** Whether a value is this group without regard to case, Unicode form and percent-encoding; what is too long is not read. */
export function isForbidden(value: string, group: Group): boolean {
  if (isTooOdd(value)) return false;
  if (typeof group === 'string') {
    const path = segmentsOf(decoded(group));
    return (
      [fold(value), decoded(value)].includes(fold(group)) ||
      pathsOf(value).some((own) => hasRun(own, path)) ||
      namesIn(group).some((name) => isForbidden(value, name))
    );
  }
  if ('prefix' in group)
    return [fold(value), decoded(value)].some((text) => text.startsWith(fold(group.prefix)));
  return [value, ...otherForms(value)].some((form) => isName(form, group, fold));
}

/** A text that is a distinguished name, as one. */
function namesIn(group: string): { dn: string }[] {
  return readName(group) === null ? [] : [{ dn: group }];
}

/** The parts between slashes, backslashes and colons, with what is behind a hash and without it, and the values of a name. */
function pathsOf(value: string): string[][] {
  const text = decoded(value);
  const forms = [text, text.split('#')[0] ?? ''];
  return [...forms, ...(text.includes('=') ? forms.map((form) => fold(valuesIn(form))) : [])].map(segmentsOf);
}

/** What stands behind the types of a name, with slashes between. */
function valuesIn(text: string): string {
  let pieces = [text];
  for (const separator of ',+;/<>?"') pieces = pieces.flatMap((piece) => splitAt(piece, separator));
  return pieces.map((piece) => unescaped(piece.slice(piece.indexOf('=') + 1))).join('/');
}

function segmentsOf(text: string): string[] {
  return text
    .split('~/')
    .join('/')
    .split(/[/\\:]/)
    .map((segment) => segment.replace(/^ | $/g, ''))
    .filter(Boolean);
}

function hasRun(path: string[], wanted: string[]): boolean {
  if (wanted.length === 0) return path.length === 0;
  return path.some((_, start) => wanted.every((segment, index) => path[start + index] === segment));
}

/**
 * Whether a value may hold this group among others.
 *
 * @param named the groups that the mapping names elsewhere: a value that is one of them is nothing else
 */
export function mayHold({ text, joined, alone }: Value, group: Group, named: readonly Group[]): Answer {
  if (isTooOdd(text) || alone) return true;
  const isName = typeof group === 'string' ? namesIn(group).length > 0 : !('prefix' in group);
  if (isName) {
    const name = isOfDirectory(text) ? inUrl(fold(text)) : text;
    if (mayBeName(name) && (readName(name)?.hasOtherReading ?? true)) return true;
  }
  if (!joined) return isOddForm(text) ? null : false;
  const isOther = named.some((other) => isNamed(text, other));
  if (ESCAPED.test(text)) return !isOther;
  if (typeof group === 'string' || 'prefix' in group) {
    const wanted = decoded(typeof group === 'string' ? group : group.prefix);
    return decoded(text).includes(wanted) && !isOther;
  }
  const isIn = [text, decoded(text)].some((form) => squeezed(form).includes(squeezed(nameOf(group))));
  return isIn && (isOther ? null : true);
}

function isNamed(value: string, group: Group): boolean {
  if (typeof group === 'string') return fold(value) === fold(group);
  return 'dn' in group && isName(value, group, fold);
}

function isName(
  value: string,
  group: { dn: string } | { dn_suffix: string },
  form?: (text: string) => string,
) {
  const parts = readName(value, form)?.parts;
  const wanted = readName(nameOf(group), form)?.parts ?? [];
  if (!parts || parts.length < wanted.length || ('dn' in group && parts.length > wanted.length)) return false;
  return parts.slice(parts.length - wanted.length).every((part, index) => part === wanted[index]);
}

/** Out of a URL, and with the most general part first. */
function otherForms(text: string): string[] {
  const name = inUrl(fold(text));
  return [name, splitAt(name, ',').reverse().join(' ,')];
}

/** RFC 4516: behind the host, and before attributes, scope and filter; Active Directory writes other identifiers before it. */
function inUrl(text: string): string {
  const [beforeEquals = ''] = text.split('=');
  const start = Math.max(beforeEquals.lastIndexOf(':'), beforeEquals.lastIndexOf('/')) + 1;
  let name = text.slice(start);
  for (let end = endOfIdentifier(name); end > 0; end = endOfIdentifier(name)) name = name.slice(end);
  return percentDecoded(name === text ? text : (name.split('?')[0] ?? ''));
}

function endOfIdentifier(text: string): number {
  const end = text.indexOf('>;');
  return text.startsWith('<') && end > 0 && !/[<>]/.test(text.slice(1, end)) ? end + 2 : 0;
}

function isOfDirectory(text: string): boolean {
  return ['ldap:', 'ldaps:', 'ldapi:', 'gc:', '<'].some((start) => fold(text).startsWith(start));
}

/** Folded, and folded again where percent-encoding was taken out. */
function decoded(text: string): string {
  const plain = percentDecoded(fold(text));
  return plain === fold(text) ? plain : fold(plain);
}

function percentDecoded(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (bytes) => unescaped(bytes.replaceAll('%', '\\')));
}

function nameOf(group: { dn: string } | { dn_suffix: string }): string {
  return 'dn' in group ? group.dn : group.dn_suffix;
}

/** So long, or with so many marks, that it is not compared. */
function isTooOdd(text: string): boolean {
  const isOdd = (form: string) => form.length > MAX_NAME_LENGTH || MANY_MARKS.test(form);
  if (isOdd(text) || isOdd(percentDecoded(fold(text)))) return true;
  const plain = decoded(text);
  return plain.includes('=') && [plain, plain.split('#')[0] ?? ''].some((form) => isOdd(valuesIn(form)));
}

/** The form in which directories compare, and more texts are equal than they have: for denial alone. */
function fold(text: string): string {
  const spaced = text.normalize('NFKC').replace(/\s|\u0085/g, ' ');
  const seen = spaced.replace(UNSEEN, '').normalize('NFKC').split(' ').filter(Boolean).join(' ');
  const inOneCase = seen.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  return inOneCase.replace(/ς/g, 'σ').replace(/i\u0307/g, 'i');
}

function squeezed(text: string): string {
  return fold(unescaped(text)).replace(/\s/g, '');
}

/** Whether it could be read otherwise once its form is changed, or once the space at its end is there again. */
export function isOddForm(text: string): boolean {
  const structure = (form: string) => form.replace(/[^,+=\\"]/g, '');
  return structure(text) !== structure(text.normalize('NFKC')) || /(^|[^\\])(\\\\)*\\$/.test(text);
}
