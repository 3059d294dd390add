/** What the trace says of groups at level DEBUG: what each source gave, and which rows of the table each group matched. */

import type { GroupsTrace, SourceTrace } from './decision.ts';
import { groupMatcher } from './groupMatcher.ts';
import { type GroupsSpec, type ProviderGroups, sourceNames, splitUuids } from './groups.ts';
import { type DefaultNames, NAME_ID_PATH, type Place, type Reader, type Source } from './reader.ts';

type GroupDetails = Required<Pick<GroupsTrace, 'sources' | 'table' | 'values'>>;

/** A log record stays short, however many groups there are. */
const MAX_VALUES = 50;

/** @param path where the table stands in the mapping */
export function groupDetails(
  { from, table, path }: Pick<GroupsSpec, 'from' | 'table'> & { path: string },
  defaults: DefaultNames,
): (reader: Reader, groups: ProviderGroups) => GroupDetails {
  // Made where it is needed: most functions never trace at this level.
  let matching: ReturnType<typeof groupMatcher> | undefined;
  const rowsOf = (text: string) => {
    matching ??= groupMatcher(table.map(({ group }) => group));
    return [...new Set(splitUuids(text).flatMap((value) => matching?.(value).matches ?? []))];
  };

  return (reader, { values }) => {
    const places = from.map((source) => placesOf(reader, source, defaults));
    // Groups that are too long to be read have no values.
    const used = values.length === 0 ? [] : places.flat().filter(isGroup).slice(0, MAX_VALUES);
    return {
      sources: from.flatMap((source, index) =>
        sourceTraces(reader, { source, places: places[index] ?? [], defaults }),
      ),
      table: { path, rows: countOf(values.flatMap(rowsOf)) },
      values: used.map(({ path, text }) => ({ path, rows: rowsOf(text.trim()) })),
    };
  };
}

function placesOf(reader: Reader, source: Source, defaults: DefaultNames): Place[] {
  if (!isNameId(source)) return reader.places(sourceNames(source, defaults, 'groups'));
  const text = reader.nameId ?? '';
  return [{ name: 'NameID', path: NAME_ID_PATH, text, isUsed: true }];
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
    return [{ from, name: 'NameID', gave: count > 0 ? 'groups' : 'absent', count }];
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

function isNameId(source: Source): source is { use: 'nameId' } {
  return typeof source !== 'string' && source.use === 'nameId';
}

function isGroup({ text, isUsed }: Place): boolean {
  return isUsed && text.trim() !== '';
}

function countOf(rows: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[row] = (counts[row] ?? 0) + 1;
  return counts;
}
