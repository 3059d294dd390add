/** A JSON value as folded lists, opened where something of it was used. */
import type { Place } from '../../explain/places.ts';
import { beginning, counted, timeText } from '../../shared/readable.ts';
import { idOf, type Marks, marksOf } from '../marks.ts';
import { cellText } from '../words.ts';
import { LongText, Text } from './parts.tsx';

interface TreeProps {
  /** Stands before the ids of its places. */
  id: string;
  value: unknown;
  marks?: Marks;
}

interface Node extends Required<TreeProps> {
  path: Place;
  /** How many more places there is room for. */
  room: { left: number };
}

const NONE = marksOf([]);
/** Of a node, beside what was used, and of a tree: a browser is slow with more. */
const MAX_CHILDREN = 100;
const MAX_PLACES = 3_000;
/** In levels: a browser gives up where elements are nested some hundred deep. */
const MAX_DEPTH = 60;
/** In characters. */
const MAX_NAME = 100;
const MAX_PREVIEW = 80;

export function Tree({ marks = NONE, ...tree }: TreeProps) {
  const node: Node = { ...tree, marks, path: [], room: { left: MAX_PLACES } };
  return <div class="tree">{isBranch(tree.value) ? <Children node={node} /> : <Value node={node} />}</div>;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function isUsed({ marks, path }: Pick<Node, 'marks' | 'path'>): boolean {
  return marks.isAbove(path) || marks.usesOf(path).length > 0;
}

function Children({ node }: { node: Node }) {
  const { path, value, room } = node;
  const isList = Array.isArray(value);
  const children = Object.entries(value as object).map(([key, child]): Node => {
    return { ...node, path: [...path, isList ? Number(key) : key], value: child };
  });
  const shown = children.filter((child, index) => {
    if (index >= MAX_CHILDREN && !isUsed(child)) return false;
    room.left -= 1;
    return room.left >= 0;
  });
  const hidden = children.length - shown.length;
  return (
    <ul>
      {shown.map((child) => (
        <Entry node={child} />
      ))}
      {hidden > 0 && <li>{hidden} more are not shown</li>}
    </ul>
  );
}

function Entry({ node }: { node: Node }) {
  const { path, value, marks } = node;
  const uses = marks.usesOf(path);
  const place = { id: idOf(node.id, path), tabindex: uses.length > 0 ? -1 : undefined };
  const isFolded = isBranch(value) && path.length <= MAX_DEPTH;
  const line = (
    <>
      <span class="name">
        <Text text={beginning(String(path.at(-1)), MAX_NAME)} />
      </span>{' '}
      {isFolded ? <Preview of={value} /> : <Value node={node} />}
      {uses.map((one) => (
        <span class="use"> → {one}</span>
      ))}
    </>
  );
  if (!isFolded) return <li {...place}>{line}</li>;
  return (
    <li>
      <details {...place} open={marks.isEmpty ? path.length < 2 : isUsed(node)}>
        <summary>{line}</summary>
        <Children node={node} />
      </details>
    </li>
  );
}

function Value({ node: { path, value, marks } }: { node: Node }) {
  if (typeof value !== 'string' || value === '') return <span class="plain">{textOf(value)}</span>;
  const text = <LongText text={LIKE_ANOTHER_TYPE.test(value) ? JSON.stringify(value) : value} />;
  return marks.usesOf(path).length > 0 ? <mark>{text}</mark> : text;
}

/** A text that reads like a number, a boolean or null is told from one by its quotes. No number is written with more digits. */
const LIKE_ANOTHER_TYPE = /^(?:-?\d{1,21}(?:\.\d{1,25})?(?:e[+-]\d{1,3})?|true|false|null)$/;

/** What is no text, has no entries, or stands too deep. */
function textOf(value: unknown): string {
  if (value instanceof Date) return timeText(value.getTime());
  return isBranch(value) ? 'nested deeper: it is not shown' : cellText(value);
}

/** What is in a closed node, e.g. `client-1 · client-2`. */
function Preview({ of }: { of: object }) {
  const entries: unknown[] = Object.values(of);
  const texts = entries.filter((one) => typeof one !== 'object' && one !== '');
  const text = beginning(texts.join(' · '), MAX_PREVIEW) || counted(entries.length, 'entry', 'entries');
  return (
    <span class="preview">
      <Text text={text} />
    </span>
  );
}
