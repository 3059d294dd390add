/** What differs between two answers, field by field. */
import { isDeepStrictEqual } from 'node:util';

export interface HttpAnswer {
  status: number;
  response: Readonly<Record<string, unknown>> | null;
}

/** A field with another value, or a list with other items. */
export type Difference =
  | { field: string; before: unknown; after: unknown }
  | { field: string; added: unknown[]; removed: unknown[] };

/** Lists, such as groups, are sets: their order makes no difference. An absent field is undefined. */
export function differencesOf(before: HttpAnswer, after: HttpAnswer): Difference[] {
  const one = fieldsOf(before);
  const other = fieldsOf(after);
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].flatMap((field) => differenceIn(field, one[field], other[field]));
}

function fieldsOf({ status, response }: HttpAnswer): Record<string, unknown> {
  return { status, ...response };
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
