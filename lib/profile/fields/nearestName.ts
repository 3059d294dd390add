/** Which of the names that arrived an operator may have meant, and by how little a text misses the one that is sought. */
import { distance } from 'fastest-levenshtein';
import type { RequiredField } from '../../settings.ts';
import { asciiLowerCase, inWords, MAX_NAME_LENGTH, showableNames } from '../../text.ts';
import { parseDistinguishedName } from '../schema/distinguishedName.ts';
import type { Group } from '../schema/ruleSchema.ts';
import type { NestedName } from './reader.ts';

/** More than this part of the longer name differs between names that mean different things. */
const MAX_DIFFERENCE = 0.4;
/** Of a name that is another one with words beside it, such as `groups_direct`. */
const MORE_WORDS = 0.3;

/**
 * "Did not arrive: memberOff (similar name that arrived: memberOf) and roles."
 *
 * @param nested names one level below others: only one that is the same is shown, because others may be values
 */
export function notArrived(
  wanted: readonly string[],
  received: readonly string[],
  nested: readonly NestedName[],
): string {
  const told = wanted.map((name) => {
    if (received.includes(name)) return `${name} (null arrived)`;
    const deeper = nested.filter(({ key }) => key === name).map((one) => one.name);
    const nearest = showableNames(deeper).names[0] ?? nearestName(name, received);
    return nearest === null ? name : `${name} (similar name that arrived: ${nearest})`;
  });
  return `Did not arrive: ${inWords(told, 'and')}.`;
}

/** The name that is most like another one; null where none is like it. Of URIs, the last part counts. */
export function nearestName(wanted: string, names: readonly string[]): string | null {
  const own = ownPart(wanted);
  let nearest: string | null = null;
  let least = MAX_DIFFERENCE;
  for (const name of names) {
    const difference = differenceOf(own, ownPart(name));
    if (difference < least) [nearest, least] = [name, difference];
  }
  return nearest;
}

function ownPart(name: string): string {
  return asciiLowerCase(name).replace(/.*[/#:]/, '');
}

function differenceOf(one: string, other: string): number {
  const [shorter, longer] = [one, other].sort((a, b) => a.length - b.length) as [string, string];
  if (shorter === '') return 1;
  const difference = distance(shorter, longer) / longer.length;
  return wordsOf(longer).includes(wordsOf(shorter)) ? Math.min(difference, MORE_WORDS) : difference;
}

function wordsOf(name: string): string {
  return `_${name.replace(/[.-]/g, '_')}_`;
}

/** How the names of claims and attributes look, in lower case and without `_` and `-`, and what they are sources of. */
const FULL_NAME: Look = ['full_name', /^(?:(?:display|full|common)?name|cn)$/];
const LOOKS: Readonly<Record<RequiredField, readonly Look[]>> = {
  email: [['email', /^(?:user|primary|work)?e?mails?(?:address(?:es)?)?$/]],
  first_name: [['first_name', /^(?:given|first|fore)names?$/], FULL_NAME],
  last_name: [['last_name', /^(?:(?:family|last|sur|usual)names?|sn)$/], FULL_NAME],
};

type Look = readonly [field: string, pattern: RegExp];

/**
 * What to do about a field that did not arrive under the names that are tried, where one that arrived looks like it.
 *
 * @param names that arrived, and are not tried
 */
export function lookAlikeHint(
  field: RequiredField,
  names: readonly string[],
  nested: readonly NestedName[],
): string | undefined {
  const all = [...names.map((name) => ({ name, key: name })), ...nested];
  for (const [source, pattern] of LOOKS[field]) {
    const alike = all.filter(({ key }) => pattern.test(asciiLowerCase(key).replace(/[_-]/g, '')));
    const [name] = showableNames(alike.map((one) => one.name)).names;
    if (name)
      return `${name} arrived, and looks like it. If it is, write ${source}: ['${name}'] in a mapping.`;
  }
  return undefined;
}

/** Each looser than the one before: the first in which two texts are equal is what differs. */
const FORMS = ['space', 'case', 'slash'] as const;

type Forms = Record<'text' | (typeof FORMS)[number], string>;
type Miss = (typeof FORMS)[number] | 'level' | 'joined' | 'edit';

/** A text of the mapping that something that arrived misses by little. */
export interface NearMiss {
  text: string;
  miss: Miss;
}

function formsOf(text: string): Forms {
  const space = text.replace(/\s+/g, ' ');
  const lower = asciiLowerCase(space);
  return { text, space, case: lower, slash: lower.replace(/^\/|\/$/g, '') };
}

/** Of both sides: what is beyond that is not compared. */
const MAX_COMPARED = 100;
const MAX_TOLD = 5;
/** Shorter texts that differ in one character often mean different things, and so do those that differ in a digit. */
const MIN_EDITED = 5;

/** The texts that something that arrived misses by little, each with the kind of difference. */
export function nearMisses(wanted: readonly Group[], arrived: readonly string[]): NearMiss[] {
  const texts = arrived.filter(({ length }) => length <= MAX_NAME_LENGTH).slice(0, MAX_COMPARED);
  const others = texts.map((text) => ({ ...formsOf(text), name: nameOf(text) }));
  return wanted.slice(0, MAX_COMPARED).flatMap((one) => {
    const [text] = [one].flatMap((group) => (typeof group === 'string' ? group : Object.values(group)));
    const missed = missOf(one);
    const miss = others.map(missed).find((found) => found !== null);
    return miss ? [{ text: `${text}`, miss }] : [];
  });
}

/** In words, e.g. `staff (case)`: a record has no text that arrived; undefined for none. */
function inNearWords(near: readonly NearMiss[]): string | undefined {
  const words = near.slice(0, MAX_TOLD).map(({ text, miss }) => `${text} (${miss})`);
  return words.length > 0 ? inWords(words, 'and') : undefined;
}

/**
 * What the operator can do where an issuer that is listed is nearly the one that arrived.
 *
 * @param list what lists them
 */
export function nearIssuer(list: string, listed: Iterable<string>, issuer: string): { note?: string } {
  const words = inNearWords(nearMisses([...listed], [issuer]));
  return words === undefined
    ? {}
    : { note: `${list} lists ${words}: an issuer is written exactly as it arrives.` };
}

/** The kinds of difference that notes tell, each once. */
export function nearMissesIn(notes: readonly string[]): string[] {
  const told = notes.flatMap((note) => Array.from(note.matchAll(TOLD), ([, miss = '']) => miss));
  return [...new Set(told)].sort();
}

/** As `inNearWords` writes them. */
const TOLD = / \((space|case|slash|level|joined|edit)\)(?=[.,:]| and )/g;

/** @param joined what to do about a text that holds several */
export function nearNote(near: readonly NearMiss[], joined?: string): string | undefined {
  const words = inNearWords(near);
  if (words === undefined) return joined;
  return joined ? `${joined} Nearly arrived: ${words}.` : `Nearly arrived: ${words}. ${NEAR_CURE}`;
}

const NEAR_CURE = 'Write it in the mapping as it arrives, or correct it at the provider.';

interface Arrived extends Forms {
  /** As a distinguished name; null where it is none. */
  name: string | null;
}

/** The parts of a distinguished name as they compare; null for another text. */
function nameOf(text: string): string | null {
  return parseDistinguishedName(text)?.parts.join(',') ?? null;
}

function missOf(wanted: Group): (arrived: Arrived) => Miss | null {
  if (typeof wanted === 'string') {
    const forms = formsOf(wanted);
    return (arrived) => nearMiss(forms, arrived);
  }
  if ('prefix' in wanted) {
    const forms = formsOf(wanted.prefix);
    const { length } = wanted.prefix;
    // A slash, a blank or a letter more or less.
    const lengths = [length, length + 1, length - 1];
    return ({ text }) =>
      lengths.map((end) => nearMiss(forms, formsOf(text.slice(0, end)))).find((miss) => miss !== null) ??
      null;
  }
  const name = nameOf('dn' in wanted ? wanted.dn : wanted.dn_suffix) ?? '';
  return (arrived) => (arrived.name === null ? null : nearName(name, arrived.name));
}

function nearMiss(wanted: Forms, arrived: Forms): Miss | null {
  const [one, other] = [wanted.slash, arrived.slash];
  if (wanted.text === arrived.text || one === '' || other === '') return null;
  const miss = FORMS.find((form) => wanted[form] === arrived[form]);
  if (miss) return miss;
  if (isBelow(one, other) || isBelow(other, one)) return 'level';
  // Stryker disable next-line ConditionalExpression: it only saves time.
  if (!other.includes(one) && Math.abs(one.length - other.length) > 1) return null;
  if (piecesOf(other).includes(one)) return 'joined';
  return isEdited(one, other) ? 'edit' : null;
}

function nearName(one: string, other: string): Miss | null {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  if (longer.startsWith(`${shorter},`) || longer.endsWith(`,${shorter}`)) return 'level';
  return longer.length - shorter.length < 2 && isEdited(one, other) ? 'edit' : null;
}

function isEdited(one: string, other: string): boolean {
  const isLong = one.length >= MIN_EDITED;
  return isLong && withoutDigits(one) !== withoutDigits(other) && distance(one, other) === 1;
}

/** `/campus/staff` and `staff`, `mail.uni.example` and `uni.example`. */
function isBelow(end: string, whole: string): boolean {
  return whole.endsWith(end) && /[/.:\\]/.test(whole.charAt(whole.length - end.length - 1));
}

function piecesOf(text: string): string[] {
  return text.split(/[,;|[\]{}"']/).map((piece) => piece.trim());
}

function withoutDigits(text: string): string {
  return text.replace(/\d/g, '');
}
