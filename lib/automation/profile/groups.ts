/** From the groups that the provider names to the user groups of the service. */
import { parseDistinguishedName } from './distinguishedName.ts';
import type { Group } from './mapping.ts';
import { type DefaultNames, type Name, namesOf } from './names.ts';
import type { Received } from './received.ts';
import type { Source } from './sources.ts';
import type { GroupsTrace } from './trace.ts';

export interface GroupsSpec {
  from: readonly Source[];
  required: boolean;
  unknown: 'error' | 'none';
  table: readonly { group: Group; uuid: string }[];
}

/** What the provider said of the person's groups; `known` false where it did not say, which is not "none". */
export interface ReceivedGroups {
  known: boolean;
  values: string[];
  /** Whether values arrived glued together. */
  glued: boolean;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const UUID_LENGTH = 36;
const GLUED_UUIDS = new RegExp(`^(?:${UUID}){2,}$`, 'i');
const GLUED_NOTE = 'Several groups arrived as one text: have the provider send one Attribute for each value.';

/** Reads the groups from all of the sources together. */
export function groupReader(
  { from, required }: Pick<GroupsSpec, 'from' | 'required'>,
  defaults: DefaultNames,
) {
  const lists = from.map((source) => sourceNames(source, defaults.groups));
  const usesNameId = from.some((source) => typeof source !== 'string' && source.use === 'nameId');

  return (received: Received): ReceivedGroups => {
    const texts = lists.flatMap((list) => received.all(list));
    if (usesNameId && received.nameId) texts.push(received.nameId);
    const values = texts.flatMap((text) => (GLUED_UUIDS.test(text) ? splitUuids(text) : [text]));
    // Of the names that stand for the defaults, one is enough.
    const isComplete = lists.every((list) => list.length === 0 || list.some((name) => received.has(name)));
    return {
      known: (isComplete || !required) && !lists.flat().some((name) => received.isWithheld(name)),
      values: [...new Set(values)],
      glued: values.length > texts.length,
    };
  };
}

/** Makes user groups of groups; those that match nothing are left out, and counted. */
export function groupTable(table: GroupsSpec['table']) {
  const entriesOf = groupMatcher(table.map(({ group }) => group));
  return ({ known, values, glued }: ReceivedGroups) => {
    const uuids = new Set<string>();
    let mapped = 0;
    for (const value of values) {
      const { matches } = entriesOf(value);
      if (matches.length > 0) mapped += 1;
      for (const index of matches) uuids.add(table[index]?.uuid ?? '');
    }
    const trace: GroupsTrace = { known, received: values.length, mapped, unmatched: values.length - mapped };
    return { user_group_uuids: [...uuids], trace: glued ? { ...trace, note: GLUED_NOTE } : trace };
  };
}

export interface Matching {
  /** Which of the groups a value is. */
  matches: number[];
  /** Whether the value might be one that is meant by a distinguished name, and cannot be read as one. */
  isUnreadable: boolean;
}

/**
 * Tells which of these groups a value is. Text is compared whole, or its beginning where a prefix is given;
 * distinguished names by their parts. Each value is read once, however many groups there are.
 */
export function groupMatcher(groups: readonly Group[]): (value: string) => Matching {
  const exact = new Map<string, number[]>();
  const names = new Map<string, number[]>();
  const suffixes = new Map<string, number[]>();
  const prefixes: [string, number][] = [];
  for (const [index, group] of groups.entries()) {
    if (typeof group === 'string') add(exact, group, index);
    else if ('prefix' in group) prefixes.push([group.prefix, index]);
    else if ('dn' in group) add(names, keyOf(parseDistinguishedName(group.dn)), index);
    else add(suffixes, keyOf(parseDistinguishedName(group.dn_suffix)), index);
  }
  const readsNames = names.size + suffixes.size > 0;

  return (value) => {
    const matches = [...(exact.get(value) ?? [])];
    for (const [prefix, index] of prefixes) if (value.startsWith(prefix)) matches.push(index);
    if (!readsNames || !value.includes('=')) return { matches, isUnreadable: false };
    const parts = parseDistinguishedName(value);
    if (parts === null) return { matches, isUnreadable: true };
    matches.push(...(names.get(keyOf(parts)) ?? []));
    for (const index of parts.keys()) matches.push(...(suffixes.get(keyOf(parts.slice(index))) ?? []));
    return { matches, isUnreadable: false };
  };
}

function add(map: Map<string, number[]>, key: string, index: number): void {
  map.set(key, [...(map.get(key) ?? []), index]);
}

/** Parts have their commas escaped: joined, they are still apart. */
function keyOf(parts: string[] | null): string {
  return parts?.join(',') ?? '';
}

export function sourceNames(source: Source, defaults: readonly Name[]): readonly Name[] {
  if (typeof source === 'string') return namesOf(source);
  return source.use === 'defaults' ? defaults : [];
}

function splitUuids(glued: string): string[] {
  return Array.from({ length: glued.length / UUID_LENGTH }, (_, index) =>
    glued.slice(index * UUID_LENGTH, (index + 1) * UUID_LENGTH),
  );
}
