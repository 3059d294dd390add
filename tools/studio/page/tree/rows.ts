/** The visible rows of a JSON value as a tree. Children of closed nodes are never looked at, so a large value costs nothing. */
import { keyOf, type Path } from '../logins/marks.ts';

export interface TreeState {
  /** Keys of nodes whose children are shown. */
  open: ReadonlySet<string>;
  /** How many children of a node are shown, by its key; as many as are shown at once where it has none. */
  limits: ReadonlyMap<string, number>;
  /** Keys of nodes that are shown beyond the limit. */
  used: ReadonlySet<string>;
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
  /** Of a row that stands for the children that are not shown, and has the path of the first: how many these are. */
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
  const limit = state.limits.get(key) ?? CHILDREN_AT_ONCE;
  const row = (index: number): TreeRow => {
    const [name, entry] = entries[index] ?? ['', null];
    const place = { level: level + 1, position: index + 1, siblings: entries.length };
    return { ...rowAt([...path, name], name, entry, state), ...place };
  };
  const isShown = (index: number) =>
    index < limit || state.used.has(keyOf([...path, entries[index]?.[0] ?? '']));
  const places = Map.groupBy(entries.keys(), isShown);
  const shown = (places.get(true) ?? []).map(row);
  const hidden = places.get(false) ?? [];
  return hidden[0] === undefined ? shown : [...shown, rest(key, row(hidden[0]), hidden.length)];
}

/** The row behind those that are shown. */
function rest(parent: string, first: TreeRow, hidden: number): TreeRow {
  return { ...first, key: `${parent} more`, name: null, value: null, isOpen: null, hidden };
}

function entriesOf(value: unknown): [string | number, unknown][] {
  return Array.isArray(value) ? [...value.entries()] : Object.entries(value as object);
}

/** Rows that a tree begins with, at most, where nothing of it is used. */
export const ROWS_AT_FIRST = 60;

/** Items of a longer list begin closed, each in a line. */
const OPEN_ITEMS = 3;

/** What leads to a used text is open, and the rest is folded. Where none is used, nodes are open from the root on while there is room. */
export function treeAtFirst(
  value: unknown,
  used: readonly Path[],
  maxRows = ROWS_AT_FIRST,
): Omit<TreeState, 'used'> {
  if (used.length === 0) return { open: openAtFirst(value, maxRows), limits: new Map() };
  const open = new Set(used.flatMap(nodesAbove));
  return { open, limits: new Map(Array.from(open, (key) => [key, 0])) };
}

/** Keys of the nodes that lead to a path, from the root on. */
export function nodesAbove(path: Path): string[] {
  return path.map((_, end) => keyOf(path.slice(0, end)));
}

/** Keys of the nodes that are used, or lead to one. */
export function usedKeys(used: readonly Path[]): Set<string> {
  return new Set(used.flatMap((path) => [...nodesAbove(path), keyOf(path)]));
}

function openAtFirst(value: unknown, maxRows: number): Set<string> {
  const open = new Set<string>();
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
