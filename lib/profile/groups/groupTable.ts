/** From the groups that the provider names to the user groups of the service, and what the trace says of both. */
import { MAX_NAME_LENGTH } from '../../text.ts';
import { arrivedOtherwise } from '../fields/nearestName.ts';
import { friendlyNameNote, type Note, nearMisses, nearNote } from '../fields/nearMiss.ts';
import { isUsed, NAME_ID_NAME, type Name, type RuleReader } from '../fields/reader.ts';
import type { Group, ParsedGroups } from '../schema/mappingSchema.ts';
import type { PlacedGroups } from '../schema/ofIssuer.ts';
import { joinedNote } from './joinedTexts.ts';
import { groupMatcher } from './matchGroups.ts';
import {
  friendlyOnly,
  NAME_CURE,
  type ProviderGroups,
  type ReadOccurrence,
  type ReadSource,
} from './readGroups.ts';

/** The rows that each group matched, by their indexes. Groups that match nothing give nothing. */
type MatchedRows = ReadonlyMap<string, readonly number[]>;

export interface GroupsTrace {
  /** False where the provider did not say, which is not the same as none. */
  known: boolean;
  received: number;
  mapped: number;
  unmatched: number;
  /** What is odd about the groups, or kept a rule about them from allowing the login, and what the operator can do about it. */
  note?: string;
  /** At level DEBUG, what each name gave under which groups are looked up, in the order of `groups.from`. */
  sources?: SourceTrace[];
  /**
   * At level DEBUG, where the table stands in the mapping, how many groups matched a row of it, by the row's index, and what the
   * first 50 of these rows that have a name call their user groups.
   */
  table?: {
    path: string;
    rows: Record<string, number>;
    names?: { row: number; uuid: string; name: string }[];
  };
  /** At level DEBUG, where each of the first 50 groups stands, and the indexes of the rows that it matched. */
  values?: { path: string; rows: number[] }[];
  /** At level DEBUG, the user groups of each person who gets in, and where the mapping has them; left out where it has none. */
  everybody?: { path: string; uuids: readonly string[] };
}

export interface SourceTrace {
  /** The entry of `groups.from`: a name, `DEFAULTS` or `NAME_ID`. */
  from: string;
  /** One of the names that it stands for. */
  name: string;
  /**
   * `unused`: other texts go before its own, such as those by Name before those by FriendlyName. `overage`: the provider left
   * groups out. `other_form`: it sent them, or some, in a form that is not read.
   */
  gave: 'groups' | 'absent' | 'empty' | 'unused' | 'overage' | 'other_form';
  count: number;
}

/** Makes a function that finds the rows of the table that each group matches. */
export function groupTable(table: ParsedGroups['table']): (groups: ProviderGroups) => MatchedRows {
  const matching = groupMatcher(table.map(({ group }) => group));
  return ({ values }) => new Map(values.map((value) => [value, matching(value).matches]));
}

/** What to do where a text holds a wanted group beside others, or misses one by little, and grants nothing. */
export function joinedGroups(wanted: readonly Group[]): (groups: ProviderGroups) => Note {
  const matching = groupMatcher(wanted);
  const isWanted = (group: string) => matching(group).matches.length > 0;
  return ({ known, used, values }) => {
    const found = new Set(values.flatMap((value) => matching(value).matches));
    const missed = wanted.filter((_, index) => !found.has(index));
    const texts = used.flatMap(({ groups, isOnly, shape }) => {
      const isWhole = isOnly && shape === 'maybe-joined' && groups.length === 1;
      return groups.map((text) => ({ text, isOnly, isWhole }));
    });
    const unwanted = known ? texts.filter(({ text }) => !isWanted(text)) : [];
    const arrived = unwanted.map(({ text }) => text);
    const near = nearMisses(missed, arrived);
    const whole = missed
      .filter((one) => typeof one === 'string' || !('prefix' in one))
      .flatMap((one) => (typeof one === 'string' ? one : Object.values<string>(one)));
    const isInside = (text: string) =>
      text.length <= MAX_NAME_LENGTH && whole.some((one) => text.includes(one));
    const isHidden = near.length === 0 && unwanted.some(({ text, isWhole }) => isWhole && isInside(text));
    const joined = joinedNote(unwanted, isWanted, 'groups.separator');
    return nearNote(near, joined ?? (isHidden ? { note: NO_SEPARATOR } : undefined));
  };
}

/** Of the one text of an attribute: some services concatenate several values. */
const NO_SEPARATOR =
  'A text contains a wanted group beside something else: if it is several groups, have the provider send one Attribute for each value.';

/**
 * Of sources in whose place a similar name arrived, and of those that arrived by FriendlyName alone.
 *
 * @param known names of all sources
 */
export function sourceNotes(
  { sources }: ProviderGroups,
  reader: RuleReader,
  known: readonly unknown[],
): Note[] {
  const isUnread = (name: Name) => reader.hasOverage(name) || reader.otherForm(name) !== null;
  // Of those that arrived in another form, or are left out as too many, more is said.
  const absent = sources.filter(({ hasArrived, names }) => !hasArrived && !names.some(isUnread));
  const names = absent.map(({ from }) => from);
  return [
    arrivedOtherwise(names, reader, NAME_CURE, known),
    ...friendlyOnly(sources).map((one) => friendlyNameNote(one.name, one)),
  ];
}

/** A log record stays short, however many groups there are. */
const MAX_VALUES = 50;

/** @param details where the groups stand in the mapping; null above level DEBUG */
export function groupsTrace(
  reader: RuleReader,
  { known, values, note, sources, used }: ProviderGroups,
  rows: MatchedRows,
  details: PlacedGroups | null,
): GroupsTrace {
  const received = values.length;
  const mapped = [...rows.values()].filter(({ length }) => length > 0).length;
  const counts = {
    known,
    received,
    mapped,
    unmatched: received - mapped,
    ...(note !== undefined && { note }),
  };
  if (details === null) return counts;
  const { path, table, everybody } = details;
  const rowsOf = ({ groups }: ReadOccurrence) => new Set(groups.flatMap((group) => rows.get(group) ?? []));
  return {
    ...counts,
    sources: sources.flatMap((source) => sourceTraces(reader, source)),
    table: { path: `${path}.table`, ...matchedRows(table, [...rows.values()].flat()) },
    values: used.slice(0, MAX_VALUES).map((one) => ({ path: one.path, rows: [...rowsOf(one)] })),
    ...(everybody.length > 0 && {
      everybody: { path: `${path}.everybody`, uuids: everybody.slice(0, MAX_VALUES) },
    }),
  };
}

function sourceTraces(reader: RuleReader, { from, names, occurrences }: ReadSource): SourceTrace[] {
  if (names.length === 0) {
    const gave = occurrences.length > 0 ? 'groups' : 'absent';
    return [{ from, name: NAME_ID_NAME, gave, count: occurrences.length }];
  }
  return names.map((name) => {
    const own = occurrences.filter((occurrence) => occurrence.name === name.name);
    const count = own.filter(isUsed).flatMap(({ groups }) => groups).length;
    const gave = (): SourceTrace['gave'] => {
      if (reader.hasOverage(name)) return 'overage';
      if (reader.otherForm(name)) return 'other_form';
      if (count > 0) return 'groups';
      if (own.length > 0) return 'unused';
      return reader.has(name) ? 'empty' : 'absent';
    };
    return { from, name: name.name, gave: gave(), count };
  });
}

function matchedRows(
  table: ParsedGroups['table'],
  matched: readonly number[],
): Pick<NonNullable<GroupsTrace['table']>, 'rows' | 'names'> {
  const rows: Record<string, number> = {};
  for (const row of matched) rows[row] = (rows[row] ?? 0) + 1;
  const names = table.flatMap(({ uuid, name }, row) => (name && row in rows ? [{ row, uuid, name }] : []));
  return { rows, ...(names.length > 0 && { names: names.slice(0, MAX_VALUES) }) };
}
