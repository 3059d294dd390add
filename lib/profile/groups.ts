/** From the groups that the provider names to the user groups of the service. */

import type { GroupsTrace } from './decision.ts';
import { type DeniableText, deniable } from './deniedGroups.ts';
import { groupMatcher } from './groupMatcher.ts';
import type { Group } from './mappingSchema.ts';
import { type DefaultNames, type FoundText, type Name, namesOf, type Reader, type Source } from './reader.ts';

export interface GroupsSpec {
  from: readonly Source[];
  required: boolean;
  unknown: 'error' | 'none';
  /** Whether the provider is known to send one value a text. */
  separate: boolean;
  table: readonly { group: Group; uuid: string }[];
}

/** What the provider says of the person's groups. */
export interface ProviderGroups {
  /** False where the provider does not say, which is not the same as none. */
  known: boolean;
  /** Those that may grant something. */
  values: readonly string[];
  /** Those that may deny something: all that stand anywhere under any of the sources. Prepared when a rule first asks. */
  everywhere(): readonly DeniableText[];
  note?: string;
}

/** In characters, of all groups together. Directories name some thousand groups at most. */
const MAX_GROUPS_LENGTH = 262_144;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const UUID_LENGTH = 36;
const JOINED_NOTE =
  'Several groups arrived as one text: have the provider send one Attribute for each value.';
const TOO_LONG_NOTE = `The groups have more than ${MAX_GROUPS_LENGTH} characters together: they are not read.`;
const TOO_LONG: ProviderGroups = { known: false, values: [], everywhere: () => [], note: TOO_LONG_NOTE };

/** Makes a function that reads the groups from all of the sources together. */
export function groupReader(
  { from, required, separate }: Omit<GroupsSpec, 'unknown' | 'table'>,
  defaults: DefaultNames,
): (reader: Reader) => ProviderGroups {
  const lists = from.map((source) => sourceNames(source, defaults, 'groups'));
  const names = lists.flat();
  const usesNameId = from.some((source) => typeof source !== 'string' && source.use === 'nameId');

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
    return {
      known: (isComplete || !required) && !names.some((name) => reader.hasOverage(name)),
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
      for (const index of matches) uuids.add(table[index]?.uuid ?? '');
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

/** A text made wholly of UUIDs is split, any other left as it is. */
export function splitUuids(text: string): string[] {
  if (text.length === 0 || text.length % UUID_LENGTH !== 0) return [text];
  const parts = Array.from({ length: text.length / UUID_LENGTH }, (_, index) =>
    text.slice(index * UUID_LENGTH, (index + 1) * UUID_LENGTH),
  );
  return parts.every((part) => UUID.test(part)) ? parts : [text];
}

function lengthOf(texts: readonly FoundText[]): number {
  return texts.reduce((length, { text }) => length + text.length, 0);
}
