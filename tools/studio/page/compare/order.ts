import type { Comparison } from '../../api.ts';

type Row = Comparison['rows'][number];

/** Logins that the handlers answer differently, and those that they answer alike; each by name. */
export function parted(rows: readonly Row[]): { differing: Row[]; alike: Row[] } {
  const sorted = rows.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  const { differing = [], alike = [] } = Object.groupBy(sorted, ({ differences }) =>
    differences.length > 0 ? 'differing' : 'alike',
  );
  return { differing, alike };
}
