/** A JSON value as folded lists, opened where something of it was used. */
import { type GroupNames, nameAfter } from '../../explain/differences.ts';
import { counted } from '../../shared/readable.ts';
import { idOf, type Marks, marksOf, type Path } from '../marks.ts';
import { cut } from '../texts.ts';
import { LongText, Text } from './parts.tsx';

interface TreeProps {
  /** Stands before the ids of its places. */
  id: string;
  value: unknown;
  /** What was used of it. */
  marks?: Marks;
  /** Of user groups, shown beside their UUIDs. */
  names?: GroupNames;
}

interface Place {
  tree: string;
  path: Path;
  value: unknown;
  marks: Marks;
  names: GroupNames;
  /** How many more places there is room for. */
  room: { left: number };
}

const NONE = marksOf([]);
/** Of a node and of a tree: a browser is slow with more. */
const MAX_CHILDREN = 100;
const MAX_PLACES = 3_000;
/** In levels: a browser gives up where elements are nested some hundred deep. */
const MAX_DEPTH = 60;
/** A node with more entries begins closed, where nothing was used. */
const MAX_OPEN = 12;
/** In characters. */
const MAX_NAME = 100;

export function Tree({ id, value, marks = NONE, names = {} }: TreeProps) {
  const place: Place = { tree: id, path: [], value, marks, names, room: { left: MAX_PLACES } };
  return <div class="tree">{isBranch(value) ? <Children place={place} /> : <Value place={place} />}</div>;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function Children({ place }: { place: Place }) {
  const { path, value, marks, room } = place;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value as object);
  const shown = entries.filter(([name], index) => {
    const child = [...path, name];
    if (index >= MAX_CHILDREN && !marks.isAbove(child) && marks.usesOf(child).length === 0) return false;
    room.left -= 1;
    return room.left >= 0;
  });
  const hidden = entries.length - shown.length;
  return (
    <ul>
      {shown.map(([name, child]) => (
        <Entry name={name} place={{ ...place, path: [...path, name], value: child }} />
      ))}
      {hidden > 0 && <li>{hidden} more are not shown</li>}
    </ul>
  );
}

function Entry({ name, place }: { name: string | number; place: Place }) {
  const { tree, path, value, marks } = place;
  const id = idOf(tree, path);
  const uses = marks.usesOf(path);
  const isUsed = uses.length > 0;
  if (!isBranch(value) || path.length > MAX_DEPTH) {
    return (
      <li id={id} class={isUsed ? 'is-used' : ''} tabindex={isUsed ? -1 : undefined}>
        <Name name={name} /> <Value place={place} /> <Uses uses={uses} />
      </li>
    );
  }
  return (
    <li>
      <details id={id} open={isOpen(place)} tabindex={isUsed ? -1 : undefined}>
        <summary>
          <Name name={name} />{' '}
          <span class="preview">
            <Text text={previewOf(value)} />
          </span>{' '}
          <Uses uses={uses} />
        </summary>
        <Children place={place} />
      </details>
    </li>
  );
}

function isOpen({ path, value, marks }: Place): boolean {
  if (!marks.isEmpty) return marks.isAbove(path) || marks.usesOf(path).length > 0;
  return path.length < 2 && Object.keys(value as object).length <= MAX_OPEN;
}

function Name({ name }: { name: string | number }) {
  return (
    <span class={typeof name === 'number' ? 'name is-index' : 'name'}>
      <Text text={cut(String(name), MAX_NAME)} />
    </span>
  );
}

function Uses({ uses }: { uses: readonly string[] }) {
  return uses.map((use) => (
    <span class="use">
      {' → '}
      {use}
    </span>
  ));
}

function Value({ place: { path, value, marks, names } }: { place: Place }) {
  if (value === '') return <span class="plain">empty text</span>;
  if (typeof value !== 'string') return <span class="plain">{textOf(value)}</span>;
  const text = <LongText text={value} />;
  return (
    <>
      {marks.usesOf(path).length > 0 ? <mark>{text}</mark> : text}
      <Text text={nameAfter(value, names)} />
    </>
  );
}

/** What has no entries, or stands too deep. */
function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isBranch(value)) return 'nested deeper: it is not shown';
  if (Array.isArray(value)) return 'no items';
  return typeof value === 'object' && value !== null ? 'no entries' : String(value);
}

const MAX_PARTS = 4;
/** In characters, of each part. */
const MAX_PART = 32;

/** What is in a closed node, e.g. `mail · …uri · ada@example.org`. */
function previewOf(value: object): string {
  const entries: unknown[] = Object.values(value);
  const parts = entries
    .filter((one) => typeof one !== 'object' && one !== '')
    .slice(0, MAX_PARTS)
    .map((one) => cut(String(one), MAX_PART));
  const count = Array.isArray(value)
    ? counted(entries.length, 'item')
    : counted(entries.length, 'entry', 'entries');
  return parts.length === 0 ? count : parts.join(' · ');
}
