/** From the groups that the provider names to the user groups of the service, and what the trace says of both. */
import type { GroupsTrace, SourceTrace } from './decision.ts';
import { groupMatcher } from './groupMatcher.ts';
import { type ProviderGroups, type ReadSource, splitUuids } from './groups.ts';
import type { Group } from './mappingSchema.ts';
import { isUsed, NAME_ID_NAME, type RuleReader } from './reader.ts';

export interface GroupRow {
  group: Group;
  uuid: string;
  /** For people who look at logins: the response has the UUID alone. */
  name?: string | undefined;
}

export interface MappedGroups {
  user_group_uuids: string[];
  /** The rows that each group matched. */
  rows: ReadonlyMap<string, readonly number[]>;
  trace: GroupsTrace;
}

/** Makes a function from the provider's groups to user groups. Groups that match nothing are left out, and counted. */
export function groupTable(table: readonly GroupRow[]): (groups: ProviderGroups) => MappedGroups {
  const matching = groupMatcher(table.map(({ group }) => group));
  return ({ known, values, note }) => {
    const rows = new Map(values.map((value) => [value, matching(value).matches]));
    const matched = [...rows.values()].filter(({ length }) => length > 0);
    const uuids = matched.flat().map((index) => (table[index] as GroupRow).uuid);
    const [received, mapped] = [values.length, matched.length];
    return {
      user_group_uuids: [...new Set(uuids)],
      rows,
      trace: { known, received, mapped, unmatched: received - mapped, ...(note !== undefined && { note }) },
    };
  };
}

/** By user group, the rows that give it. */
export function grantingRows(
  table: readonly GroupRow[],
  { rows }: MappedGroups,
  path: string,
): Record<string, string[]> {
  const matched = new Set([...rows.values()].flat());
  const granting: Record<string, string[]> = {};
  for (const [index, { uuid }] of table.entries()) {
    if (!matched.has(index)) continue;
    granting[uuid] ??= [];
    granting[uuid].push(`${path}[${index}]`);
  }
  return granting;
}

/** A log record stays short, however many groups there are. */
const MAX_VALUES = 50;

/**
 * What the trace says at level DEBUG: what each source gave, and which rows of the table each group matched.
 *
 * @param path where the groups stand in the mapping
 */
export function groupDetails(
  reader: RuleReader,
  { sources }: ProviderGroups,
  { rows }: MappedGroups,
  { path, table }: { path: string; table: readonly GroupRow[] },
): Required<Pick<GroupsTrace, 'sources' | 'table' | 'values'>> {
  const rowsOf = (text: string) => [...new Set(splitUuids(text).flatMap((value) => rows.get(value) ?? []))];
  const used = sources.flatMap(({ places }) => places.filter(isUsed)).slice(0, MAX_VALUES);
  return {
    sources: sources.flatMap((source) => sourceTraces(reader, source)),
    table: { path: `${path}.table`, ...matchedRows(table, [...rows.values()].flat()) },
    values: used.map(({ path, text }) => ({ path, rows: rowsOf(text) })),
  };
}

function sourceTraces(reader: RuleReader, { from, names, places }: ReadSource): SourceTrace[] {
  if (names.length === 0) {
    const gave = places.length > 0 ? 'groups' : 'absent';
    return [{ from, name: NAME_ID_NAME, gave, count: places.length }];
  }
  return names.map((name) => {
    const own = places.filter((place) => place.name === name.name);
    const count = own.filter(isUsed).length;
    const gave = (): SourceTrace['gave'] => {
      if (reader.hasOverage(name)) return 'overage';
      if (count > 0) return 'groups';
      if (own.length > 0) return 'unused';
      return reader.has(name) ? 'empty' : 'absent';
    };
    return { from, name: name.name, gave: gave(), count };
  });
}

function matchedRows(
  table: readonly GroupRow[],
  matched: readonly number[],
): Pick<NonNullable<GroupsTrace['table']>, 'rows' | 'names'> {
  const rows: Record<string, number> = {};
  for (const row of matched) rows[row] = (rows[row] ?? 0) + 1;
  const names = table.flatMap(({ uuid, name }, row) => (name && row in rows ? [{ row, uuid, name }] : []));
  return { rows, ...(names.length > 0 && { names: names.slice(0, MAX_VALUES) }) };
}
