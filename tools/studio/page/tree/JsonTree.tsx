import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type GroupNames, nameAfter } from '../../../explain/groupNames.ts';
import { fieldsByPath, keyOf, usedInside } from '../logins/marks.ts';
import type { Marking } from '../logins/useMarking.ts';
import { type Move, moveOf } from './moves.ts';
import { CHILDREN_AT_ONCE, limitsAtFirst, openAtFirst, ROWS_AT_FIRST, rowsOf, type TreeRow } from './rows.ts';
import { TreeItem } from './TreeItem.tsx';

interface JsonTreeProps {
  value: unknown;
  /** What the tree is of, for those who do not see it. */
  label: string;
  /** What was used of the value; left out where nothing is marked. */
  marking?: Marking;
  /** How many rows are open at first, at most. */
  rowsAtFirst?: number;
  /** Of user groups, shown beside their UUIDs. */
  names?: GroupNames;
}

/** A JSON value as a tree, of which the arrow keys walk through the rows. */
export function JsonTree({ value, label, marking, rowsAtFirst = ROWS_AT_FIRST, names = {} }: JsonTreeProps) {
  const used = useMemo(() => marking?.marks.map(({ path }) => path) ?? [], [marking?.marks]);
  const [open, setOpen] = useState(() => openAtFirst(value, used, rowsAtFirst));
  const [limits, setLimits] = useState(() => limitsAtFirst(value, used));
  const [focused, setFocused] = useState('');
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(value, { open, limits }), [value, open, limits]);
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
  const showMore = (row: TreeRow) => {
    const parent = keyOf(row.path);
    setLimits(new Map(limits).set(parent, row.position - 1 + CHILDREN_AT_ONCE));
  };
  const act = (row: TreeRow) => {
    setFocused(row.key);
    if (row.hidden > 0) showMore(row);
    else if (row.isOpen !== null) setOpen(toggled(open, row.key));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveOf(rows, focused, event.key);
    if (move === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    make(move);
  };

  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (!marking?.target) return;
    const { path } = marking.target;
    setOpen(new Set([...open, ...path.map((_, end) => keyOf(path.slice(0, end)))]));
    setFocused(keyOf(path));
    wanted.current = keyOf(path);
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
