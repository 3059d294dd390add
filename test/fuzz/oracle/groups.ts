/** Which groups a login has, which user groups follow, and which are forbidden. */
import { MAX_NAME_LENGTH, mayBeName, readName, splitAt, unescaped } from './distinguishedName.ts';
import { type Evidence, isNameId, namesOf, trimmed, type Value } from './evidence.ts';
import { DEFAULTS, type Group, type Groups } from './mapping.ts';

/** In characters, of all values together. */
const MAX_TOTAL_LENGTH = 262_144;
const GLUED_UUIDS = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}){2,}$/i;
const UUID_LENGTH = 36;
/** More marks in a row than any language has. */
const MANY_MARKS = /[\p{Mark}\uff9e\uff9f]{31}/u;
/** JSON's and XML's. */
const ESCAPED = /\\u[0-9a-f]{4}|&(#\w+|\w+);/i;
const UNSEEN = /[\p{Control}\p{Default_Ignorable_Code_Point}]/gu;
/** Null where the specification leaves it open. */
export type Answer = boolean | null;

export interface ReadGroups {
  /** What grants and `any_group` look at. */
  granted: string[];
  /** What denial looks at. */
  denied: Value[];
  unknown: Answer;
  /** Whether they may be more than are read. */
  isTooMuch: boolean;
}

export function readGroups(
  evidence: Evidence,
  { from = [DEFAULTS], required, separate }: Groups,
): ReadGroups {
  const lists = from.map((source) => namesOf(evidence, source, 'groups'));
  const nameId = from.some(isNameId) && evidence.nameId !== null ? [evidence.nameId] : [];
  const granted = [...lists.flatMap((names) => evidence.granted(names)), ...nameId];
  const joinedNameId = nameId.map((text) => ({ text, joined: true }));
  const denied = [...lists.flatMap((names) => evidence.denied(names)), ...joinedNameId];
  const isAbsent = lists.some((names) => names.length > 0 && !evidence.isThere(names));
  const isUnknown = lists.flat().some((name) => evidence.isUnknown(name));
  const tooMuch = isTooMuch(granted, denied);
  return {
    isTooMuch: tooMuch !== false,
    granted: split(trimmed(granted)),
    denied: denied.flatMap(({ text, joined }) => {
      const parts = split(trimmed([text]));
      return parts.map((part) => ({ text: part, joined: joined && !separate && parts.length === 1 }));
    }),
    unknown: isUnknown || (required === true && isAbsent) || tooMuch,
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

/** Whether a value is this group without regard to case and Unicode form; what is too long is not read. */
export function isForbidden(value: string, group: Group): boolean {
  if (isTooOdd(value)) return false;
  if (typeof group === 'string') return fold(value) === fold(group);
  if ('prefix' in group) return fold(value).startsWith(fold(group.prefix));
  return isName(value, group, fold);
}

/**
 * Whether a value may hold this group among others.
 *
 * @param named the groups that the mapping names elsewhere: a value that is one of them is nothing else
 */
export function mayHold({ text, joined }: Value, group: Group, named: readonly Group[]): Answer {
  if (isTooOdd(text)) return true;
  const isOfNames = typeof group !== 'string' && !('prefix' in group);
  if (isOfNames && mayBeName(text) && (readName(text)?.hasOtherReading ?? true)) return true;
  if (isOfNames && otherForms(text).some((form) => isName(form, group, fold))) return true;
  if (!joined) return isOddForm(text) ? null : false;
  if (ESCAPED.test(text)) return !named.some((other) => isNamed(text, other));
  if (typeof group === 'string' || 'prefix' in group) {
    const wanted = fold(typeof group === 'string' ? group : group.prefix);
    if (!fold(text).includes(wanted)) return false;
    return !named.some((other) => isNamed(text, other));
  }
  if (!squeezed(text).includes(squeezed(nameOf(group)))) return false;
  return named.some((other) => isNamed(text, other)) ? null : true;
}

function isNamed(value: string, group: Group): boolean {
  return typeof group === 'string' || 'dn' in group ? isForbidden(value, group) : false;
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

/** Behind the scheme of a URL, and with the most general part first. */
function otherForms(text: string): string[] {
  const [beforeEquals = ''] = text.split('=');
  const start = Math.max(beforeEquals.lastIndexOf(':'), beforeEquals.lastIndexOf('/')) + 1;
  const name = text.includes('=') ? text.slice(start) : '';
  return [name, splitAt(name, ',').reverse().join(',')];
}

function nameOf(group: { dn: string } | { dn_suffix: string }): string {
  return 'dn' in group ? group.dn : group.dn_suffix;
}

/** So long, or with so many marks, that it is not compared. */
function isTooOdd(text: string): boolean {
  return text.length > MAX_NAME_LENGTH || MANY_MARKS.test(text);
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
