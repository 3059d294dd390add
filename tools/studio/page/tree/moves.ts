/** What a key does in a tree, as the tree pattern of the ARIA Authoring Practices has it. */
import type { TreeRow } from './rows.ts';

export type Move = { focus: string } | { open: string } | { close: string };

/** @returns null for a key that does nothing there */
export function moveOf(rows: readonly TreeRow[], focused: string, key: string): Move | null {
  const index = rows.findIndex((row) => row.key === focused);
  const row = rows[index];
  if (!row) return null;
  if (key === 'ArrowRight') return row.isOpen === false ? { open: row.key } : toChild(rows, index);
  if (key === 'ArrowLeft') return row.isOpen ? { close: row.key } : toParent(rows, index);
  return to(rows[targetOf(key, index, rows.length)]);
}

function targetOf(key: string, index: number, count: number): number {
  if (key === 'ArrowDown') return index + 1;
  if (key === 'ArrowUp') return index - 1;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : -1;
}

function toChild(rows: readonly TreeRow[], index: number): Move | null {
  return rows[index]?.isOpen ? to(rows[index + 1]) : null;
}

function toParent(rows: readonly TreeRow[], index: number): Move | null {
  const level = rows[index]?.level ?? 0;
  return to(rows.slice(0, index).findLast((row) => row.level < level));
}

function to(row: TreeRow | undefined): Move | null {
  return row ? { focus: row.key } : null;
}
