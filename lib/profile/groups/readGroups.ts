/** What the provider says of a person's groups, read from the sources of a mapping. */

import { UUID } from '../../text.ts';
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
import type { Source } from '../schema/profileFields.ts';
import { type DeniableText, deniable } from './deniedGroups.ts';
import { valuesJoinedBy } from './joinedTexts.ts';

export interface GroupSources {
  from: readonly Source[];
  /** Those that the provider leaves out for people without groups. */
  absent: readonly string[];
  /** Whether the groups are unknown where a source did not arrive. */
  required: boolean;
  /** How a text is read that is the only value of its source: what joins the groups in it, or `none`; undefined where that is not known. */
  separator?: string | undefined;
}

export interface ProviderGroups {
  /** False where the provider does not say, which is not the same as none. */
  known: boolean;
  /** Whether the provider does not say, or none of the sources is there. */
  areMissing: boolean;
  sources: readonly ReadSource[];
  /** The sources that did not arrive, without those that the provider leaves out: no evidence that somebody is in no group. */
  unproven: readonly string[];
  /** The sources of which some item is not read: no such evidence either. */
  partial: readonly string[];
  /** Those that may grant something. */
  values: readonly string[];
  /** Those that may deny something: all that stand anywhere under any of the sources. Prepared when a rule first asks. */
  everywhere(): readonly DeniableText[];
  note?: string | undefined;
}

export interface ReadSource {
  /** As the mapping has it: a name, `DEFAULTS` or `NAME_ID`. */
  from: string;
  /** None for the NameID. */
  names: readonly Name[];
  hasArrived: boolean;
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

const GLUED_NOTE = 'Several groups arrived as one text: have the provider send one Attribute for each value.';
const TOO_LONG = {
  known: false,
  areMissing: true,
  values: [],
  // Stryker disable next-line ArrayDeclaration: it is not known first.
  partial: [],
  everywhere: () => [],
  note: `There are more than ${MAX_GROUPS} groups, or more than ${MAX_GROUPS_LENGTH} characters in them, so they are not read.`,
};

/** Makes a function that reads the groups from all of the sources together. */
export function groupReader(
  { from, absent, required, separator }: GroupSources,
  defaults: DefaultNames,
): (reader: RuleReader) => ProviderGroups {
  const readers = from.map((source) => sourceReader(source, defaults, separator));

  return (reader) => {
    const sources = readers.map((read) => read(reader));
    const occurrences = sources.flatMap((source) => source.occurrences);
    const missing = sources.filter(({ hasArrived }) => !hasArrived).map(({ from }) => from);
    const unproven = missing.filter((name) => !absent.includes(name));
    if (
      occurrences.flatMap(({ groups }) => groups).length > MAX_GROUPS ||
      lengthOf(occurrences) > MAX_GROUPS_LENGTH
    )
      return { ...TOO_LONG, sources, unproven };

    const names = sources.flatMap((source) => source.names);
    const unread = names.flatMap((name) => {
      const form = reader.otherForm(name);
      return form ? [{ name: name.name, ...form }] : [];
    });
    const [whole] = unread.filter(({ form }) => form !== 'items');
    const isCut = names.some((name) => reader.hasOverage(name));
    const known = !isCut && !whole && !(required && missing.length > 0);
    const used = known ? occurrences.filter(isUsed) : [];
    const isGlued = used.some(({ text }) => splitUuids(text).length > 1);
    const glued = isGlued ? GLUED_NOTE : undefined;
    const note = whole ? formNote(whole.name, whole) : glued;
    let prepared: DeniableText[] | undefined;
    return {
      known,
      areMissing: !known || missing.length === sources.length,
      sources,
      unproven,
      partial: unread.map(({ name }) => name),
      values: [...new Set(used.flatMap(({ groups }) => groups))],
      everywhere() {
        prepared ??= occurrences.flatMap((occurrence) => deniableGroups(occurrence, separator));
        return prepared;
      },
      note,
    };
  };
}

function sourceReader(
  source: Source,
  defaults: DefaultNames,
  separator: string | undefined,
): (reader: RuleReader) => ReadSource {
  const read = (occurrences: Iterable<Occurrence>, isNamed: boolean) =>
    readOccurrences([...occurrences], isNamed, separator, defaults);
  if ((source as { use?: string }).use === 'nameId') {
    return ({ nameId }) => ({
      from: 'NAME_ID',
      names: [],
      hasArrived: nameId !== null,
      // Stryker disable next-line BooleanLiteral: it is one.
      occurrences: read(nameIdOccurrences(nameId), true),
    });
  }
  const names = sourceNames(source, defaults, 'groups');
  const isNamed = typeof source === 'string';
  return (reader) => ({
    from: isNamed ? source : 'DEFAULTS',
    names,
    // Of the names that stand for the defaults, one is enough.
    hasArrived: names.some((name) => reader.has(name)),
    occurrences: read(reader.occurrencesEverywhere(names), isNamed),
  });
}

export function sourceNames(
  source: Source,
  defaults: DefaultNames,
  kind: 'groups' | 'scoped_affiliation',
): readonly Name[] {
  if (typeof source === 'string') return namesOf(...defaults.expand(source));
  // Stryker disable next-line ArrayDeclaration: nothing stands under what is no name.
  return source.use === 'defaults' ? defaults[kind] : [];
}

/** @param isNamed whether all names are those of one attribute, and not of all that are usual */
function readOccurrences(
  occurrences: readonly Occurrence[],
  isNamed: boolean,
  separator: string | undefined,
  defaults: DefaultNames,
): ReadOccurrence[] {
  const present = occurrences
    .map((occurrence) => ({ ...occurrence, text: occurrence.text.trim() }))
    .filter(({ text }) => text !== '');
  // Of all that are usual, each attribute is a source; of one, its names are together.
  const keyOf = ({ use, name }: Occurrence) => (isNamed ? use : `${use} ${defaults.same(name)[0]}`);
  // Stryker disable next-line ConditionalExpression,EqualityOperator: what is too long is not used, and this saves its time.
  const isRead = lengthOf(present) <= MAX_GROUPS_LENGTH;
  const last = new Map(present.map((occurrence) => [keyOf(occurrence), occurrence.text]));
  const several = new Set(
    present.filter((occurrence) => occurrence.text !== last.get(keyOf(occurrence))).map(keyOf),
  );
  return present.map((occurrence) => {
    const isOnly =
      occurrence.shape === 'single' ||
      (occurrence.shape === 'maybe-joined' && !several.has(keyOf(occurrence)));
    const isSplit = isRead && isOnly && separator !== undefined && separator !== 'none';
    const values = isSplit ? valuesJoinedBy(separator, occurrence.text) : [occurrence.text];
    const isGlued = isOnly && separator === undefined;
    return { ...occurrence, isOnly, groups: isGlued ? values.flatMap(splitUuids) : values };
  });
}

/** A UUID that was split off concatenated ones is one whole value. */
function deniableGroups(
  { groups, ...occurrence }: ReadOccurrence,
  separator: string | undefined,
): DeniableText[] {
  const isItem = separator !== undefined || (occurrence.shape === 'maybe-joined' && groups.length > 1);
  const texts = groups.flatMap(splitUuids);
  return texts.map((text) => deniable({ ...occurrence, text, shape: isItem ? 'item' : occurrence.shape }));
}

/** A text made wholly of UUIDs is split, any other left as it is. */
function splitUuids(text: string): string[] {
  if (text.length % UUID_LENGTH !== 0) return [text];
  const parts = Array.from({ length: text.length / UUID_LENGTH }, (_, index) =>
    text.slice(index * UUID_LENGTH, (index + 1) * UUID_LENGTH),
  );
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
