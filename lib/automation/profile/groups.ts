/** From the groups that the provider names to the user groups of the service. */
import { isAtOrBelow, parseDistinguishedName } from './distinguishedName.ts';
import type { Group, Source } from './mapping.ts';
import type { Finding, Received } from './received.ts';
import type { GroupsTrace } from './trace.ts';

export interface GroupsPlan {
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
export const GLUED_NOTE =
  'Several groups arrived as one text. Have the provider send one Attribute for each value.';

export function receiveGroups(
  received: Received,
  from: readonly Source[],
  required: boolean,
): ReceivedGroups {
  const findings = from.flatMap((source) => [...findIn(received, source)]);
  const texts = findings.map(({ value }) => value).filter((value) => value !== '');
  const withheld = namesOf(received, from).some((name) => received.isWithheld(name));
  const values = texts.flatMap((value) => (GLUED_UUIDS.test(value) ? splitUuids(value) : [value]));
  return {
    known: !withheld && (texts.length > 0 || !required || isPresent(received, from)),
    values: [...new Set(values)],
    glued: values.length > texts.length,
  };
}

/** The user groups that follow; groups that match nothing are left out, and counted. */
export function mapGroups({ known, values, glued }: ReceivedGroups, table: GroupsPlan['table']) {
  const entries = table.map(({ group, uuid }) => ({ matches: matcherOf(group), uuid }));
  const uuids = new Set<string>();
  let mapped = 0;
  for (const value of values) {
    const matching = entries.filter(({ matches }) => matches(value));
    if (matching.length > 0) mapped += 1;
    for (const { uuid } of matching) uuids.add(uuid);
  }
  const trace: GroupsTrace = { known, received: values.length, mapped, unmatched: values.length - mapped };
  if (glued) trace.note = GLUED_NOTE;
  return { uuids: [...uuids], trace };
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

function findIn(received: Received, source: Source): Iterable<Finding> {
  if (typeof source === 'string') return received.find([source]);
  const nameId = source.use === 'nameId' ? received.nameId() : null;
  return source.use === 'defaults' ? received.find(received.defaults.groups) : nameId ? [nameId] : [];
}

/** A list that is there and empty says that there are none. */
function isPresent(received: Received, from: readonly Source[]): boolean {
  return namesOf(received, from).some((name) => received.has(name));
}

function namesOf(received: Received, from: readonly Source[]): readonly string[] {
  return from.flatMap((source) => {
    if (typeof source === 'string') return [source];
    return source.use === 'defaults' ? received.defaults.groups : [];
  });
}

function splitUuids(glued: string): string[] {
  return Array.from({ length: glued.length / UUID_LENGTH }, (_, index) =>
    glued.slice(index * UUID_LENGTH, (index + 1) * UUID_LENGTH),
  );
}
