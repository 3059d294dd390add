import type { Comparison } from '../../api.ts';

type Row = Comparison['rows'][number];

/** Logins that the handlers answer differently are first; otherwise by name. */
export function differingFirst(rows: readonly Row[]): Row[] {
  return rows.toSorted(
    (one, other) =>
      Number(other.differences.length > 0) - Number(one.differences.length > 0) ||
      one.name.localeCompare(other.name, 'en', { numeric: true }),
  );
}
