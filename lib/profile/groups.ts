/** What the provider says of a person's groups, read from the sources of a mapping. */

import { UUID } from '../text.ts';
import { type DeniableText, deniable } from './deniedGroups.ts';
import {
  type DefaultNames,
  isUsed,
  MAX_GROUPS,
  type Name,
  nameIdPlaces,
  namesOf,
  type Place,
  type RuleReader,
  type Source,
} from './reader.ts';

export interface GroupSources {
  from: readonly Source[];
  /** Those that the provider leaves out for people without groups. */
  absent: readonly string[];
  /** Whether the groups are unknown where a source did not arrive. */
  required: boolean;
  /** Whether the provider is known to send one value a text. */
  separate: boolean;
}

export interface ProviderGroups {
  /** False where the provider does not say, which is not the same as none. */
  known: boolean;
  /** Whether the provider does not say, or none of the sources is there. */
  areMissing: boolean;
  sources: readonly ReadSource[];
  /** The sources that did not arrive, without those that the provider leaves out: no evidence that somebody is in no group. */
  unproven: readonly string[];
  /** Those that may grant something. */
  values: readonly string[];
  /** Those that may deny something: all that stand anywhere under any of the sources. Prepared when a rule first asks. */
  everywhere(): readonly DeniableText[];
  note?: string;
}

/** A source as it arrived. */
export interface ReadSource {
  /** As the mapping has it: a name, `DEFAULTS` or `NAME_ID`. */
  from: string;
  /** None for the NameID. */
  names: readonly Name[];
  hasArrived: boolean;
  /** Without empty ones and surrounding white space. */
  places: readonly Place[];
}

const UUID_LENGTH = 36;
/** In characters, of all groups together. */
const MAX_GROUPS_LENGTH = MAX_GROUPS * UUID_LENGTH;

const JOINED_NOTE =
  'Several groups arrived as one text: have the provider send one Attribute for each value.';
const TOO_LONG = {
  known: false,
  areMissing: true,
  values: [],
  everywhere: () => [],
  note: `There are more than ${MAX_GROUPS} groups, or more than ${MAX_GROUPS_LENGTH} characters in them, so they are not read.`,
};

/** Makes a function that reads the groups from all of the sources together. */
export function groupReader(
  { from, absent, required, separate }: GroupSources,
  defaults: DefaultNames,
): (reader: RuleReader) => ProviderGroups {
  const readers = from.map((source) => sourceReader(source, defaults));

  return (reader) => {
    const sources = readers.map((read) => read(reader));
    const places = sources.flatMap((source) => source.places);
    const missing = sources.filter(({ hasArrived }) => !hasArrived).map(({ from }) => from);
    const unproven = missing.filter((name) => !absent.includes(name));
    if (places.length > MAX_GROUPS || lengthOf(places) > MAX_GROUPS_LENGTH)
      return { ...TOO_LONG, sources, unproven };

    const isCut = sources.some(({ names }) => names.some((name) => reader.hasOverage(name)));
    const known = !isCut && !(required && missing.length > 0);
    const texts = places.filter(isUsed).map(({ text }) => text);
    const values = texts.flatMap(splitUuids);
    let prepared: DeniableText[] | undefined;
    return {
      known,
      areMissing: !known || missing.length === sources.length,
      sources,
      unproven,
      values: [...new Set(values)],
      everywhere() {
        prepared ??= places.flatMap((place) => parted(place, separate)).map(deniable);
        return prepared;
      },
      ...(values.length > texts.length && { note: JOINED_NOTE }),
    };
  };
}

function sourceReader(source: Source, defaults: DefaultNames): (reader: RuleReader) => ReadSource {
  if ((source as { use?: string }).use === 'nameId') return readNameId;
  const names = sourceNames(source, defaults, 'groups');
  const from = typeof source === 'string' ? source : 'DEFAULTS';
  return (reader) => ({
    from,
    names,
    // Of the names that stand for the defaults, one is enough.
    hasArrived: names.some((name) => reader.has(name)),
    places: trimmedPlaces(reader.places(names).toArray()),
  });
}

function readNameId({ nameId }: RuleReader): ReadSource {
  return {
    from: 'NAME_ID',
    names: [],
    hasArrived: nameId !== null,
    places: trimmedPlaces(nameIdPlaces(nameId)),
  };
}

export function sourceNames(
  source: Source,
  defaults: DefaultNames,
  kind: 'groups' | 'scoped_affiliation',
): readonly Name[] {
  if (typeof source === 'string') return namesOf(...defaults.expand(source));
  return source.use === 'defaults' ? defaults[kind] : [];
}

function trimmedPlaces(places: readonly Place[]): Place[] {
  return places.map((place) => ({ ...place, text: place.text.trim() })).filter(({ text }) => text !== '');
}

/** A UUID that was split off concatenated ones is one whole value. */
function parted(place: Place, separate: boolean): Place[] {
  const parts = splitUuids(place.text);
  const isValue = separate || (place.form === 'joinable' && parts.length > 1);
  return parts.map((text) => ({ ...place, text, form: isValue ? 'value' : place.form }));
}

/** A text made wholly of UUIDs is split, any other left as it is. */
export function splitUuids(text: string): string[] {
  if (text.length % UUID_LENGTH !== 0) return [text];
  const parts = Array.from({ length: text.length / UUID_LENGTH }, (_, index) =>
    text.slice(index * UUID_LENGTH, (index + 1) * UUID_LENGTH),
  );
  return parts.every((part) => UUID.test(part)) ? parts : [text];
}

function lengthOf(places: readonly Place[]): number {
  return places.reduce((length, { text }) => length + text.length, 0);
}
