/** What the provider says of a person's groups, read from the sources of a mapping. */

import { UUID } from '../../text.ts';
import { otherSpellings } from '../fields/nearestName.ts';
import {
  type DefaultNames,
  isUsed,
  MAX_GROUPS,
  type Name,
  nameIdOccurrences,
  namesOf,
  type Occurrence,
  type OtherForm,
  type RuleReader,
} from '../fields/reader.ts';
import type { ParsedGroups } from '../schema/mappingSchema.ts';
import { isDefaults, type Source } from '../schema/profileFields.ts';
import { type DeniableText, deniable } from './deniedGroups.ts';
import { valuesJoinedBy } from './joinedTexts.ts';

export type GroupSources = Pick<ParsedGroups, 'from' | 'absent' | 'required' | 'separator'>;

export interface ProviderGroups {
  /** False where the provider does not say, which is not the same as none. */
  known: boolean;
  sources: readonly ReadSource[];
  /** The sources that did not arrive. */
  missing: readonly string[];
  /** Those of them that the provider does not leave out for people without groups: no evidence that somebody is in no group. */
  unproven: readonly string[];
  /** The sources of which some item is not read: no such evidence either. */
  partial: readonly string[];
  /** What may grant something. */
  used: readonly ReadOccurrence[];
  /** The groups in it, each once; none where they are not known. */
  values: readonly string[];
  /** Those that may deny something: all that stand anywhere under any of the sources. Prepared when a rule first asks. */
  everywhere(): readonly DeniableText[];
  note: string | undefined;
}

export interface ReadSource {
  /** As the mapping has it: a name, `DEFAULTS` or `NAME_ID`. */
  from: string;
  /** None for the NameID. */
  names: readonly Name[];
  hasArrived: boolean;
  /** Whether any of it arrived by Name, even if it is empty. */
  isByName: boolean;
  /** Without empty ones and surrounding white space. */
  occurrences: readonly ReadOccurrence[];
}

export interface ReadOccurrence extends Occurrence {
  /** Whether it is the only value of its source. */
  isOnly: boolean;
  groups: readonly string[];
}

const UUID_LENGTH = 36;
/** In characters, of all groups together. */
export const MAX_GROUPS_LENGTH = MAX_GROUPS * UUID_LENGTH;

export const NAME_CURE = 'Correct the name in groups.from, or have the provider send it.';
const GLUED = 'Several groups arrived as one text: have the provider send one Attribute for each value.';
const TOO_LONG = `There are more than ${MAX_GROUPS} groups, or more than ${MAX_GROUPS_LENGTH} characters in them, so they are not read.`;

/**
 * Makes a function that reads the groups from all of the sources together.
 *
 * @param from some of the sources, for a rule that names them
 */
export function groupReader(
  { from: allFrom, absent, required, separator }: GroupSources,
  defaults: DefaultNames,
  from = allFrom,
): (reader: RuleReader) => ProviderGroups {
  const isMisspelled = (name: string, reader: RuleReader) =>
    otherSpellings(name, reader).some((one) => !allFrom.includes(one));
  const names = from.flatMap((source) => sourceNames(source, defaults, 'groups'));
  const readers = from.map((source) => sourceReader(source, names, defaults, separator));

  return (reader) => {
    const sources = readers.map((read) => read(reader));
    const occurrences = sources.flatMap((source) => source.occurrences);
    const missing = sources.filter(({ hasArrived }) => !hasArrived).map(({ from }) => from);
    const unread = names.flatMap((name) => {
      const form = reader.otherForm(name);
      return form ? [{ name: name.name, ...form }] : [];
    });
    const whole = unread.find(({ form }) => form !== 'items');
    const isTooLong =
      occurrences.flatMap(({ groups }) => groups).length > MAX_GROUPS ||
      lengthOf(occurrences) > MAX_GROUPS_LENGTH;
    const isCut = names.some((name) => reader.hasOverage(name));
    const known = !isTooLong && !isCut && !whole && !(required && missing.length > 0);
    const used = occurrences.filter(isUsed);
    const glued = known && used.some(({ text }) => splitUuids(text).length > 1) ? GLUED : undefined;
    const unknownForm = whole && formNote(whole.name, whole);
    let prepared: DeniableText[] | undefined;
    return {
      known,
      sources,
      missing,
      unproven: missing.filter((name) => !absent.includes(name) || isMisspelled(name, reader)),
      partial: unread.map(({ name }) => name),
      used,
      values: known ? [...new Set(used.flatMap(({ groups }) => groups))] : [],
      everywhere() {
        prepared ??= isTooLong ? [] : occurrences.flatMap((one) => deniableGroups(one, separator));
        return prepared;
      },
      note: isTooLong ? TOO_LONG : (unknownForm ?? glued),
    };
  };
}

/** What arrived of sources only by FriendlyName, whether it grants something or not. */
export function friendlyOnly(sources: readonly ReadSource[]): Occurrence[] {
  return sources
    .filter(({ isByName }) => !isByName)
    .flatMap(({ occurrences }) => occurrences.filter(({ by }) => by === 'FriendlyName'));
}

/** @param allNames of all sources */
function sourceReader(
  source: Source,
  allNames: readonly Name[],
  defaults: DefaultNames,
  separator: string | undefined,
): (reader: RuleReader) => ReadSource {
  const names = sourceNames(source, defaults, 'groups');
  // Of all that are usual, each attribute is a source; of one, its names are together.
  const keyOf = ({ use, name }: Occurrence) =>
    isDefaults(source) ? `${use} ${defaults.same(name)[0]}` : use;
  const isNameId = typeof source !== 'string' && !isDefaults(source);
  return (reader) => {
    const all = isNameId ? nameIdOccurrences(reader.nameId) : reader.occurrencesEverywhere(names, allNames);
    return {
      from: sourceText(source),
      names,
      // Of the names that stand for the defaults, one is enough.
      hasArrived: isNameId ? reader.nameId !== null : names.some((name) => reader.has(name)),
      isByName: all.some((one) => one.by === 'Name' && isUsed(one)),
      occurrences: readOccurrences(all, keyOf, separator),
    };
  };
}

/** A source as an explanation has it. */
export function sourceText(source: Source): string {
  if (typeof source === 'string') return source;
  return isDefaults(source) ? 'DEFAULTS' : 'NAME_ID';
}

export function sourceNames(
  source: Source,
  defaults: DefaultNames,
  kind: 'groups' | 'scoped_affiliation',
): readonly Name[] {
  if (typeof source === 'string') return namesOf(...defaults.expand(source));
  return isDefaults(source) ? defaults[kind] : [];
}

/** @param keyOf tells occurrences of different sources apart */
function readOccurrences(
  occurrences: Iterable<Occurrence>,
  keyOf: (occurrence: Occurrence) => string,
  separator: string | undefined,
): ReadOccurrence[] {
  const present = Array.from(occurrences, (occurrence) => ({
    ...occurrence,
    text: occurrence.text.trim(),
  })).filter(({ text }) => text !== '');
  // Stryker disable next-line ConditionalExpression,EqualityOperator: what is too long is not used, and this saves its time.
  const isRead = lengthOf(present) <= MAX_GROUPS_LENGTH;
  const last = new Map(present.map((occurrence) => [keyOf(occurrence), occurrence.text]));
  const several = new Set(
    present.filter((occurrence) => occurrence.text !== last.get(keyOf(occurrence))).map(keyOf),
  );
  const groupsIn = (text: string, isOnly: boolean) => {
    if (!isOnly || separator === 'none') return [text];
    if (separator === undefined) return splitUuids(text);
    // Stryker disable next-line ArrayDeclaration: what is too long is not used.
    return isRead ? valuesJoinedBy(separator, text) : [text];
  };
  return present.map((occurrence) => {
    const { shape, text } = occurrence;
    const isOnly = shape === 'single' || (shape === 'maybe-joined' && !several.has(keyOf(occurrence)));
    return { ...occurrence, isOnly, groups: groupsIn(text, isOnly) };
  });
}

/** A UUID that was split off concatenated ones is one whole value. */
function deniableGroups(
  { groups, ...occurrence }: ReadOccurrence,
  separator: string | undefined,
): DeniableText[] {
  const isItem = separator !== undefined || (occurrence.shape === 'maybe-joined' && groups.length > 1);
  const texts = groups.flatMap(splitUuids);
  const shape = isItem ? 'item' : occurrence.shape;
  return texts.map((text) => deniable({ ...occurrence, text, shape }, separator));
}

/** A text made wholly of UUIDs is split, any other left as it is. */
function splitUuids(text: string): string[] {
  if (text.length % UUID_LENGTH !== 0) return [text];
  const parts = text.match(/.{36}/gs) as string[];
  return parts.every((part) => UUID.test(part)) ? parts : [text];
}

function lengthOf(occurrences: readonly Occurrence[]): number {
  return occurrences.reduce((length, { text }) => length + text.length, 0);
}

/** Which form arrived, and what to write or to have sent. */
export function formNote(name: string, { form, key }: OtherForm): string {
  const HAVE_SENT = 'have the provider send a list of texts.';
  if (form === 'objects')
    return `${name} is a list of objects: write ${name}.${key}, where each has its text.`;
  if (form === 'object') return `${name} is an object: write the path to a list in it, or ${HAVE_SENT}`;
  if (form === 'number') return `${name} has a number that may have lost digits: ${HAVE_SENT}`;
  if (form === 'parent') return `${name} is a path into something that is no object: ${HAVE_SENT}`;
  return `${name} is no text and no list of texts: ${HAVE_SENT}`;
}
