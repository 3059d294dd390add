/** From the groups that the provider names to the user groups of the service. */

import type { GroupsTrace, SourceTrace } from './decision.ts';
import { type DeniableText, deniable } from './deniedGroups.ts';
import { groupMatcher } from './groupMatcher.ts';
import type { Group } from './mappingSchema.ts';
import {
  type DefaultNames,
  type FoundText,
  NAME_ID_PATH,
  type Name,
  namesOf,
  type Place,
  type Reader,
  type Source,
} from './reader.ts';

export interface GroupsSpec {
  from: readonly Source[];
  required: boolean;
  unknown: 'error' | 'none';
  /** Whether the provider is known to send one value a text. */
  separate: boolean;
  table: readonly GroupRow[];
}

interface GroupRow {
  group: Group;
  uuid: string;
}

/** What the provider says of the person's groups. */
export interface ProviderGroups {
  /** False where the provider does not say, which is not the same as none. */
  known: boolean;
  /** Whether the provider does not say, or none of the sources is there. */
  areMissing: boolean;
  /** Those that may grant something. */
  values: readonly string[];
  /** Those that may deny something: all that stand anywhere under any of the sources. Prepared when a rule first asks. */
  everywhere(): readonly DeniableText[];
  note?: string;
}

/** In characters, of all groups together. Directories name some thousand groups at most. */
const MAX_GROUPS_LENGTH = 262_144;

// Stryker disable next-line Regex: it is asked of parts of its length, which need no anchors.
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;
const JOINED_NOTE =
  'Several groups arrived as one text: have the provider send one Attribute for each value.';
const TOO_LONG_NOTE = `The groups have more than ${MAX_GROUPS_LENGTH} characters together: they are not read.`;
const TOO_LONG: ProviderGroups = {
  known: false,
  areMissing: true,
  values: [],
  everywhere: () => [],
  note: TOO_LONG_NOTE,
};

/** Makes a function that reads the groups from all of the sources together. */
export function groupReader(
  { from, required, separate }: Omit<GroupsSpec, 'unknown' | 'table'>,
  defaults: DefaultNames,
): (reader: Reader) => ProviderGroups {
  const lists = from.map((source) => sourceNames(source, defaults, 'groups'));
  const names = lists.flat();
  const usesNameId = from.some(isNameId);

  return (reader) => {
    const nameId = usesNameId && reader.nameId ? [reader.nameId.trim()] : [];
    const texts = [...lists.flatMap((list) => reader.all(list)), ...nameId];
    const everywhere = [
      ...reader.everywhere(names),
      ...nameId.map((text) => ({ text, mayBeConcatenated: true })),
    ];
    if (lengthOf(everywhere) > MAX_GROUPS_LENGTH) return TOO_LONG;
    let deniableTexts: DeniableText[] | undefined;
    const values = texts.flatMap(splitUuids);
    // Of the names that stand for the defaults, one is enough.
    const isComplete = lists.every((list) => list.length === 0 || list.some((name) => reader.has(name)));
    const known = (isComplete || !required) && !names.some((name) => reader.hasOverage(name));
    return {
      known,
      areMissing: !known || (texts.length === 0 && !names.some((name) => reader.has(name))),
      values: [...new Set(values)],
      everywhere() {
        deniableTexts ??= everywhere.flatMap(splitTexts(separate)).map(deniable);
        return deniableTexts;
      },
      ...(values.length > texts.length && { note: JOINED_NOTE }),
    };
  };
}

/** Makes a function from the provider's groups to user groups. Groups that match nothing are left out, and counted. */
export function groupTable(table: GroupsSpec['table']) {
  const matching = groupMatcher(table.map(({ group }) => group));
  return ({ known, values, note }: ProviderGroups) => {
    const uuids = new Set<string>();
    let mapped = 0;
    for (const value of values) {
      const { matches } = matching(value);
      if (matches.length > 0) mapped += 1;
      for (const index of matches) uuids.add((table[index] as GroupRow).uuid);
    }
    const trace: GroupsTrace = { known, received: values.length, mapped, unmatched: values.length - mapped };
    return { user_group_uuids: [...uuids], trace: note === undefined ? trace : { ...trace, note } };
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

/** A UUID that was split off is one whole value. */
function splitTexts(separate: boolean) {
  return ({ text, mayBeConcatenated }: FoundText): FoundText[] => {
    const parts = splitUuids(text);
    const isUnclear = mayBeConcatenated && !separate && parts.length === 1;
    return parts.map((part) => ({ text: part, mayBeConcatenated: isUnclear }));
  };
}

/** A text made wholly of UUIDs is split, any other left as it is. An empty one holds no group. */
function splitUuids(text: string): string[] {
  if (text.length % UUID_LENGTH !== 0) return [text];
  const parts = Array.from({ length: text.length / UUID_LENGTH }, (_, index) =>
    text.slice(index * UUID_LENGTH, (index + 1) * UUID_LENGTH),
  );
  return parts.every((part) => UUID.test(part)) ? parts : [text];
}

function lengthOf(texts: readonly FoundText[]): number {
  return texts.reduce((length, { text }) => length + text.length, 0);
}

type GroupDetails = Required<Pick<GroupsTrace, 'sources' | 'table' | 'values'>>;

/** As the trace calls it. */
const NAME_ID_NAME = 'NameID';

/** A log record stays short, however many groups there are. */
const MAX_VALUES = 50;

/**
 * What the trace says of groups at level DEBUG: what each source gave, and which rows of the table each group matched.
 *
 * @param path where the table stands in the mapping
 */
export function groupDetails(
  { from, table, path }: Pick<GroupsSpec, 'from' | 'table'> & { path: string },
  defaults: DefaultNames,
): (reader: Reader, groups: ProviderGroups) => GroupDetails {
  // Made where it is needed: most functions never trace at this level.
  let made: ReturnType<typeof groupMatcher> | undefined;
  const matching = (value: string) => {
    made ??= groupMatcher(table.map(({ group }) => group));
    return made(value);
  };
  const rowsOf = (text: string) => [...new Set(splitUuids(text).flatMap((value) => matching(value).matches))];

  return (reader, { values }) => {
    const read = from.map((source) => ({ source, places: placesOf(reader, source, defaults), defaults }));
    // Groups that are too long to be read have no values.
    const used =
      values.length === 0
        ? []
        : read
            .flatMap(({ places }) => places)
            .filter(isGroup)
            .slice(0, MAX_VALUES);
    return {
      sources: read.flatMap((one) => sourceTraces(reader, one)),
      table: { path, rows: countOf(values.flatMap(rowsOf)) },
      values: used.map(({ path, text }) => ({ path, rows: rowsOf(text.trim()) })),
    };
  };
}

function placesOf(reader: Reader, source: Source, defaults: DefaultNames): Place[] {
  if (!isNameId(source)) return reader.places(sourceNames(source, defaults, 'groups'));
  const text = reader.nameId ?? '';
  return [{ name: NAME_ID_NAME, path: NAME_ID_PATH, text, isUsed: true }];
}

interface ReadSource {
  source: Source;
  places: readonly Place[];
  defaults: DefaultNames;
}

function sourceTraces(reader: Reader, { source, places, defaults }: ReadSource): SourceTrace[] {
  const from = typeof source === 'string' ? source : { defaults: 'DEFAULTS', nameId: 'NAME_ID' }[source.use];
  if (isNameId(source)) {
    const count = places.filter(isGroup).length;
    return [{ from, name: NAME_ID_NAME, gave: count > 0 ? 'groups' : 'absent', count }];
  }
  return sourceNames(source, defaults, 'groups').map((name) => {
    const own = places.filter((place) => place.name === name.name && place.text.trim() !== '');
    const count = own.filter(isGroup).length;
    const gave = (): SourceTrace['gave'] => {
      if (reader.hasOverage(name)) return 'overage';
      if (count > 0) return 'groups';
      if (own.length > 0) return 'unused';
      return reader.has(name) ? 'empty' : 'absent';
    };
    return { from, name: name.name, gave: gave(), count };
  });
}

/** A name has no `use`. */
function isNameId(source: Source): source is { use: 'nameId' } {
  return (source as { use?: string }).use === 'nameId';
}

function isGroup({ text, isUsed }: Place): boolean {
  return isUsed && text.trim() !== '';
}

function countOf(rows: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row] = (counts[row] ?? 0) + 1;
  return counts;
}
