/** What a mapping calls user groups, which a response has by their UUIDs alone. */
import type { Explanation } from '../../lib/profile/decision.ts';
import type { LogRecord } from '../local/process/logRecords.ts';

/** By UUID, in lower case. */
export type GroupNames = Readonly<Record<string, string>>;

/** Those of the rows that these logins hit. A handler may print records of any form: what is no name is left out. */
export function groupNamesIn(logins: readonly { records: readonly LogRecord[] }[]): GroupNames {
  const explanations = logins.flatMap(({ records }) =>
    records.map(({ explanation }) => explanation as Explanation | undefined),
  );
  const named = explanations
    .flatMap((explanation) => explanation?.groups?.table?.names ?? [])
    .filter((one) => typeof one?.uuid === 'string' && typeof one.name === 'string');
  return Object.fromEntries(named.map(({ uuid, name }) => [uuid.toLowerCase(), name]));
}

/** ` (Editors)` for the UUID of a group with that name; empty for anything else. */
export function nameAfter(item: unknown, names: GroupNames): string {
  const uuid = typeof item === 'string' && item.length === UUID_LENGTH ? item.toLowerCase() : '';
  return Object.hasOwn(names, uuid) ? ` (${names[uuid]})` : '';
}

const UUID_LENGTH = 36;
