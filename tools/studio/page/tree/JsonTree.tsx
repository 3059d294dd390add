import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type GroupNames, nameAfter } from '../../../explain/groupNames.ts';
import { fieldsByPath, keyOf, type Path, usedInside } from '../logins/marks.ts';
import type { Marking } from '../logins/useMarking.ts';
import { type Move, moveOf } from './moves.ts';
import {
  CHILDREN_AT_ONCE,
  nodesAbove,
  ROWS_AT_FIRST,
  rowsOf,
  type TreeRow,
  treeAtFirst,
  usedKeys,
} from './rows.ts';
import { TreeItem } from './TreeItem.tsx';

interface JsonTreeProps {
  value: unknown;
  /** What the tree is of, for those who do not see it. */
  label: string;
  /** What was used of the value; left out where nothing is marked. */
  marking?: Marking;
  /** What is shown at first, with what leads to it; left out for nodes from the root on. */
  shown?: readonly Path[];
  /** How many rows are open at first, at most. */
  rowsAtFirst?: number;
  /** Of user groups, shown beside their UUIDs. */
  names?: GroupNames;
}

const NONE: readonly Path[] = [];

/** A JSON value as a tree, of which the arrow keys walk through the rows. */
export function JsonTree(props: JsonTreeProps) {
  const { value, label, marking, shown = NONE, rowsAtFirst = ROWS_AT_FIRST, names = {} } = props;
  const [first] = useState(() => treeAtFirst(value, shown, rowsAtFirst));
  const [open, setOpen] = useState(first.open);
  const [limits, setLimits] = useState(first.limits);
  const [focused, setFocused] = useState('');
  const tree = useRef<HTMLDivElement>(null);
  const used = useMemo(() => usedKeys(shown), [shown]);
  const rows = useMemo(() => rowsOf(value, { open, limits, used }), [value, open, limits, used]);
  const fields = useMemo(() => fieldsByPath(marking?.marks ?? []), [marking?.marks]);

  const inside = useMemo(() => usedInside(marking?.marks ?? []), [marking?.marks]);

  const focus = (key: string) => {
    setFocused(key);
    rowElement(tree.current, key)?.focus();
  };
  const make = (move: Move) => {
    if ('focus' in move) focus(move.focus);
    else setOpen(toggled(open, 'open' in move ? move.open : move.close));
  };
  const wanted = useRef<string | null>(null);
  const want = (path: Path) => {
    setFocused(keyOf(path));
    wanted.current = keyOf(path);
  };
  const showMore = (row: TreeRow) => {
    const parent = keyOf(row.path.slice(0, -1));
    setLimits(new Map(limits).set(parent, row.position - 1 + CHILDREN_AT_ONCE));
    want(row.path);
  };
  const act = (row: TreeRow) => {
    if (row.hidden > 0) return showMore(row);
    setFocused(row.key);
    if (row.isOpen !== null) setOpen(toggled(open, row.key));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveOf(rows, focused, event.key);
    if (move === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    make(move);
  };

  useEffect(() => {
    if (!marking?.target) return;
    const { path } = marking.target;
    setOpen(new Set([...open, ...nodesAbove(path)]));
    want(path);
  }, [marking?.target]);
  useEffect(() => {
    if (wanted.current !== null && reveal(tree.current, wanted.current)) wanted.current = null;
  });
  const stop = rows.some(({ key }) => key === focused) ? focused : rows[0]?.key;
  return (
    <div class="tree" role="tree" aria-label={label} ref={tree} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <TreeItem
          key={row.key}
          row={row}
          name={nameAfter(row.value, names)}
          fields={fields.get(row.key) ?? []}
          usedInside={row.isOpen === false ? (inside.get(row.key) ?? 0) : 0}
          isHot={marking?.hotKeys.has(row.key) ?? false}
          isTabStop={row.key === stop}
          onAct={() => act(row)}
          onFocus={() => setFocused(row.key)}
          onHot={(isHot) => marking?.setHotPath(isHot ? row.key : null)}
        />
      ))}
    </div>
  );
}

function toggled(open: ReadonlySet<string>, key: string): Set<string> {
  const others = new Set(open);
  if (!others.delete(key)) others.add(key);
  return others;
}

function rowElement(tree: HTMLElement | null, key: string): HTMLElement | null {
  return tree?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? null;
}

/** @returns whether the row is there: a node that was closed has its rows after the next rendering */
function reveal(tree: HTMLElement | null, key: string): boolean {
  const row = rowElement(tree, key);
  row?.scrollIntoView({ block: 'nearest' });
  row?.focus();
  return row !== null;
}
