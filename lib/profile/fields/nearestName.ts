/** Which of the names that arrived an operator may have meant, and by how little a text misses the one that is sought. */
import { distance } from 'fastest-levenshtein';
import type { RequiredField } from '../../settings.ts';
import { asciiLowerCase, inWords, MAX_NAME_LENGTH, showableNames } from '../../text.ts';
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
type NearMiss = (typeof FORMS)[number] | 'level' | 'joined' | 'edit';

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

/**
 * The texts that something that arrived misses by little, each with the kind of difference, e.g. `staff (case)`; undefined for
 * none. The text that arrived is not among them: a record has no value of a person's.
 */
export function nearlyArrived(wanted: readonly string[], arrived: readonly string[]): string | undefined {
  const texts = arrived.filter(({ length }) => length <= MAX_NAME_LENGTH).slice(0, MAX_COMPARED);
  const others = texts.map(formsOf);
  const near = wanted.slice(0, MAX_COMPARED).flatMap((one) => {
    const forms = formsOf(one);
    const miss = others.map((other) => nearMiss(forms, other)).find((found) => found !== null);
    return miss ? [`${one} (${miss})`] : [];
  });
  return near.length > 0 ? inWords(near.slice(0, MAX_TOLD), 'and') : undefined;
}

/** The kinds of difference that notes tell, each once. */
export function nearMissesIn(notes: readonly string[]): string[] {
  const told = notes.flatMap((note) => Array.from(note.matchAll(TOLD), ([, miss = '']) => miss));
  return [...new Set(told)].sort();
}

/** As `nearlyArrived` writes them. */
const TOLD = / \((space|case|slash|level|joined|edit)\)(?=[.,:]| and )/g;

/** @param joined what to do about a text that holds several */
export function nearNote(
  wanted: readonly string[],
  arrived: readonly string[],
  joined?: string,
): string | undefined {
  const near = nearlyArrived(wanted, arrived);
  if (near === undefined) return joined;
  return joined ? `${joined} Nearly arrived: ${near}.` : `Nearly arrived: ${near}. ${NEAR_CURE}`;
}

const NEAR_CURE = 'Write it in the mapping as it arrives, or correct it at the provider.';

function nearMiss(wanted: Forms, arrived: Forms): NearMiss | null {
  const [one, other] = [wanted.slash, arrived.slash];
  if (wanted.text === arrived.text || one === '' || other === '') return null;
  const miss = FORMS.find((form) => wanted[form] === arrived[form]);
  if (miss) return miss;
  if (isBelow(one, other) || isBelow(other, one)) return 'level';
  // Stryker disable next-line ConditionalExpression: it only saves time.
  if (!other.includes(one) && Math.abs(one.length - other.length) > 1) return null;
  if (piecesOf(other).includes(one)) return 'joined';
  const isLong = one.length >= MIN_EDITED;
  const isDigit = withoutDigits(one) === withoutDigits(other);
  return isLong && !isDigit && distance(one, other) === 1 ? 'edit' : null;
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
