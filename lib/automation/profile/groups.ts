/** From the groups that the provider names to the user groups of the service. */
import { isAtOrBelow, parseDistinguishedName } from './distinguishedName.ts';
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
  const names = lists.flat();
  const usesNameId = from.some((source) => typeof source !== 'string' && source.use === 'nameId');

  return (received: Received): ReceivedGroups => {
    const texts = lists.flatMap((list) => valuesOf(received, list));
    if (usesNameId && received.nameId) texts.push(received.nameId);
    const values = texts.flatMap((text) => (GLUED_UUIDS.test(text) ? splitUuids(text) : [text]));
    const isMissing = required && texts.length === 0 && !names.some((name) => received.has(name));
    return {
      known: !isMissing && !names.some((name) => received.isWithheld(name)),
      values: [...new Set(values)],
      glued: values.length > texts.length,
    };
  };
}

/** Makes user groups of groups; those that match nothing are left out, and counted. */
export function groupTable(table: GroupsSpec['table']) {
  const entries = table.map(({ group, uuid }) => ({ matches: matcherOf(group), uuid }));
  return ({ known, values, glued }: ReceivedGroups) => {
    const uuids = new Set<string>();
    let mapped = 0;
    for (const value of values) {
      const matching = entries.filter(({ matches }) => matches(value));
      if (matching.length > 0) mapped += 1;
      for (const { uuid } of matching) uuids.add(uuid);
    }
    const trace: GroupsTrace = { known, received: values.length, mapped, unmatched: values.length - mapped };
    return { user_group_uuids: [...uuids], trace: glued ? { ...trace, note: GLUED_NOTE } : trace };
  };
}

/** Whether a group is the one that is meant. Text is compared whole, or its beginning where a prefix is given. */
export function matcherOf(group: Group): (value: string) => boolean {
  if (typeof group === 'string') return (value) => value === group;
  if ('prefix' in group) return (value) => value.startsWith(group.prefix);
  const wanted = parseDistinguishedName('dn' in group ? group.dn : group.dn_suffix) ?? [];
  return (value) => {
    const name = parseDistinguishedName(value);
    if (name === null) return false;
    return isAtOrBelow(name, wanted) && ('dn_suffix' in group || name.length === wanted.length);
  };
}

/** All texts under these names, empty ones left out. */
export function valuesOf(received: Received, names: readonly Name[]): string[] {
  const values: string[] = [];
  received.first(names, (value) => {
    if (value !== '') values.push(value);
    return null;
  });
  return values;
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
