/** The visible rows of a JSON value as a tree. Children of closed nodes are never looked at, so a large value costs nothing. */
import { keyOf, type Path, valueAt } from '../logins/marks.ts';

export interface TreeState {
  /** Keys of nodes whose children are shown. */
  open: ReadonlySet<string>;
  /** How many children of a node are shown, by its key, where they are more than at first. */
  limits: ReadonlyMap<string, number>;
}

export interface TreeRow {
  key: string;
  path: Path;
  /** From 1. */
  level: number;
  /** Among its siblings, from 1. */
  position: number;
  siblings: number;
  /** Null for a value that stands alone. */
  name: string | number | null;
  value: unknown;
  /** Null for a value without children. */
  isOpen: boolean | null;
  /** Of a row that stands for the children after those that are shown: how many these are. */
  hidden: number;
}

/** Children of a node that are shown at once. */
export const CHILDREN_AT_ONCE = 100;

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Rows of the children, for the root itself has no name; a row of its own for a value that stands alone. */
export function rowsOf(value: unknown, state: TreeState): TreeRow[] {
  const root: TreeRow = { ...rowAt([], null, value, state), level: 0, position: 1, siblings: 1 };
  if (!isBranch(value)) return [{ ...root, level: 1 }];
  const rows: TreeRow[] = [];
  // A stack of its own: an event may be nested deeper than functions can call each other.
  const waiting = childrenOf(root, state).reverse();
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    if (row.isOpen) waiting.push(...childrenOf(row, state).reverse());
  }
  return rows;
}

function rowAt(path: Path, name: string | number | null, value: unknown, { open }: TreeState) {
  const key = keyOf(path);
  return { key, path, name, value, isOpen: isBranch(value) ? open.has(key) : null, hidden: 0 };
}

function childrenOf({ key, path, level, value }: TreeRow, state: TreeState): TreeRow[] {
  const entries = entriesOf(value);
  const shown = entries.slice(0, state.limits.get(key) ?? CHILDREN_AT_ONCE);
  const rows = shown.map(([name, entry], index) => ({
    ...rowAt([...path, name], name, entry, state),
    level: level + 1,
    position: index + 1,
    siblings: entries.length,
  }));
  const hidden = entries.length - shown.length;
  return hidden === 0 ? rows : [...rows, rest(rows, { key, path, hidden })];
}

/** The row behind the last one that is shown. */
function rest(
  rows: readonly TreeRow[],
  { key, path, hidden }: Pick<TreeRow, 'key' | 'path' | 'hidden'>,
): TreeRow {
  const { level = 1, position = 0, siblings = 0 } = rows.at(-1) ?? {};
  return {
    key: `${key} more`,
    path,
    level,
    position: position + 1,
    siblings,
    name: null,
    value: null,
    isOpen: null,
    hidden,
  };
}

function entriesOf(value: unknown): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value as object);
}

/** Rows that a tree begins with, at most; what leads to used texts comes on top. */
export const ROWS_AT_FIRST = 60;

/** Items of a longer list begin closed, each in a line. */
const OPEN_ITEMS = 3;

/** What leads to a used text is open, and further nodes from the root on while there is room. */
export function openAtFirst(value: unknown, used: readonly Path[], maxRows = ROWS_AT_FIRST): Set<string> {
  const open = new Set(used.flatMap((path) => path.map((_, end) => keyOf(path.slice(0, end)))));
  const waiting: { path: Path; value: unknown }[] = [{ path: [], value }];
  let room = maxRows;
  for (let node = waiting.shift(); node; node = waiting.shift()) {
    if (!isBranch(node.value)) continue;
    const { path } = node;
    const count = Object.keys(node.value).length;
    if (count > room) continue;
    room -= count;
    open.add(keyOf(path));
    if (Array.isArray(node.value) && count > OPEN_ITEMS) continue;
    waiting.push(...entriesOf(node.value).map(([name, entry]) => ({ path: [...path, name], value: entry })));
  }
  return open;
}

/** The row of a text that is used is there, also behind the children that are shown at once. */
export function limitsAtFirst(value: unknown, used: readonly Path[]): Map<string, number> {
  const limits = new Map<string, number>();
  for (const path of used) {
    path.forEach((name, end) => {
      const parent = path.slice(0, end);
      const needed = placeOf(name, valueAt(value, parent));
      const key = keyOf(parent);
      if (needed > (limits.get(key) ?? CHILDREN_AT_ONCE)) limits.set(key, needed);
    });
  }
  return limits;
}

/** From 1; 0 where there is no such child. */
function placeOf(name: string | number, parent: unknown): number {
  if (typeof name === 'number') return name + 1;
  return isBranch(parent) ? Object.keys(parent).indexOf(name) + 1 : 0;
}
