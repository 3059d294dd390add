/** By how little a text that arrived misses one that a mapping or a setting wants. */
import { distance } from 'fastest-levenshtein';
import { asciiLowerCase, inWords, MAX_NAME_LENGTH, showableNames } from '../../text.ts';
import { parseDistinguishedName } from '../schema/distinguishedName.ts';
import type { Group } from '../schema/ruleSchema.ts';
import type { Occurrence } from './reader.ts';

/** The least difference first. */
const IN_WORDS = {
  space: 'other blanks',
  case: 'other capitals',
  slash: 'a slash more or less',
  level: 'another level',
  joined: 'joined with others',
  edit: 'another character',
} as const;

export type Miss = keyof typeof IN_WORDS;
const MISSES = Object.keys(IN_WORDS) as Miss[];

/** Each looser than the one before: the first in which two texts are equal is what differs. */
const FORMS = ['space', 'case', 'slash'] as const;

type Forms = Record<'text' | (typeof FORMS)[number], string>;

/** A text of the mapping that something that arrived misses by little. */
export interface NearMiss {
  text: string;
  miss: Miss;
}

/** What an operator can do, for the explanation. */
export type Note = {
  note?: string;
  /** By which differences something that is wanted was missed, each once. */
  near?: readonly Miss[];
};

/** Of both sides: what is beyond that is not compared. */
const MAX_COMPARED = 100;
const MAX_TOLD = 5;
/** Shorter texts that differ in one character often mean different things, and so do those that differ in a digit. */
const MIN_EDITED = 5;

/** The texts that something that arrived misses by little, each with the kind of difference. */
export function nearMisses(
  wanted: readonly (Group | { suffix: string })[],
  arrived: readonly string[],
): NearMiss[] {
  const texts = arrived.filter(({ length }) => length <= MAX_NAME_LENGTH).slice(0, MAX_COMPARED);
  const others = texts.map((text) => ({ ...formsOf(text), name: nameOf(text) }));
  return wanted.slice(0, MAX_COMPARED).flatMap((one) => {
    const [text] = typeof one === 'string' ? [one] : Object.values(one);
    const miss = others.map(missOf(one)).find((found) => found !== null);
    return miss ? [{ text: `${text}`, miss }] : [];
  });
}

/** What the operator can do where an issuer that a list has is nearly the one that arrived. */
export function nearIssuer(list: string, listed: Iterable<string>, issuer: string): Note {
  const near = nearMisses([...listed], [issuer]);
  return near.length > 0
    ? noteOf(near, (words) => `${list} lists ${words}: an issuer is written exactly as it arrives.`)
    : {};
}

/** @param joined what to do about a text that holds several */
export function nearNote(near: readonly NearMiss[], joined: Note = {}): Note {
  if (near.length === 0) return joined;
  const cure = near.every(({ miss }) => miss === 'joined') ? JOINED_CURE : NEAR_CURE;
  const told = noteOf(near, (words) =>
    joined.note ? `${joined.note} Nearly arrived: ${words}.` : `Nearly arrived: ${words}. ${cure}`,
  );
  return { ...told, near: [...new Set([told, joined].flatMap((one) => one.near ?? []))] };
}

/** @param note gets e.g. `staff (other capitals)`: a record has no text that arrived */
function noteOf(near: readonly NearMiss[], note: (words: string) => string): Note {
  // A row of the table and a rule may want the same.
  const told = new Set(near.map(({ text, miss }) => `${text} (${IN_WORDS[miss]})`));
  return {
    note: note(inWords([...told].slice(0, MAX_TOLD), 'and')),
    near: [...new Set(near.map(({ miss }) => miss))],
  };
}

const JOINED_CURE = 'Have the provider send each value by itself.';
const NEAR_CURE = 'Write it in the mapping as it arrives, or correct it at the provider.';

/** Of what arrived only by FriendlyName, which is no basis for a decision (SAML Core 2.7.3.1): anybody may call an attribute so. */
export function friendlyNameNote(
  name: string,
  { attribute }: Pick<Occurrence, 'attribute'>,
): { note: string } {
  const [own = 'its Name'] = showableNames([`${attribute}`]).names;
  return {
    note: `${name} arrived as a FriendlyName only, which identifies no attribute: write ${own} in the mapping.`,
  };
}

function formsOf(text: string): Forms {
  const space = text.replace(/\s+/g, ' ').trim();
  const lower = asciiLowerCase(space);
  return { text, space, case: lower, slash: lower.replace(/^\/|\/$/g, '') };
}

/** The parts of a distinguished name as they compare; null for another text. */
function nameOf(text: string): string | null {
  return parseDistinguishedName(text)?.parts.join(',') ?? null;
}

function missOf(
  wanted: Group | { suffix: string },
): (arrived: Forms & { name: string | null }) => Miss | null {
  if (typeof wanted === 'string') {
    const forms = formsOf(wanted);
    return (arrived) => nearMiss(forms, arrived);
  }
  if ('prefix' in wanted || 'suffix' in wanted) {
    const part = 'prefix' in wanted ? wanted.prefix : wanted.suffix;
    const forms = formsOf(part);
    const { length } = part;
    // A slash, a blank or a letter more or less.
    const lengths = [length, length + 1, length - 1];
    return ({ text }) => {
      const ends = lengths.map((end) => ('prefix' in wanted ? text.slice(0, end) : text.slice(-end)));
      const misses = ends.map((end) => nearMiss(forms, formsOf(end)));
      return MISSES.find((miss) => misses.includes(miss)) ?? null;
    };
  }
  // Stryker disable next-line StringLiteral: that of a mapping can be read.
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
  // Stryker disable next-line EqualityOperator: of two that are as long, neither is the longer.
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  if (longer.startsWith(`${shorter},`) || longer.endsWith(`,${shorter}`)) return 'level';
  // Stryker disable next-line ConditionalExpression,EqualityOperator: it only saves time.
  return longer.length - shorter.length < 2 && isEdited(one, other) ? 'edit' : null;
}

function isEdited(one: string, other: string): boolean {
  const isLong = one.length >= MIN_EDITED;
  return isLong && withoutDigits(one) !== withoutDigits(other) && distance(one, other) === 1;
}

/** `staff`, and `/campus/staff`, `staff@idm.example` or `CN=staff,OU=…`; `uni.example` and `mail.uni.example`. */
function isBelow(part: string, whole: string): boolean {
  const isFirst = whole.startsWith(part) && /[@#]/.test(whole.charAt(part.length));
  const isLast = whole.endsWith(part) && /[/.:\\]/.test(whole.charAt(whole.length - part.length - 1));
  return isFirst || isLast || whole.includes(`=${part},`);
}

function piecesOf(text: string): string[] {
  return text.split(/[,;|[\]{}"']/).map((piece) => piece.trim());
}

function withoutDigits(text: string): string {
  return text.replace(/\d/g, '');
}
