/** What differs between two answers, field by field, and what a mapping calls the user groups in them, which a response has only by their UUIDs. */
import { isDeepStrictEqual } from 'node:util';
import type { Explanation } from '../../lib/profile/decision.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { LogRecord } from '../local/process/logRecords.ts';

type Answer = Pick<InvocationResult, 'status' | 'response'>;

/** A field with another value, or a list with other items. */
export type Difference =
  | { field: string; before: unknown; after: unknown }
  | { field: string; added: unknown[]; removed: unknown[] };

/** Lists, such as groups, are sets: their order makes no difference. An absent field is undefined. */
export function differencesOf(before: Answer, after: Answer): Difference[] {
  const one: Record<string, unknown> = { status: before.status, ...before.response };
  const other: Record<string, unknown> = { status: after.status, ...after.response };
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].flatMap((field) => differenceIn(field, one[field], other[field]));
}

function differenceIn(field: string, before: unknown, after: unknown): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!Array.isArray(before) || !Array.isArray(after)) return [{ field, before, after }];
  const added = without(after, before);
  const removed = without(before, after);
  return added.length + removed.length === 0 ? [] : [{ field, added, removed }];
}

function without(list: unknown[], others: unknown[]): unknown[] {
  return list.filter((item) => !others.some((other) => isDeepStrictEqual(item, other)));
}

/** By UUID, in lower case. */
export type GroupNames = Readonly<Record<string, string>>;

/** Those of the rows that these logins hit. A handler may print records of any form: what is no name is left out. */
export function groupNamesIn(logins: readonly { records: readonly LogRecord[] }[]): GroupNames {
  const named = logins
    .flatMap(({ records }) => records.map((record) => record.explanation as Explanation | undefined))
    .flatMap((explanation) => explanation?.groups?.table?.names ?? [])
    .filter((one) => typeof one?.uuid === 'string' && typeof one.name === 'string');
  return Object.fromEntries(named.map(({ uuid, name }) => [uuid.toLowerCase(), name]));
}

/** ` (Editors)` for the UUID of a group with that name; empty for anything else. */
export function nameAfter(item: unknown, names: GroupNames): string {
  const uuid = typeof item === 'string' ? item.toLowerCase() : '';
  return Object.hasOwn(names, uuid) ? ` (${names[uuid]})` : '';
}
