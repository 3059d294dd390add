import { useState } from 'preact/hooks';
import { DECISION } from '../logins/marks.ts';
import { Text } from '../parts/Text.tsx';
import { cut } from '../showing.ts';
import { previewOf } from './preview.ts';
import type { TreeRow } from './rows.ts';

interface TreeItemProps {
  row: TreeRow;
  /** What stands after its value; empty for nothing. */
  name: string;
  /** For which its text was used. */
  fields: readonly string[];
  /** How many texts in a closed node were used. */
  usedInside: number;
  isHot: boolean;
  /** Whether the tab key reaches it: one row of a tree. */
  isTabStop: boolean;
  onAct: () => void;
  onFocus: () => void;
  onHot: (isHot: boolean) => void;
}

/** In characters: a certificate, a token or a picture is longer. */
const SHOWN_AT_FIRST = 200;

const MAX_NAME = 100;

export function TreeItem({
  row,
  name,
  fields,
  usedInside,
  isHot,
  isTabStop,
  onAct,
  onFocus,
  onHot,
}: TreeItemProps) {
  const [isWhole, setIsWhole] = useState(false);
  const isCut = typeof row.value === 'string' && row.value.length > SHOWN_AT_FIRST && !isWhole;
  const act = () => (isCut ? setIsWhole(true) : onAct());
  const isUsed = fields.length > 0;
  return (
    <div
      role="treeitem"
      class={`row ${isUsed ? 'is-used' : ''} ${fields.includes(DECISION) ? 'is-decisive' : ''} ${isHot ? 'is-hot' : ''} ${row.isOpen === null ? '' : 'is-branch'}`}
      data-key={row.key}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={row.isOpen ?? undefined}
      tabIndex={isTabStop ? 0 : -1}
      onClick={row.isOpen !== null || row.hidden > 0 ? act : undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        act();
      }}
      onFocus={() => {
        onFocus();
        if (isUsed) onHot(true);
      }}
      onBlur={() => isUsed && onHot(false)}
      onMouseEnter={() => isUsed && onHot(true)}
      onMouseLeave={() => isUsed && onHot(false)}
    >
      <Indent level={row.level} />
      <span class="twist" aria-hidden="true">
        {row.isOpen === null ? '' : row.isOpen ? '▾' : '▸'}
      </span>
      <Name row={row} />
      <Value row={row} isUsed={isUsed} onWhole={isCut ? () => setIsWhole(true) : null} />
      {name !== '' && <Text text={name} />}
      {usedInside > 0 && <span class="used-for">{usedInside} used in here</span>}
      {fields.map((field) => (
        <span key={field} class="used-for">
          → {field}
        </span>
      ))}
    </div>
  );
}

function Indent({ level }: { level: number }) {
  return Array.from({ length: level - 1 }, (_, index) => (
    <span key={index} class="indent" aria-hidden="true" />
  ));
}

function Name({ row: { name } }: { row: TreeRow }) {
  if (name === null) return null;
  return (
    <span class={typeof name === 'number' ? 'name is-index' : 'name'}>
      <Text text={cut(String(name), MAX_NAME)} />:{' '}
    </span>
  );
}

interface ValueProps {
  row: TreeRow;
  isUsed: boolean;
  /** Shows all of a text that is cut; null for one that is not. */
  onWhole: (() => void) | null;
}

function Value({ row: { value, hidden, isOpen }, isUsed, onWhole }: ValueProps) {
  if (hidden > 0) return <span class="link">{hidden} more</span>;
  if (typeof value === 'object' && value !== null) return <Preview value={value} isOpen={isOpen} />;
  if (typeof value !== 'string') return <span class="plain">{String(value)}</span>;
  if (value === '') return <span class="plain">empty text</span>;
  const text = <Text text={onWhole ? cut(value, SHOWN_AT_FIRST) : value} />;
  return (
    <span class="value">
      {isUsed ? <mark>{text}</mark> : text}
      {onWhole && (
        <button type="button" class="link" tabIndex={-1} onClick={onWhole}>
          show all {value.length} characters
        </button>
      )}
    </span>
  );
}

function Preview({ value, isOpen }: { value: object; isOpen: boolean | null }) {
  if (isOpen) return null;
  return (
    <span class="preview">
      <Text text={previewOf(value)} />
    </span>
  );
}
