/** Which texts of an event were used, and for what; and the id of each place on the page. */
import { hash } from 'node:crypto';
import type { Mark } from '../explain/explanation.ts';

export type Path = Mark['path'];

/** Tells paths apart: keys may have any character. */
function keyOf(path: Path): string {
  return JSON.stringify(path);
}

export interface Marks {
  /** For what the text at a path was used; empty where it was not. */
  usesOf(path: Path): readonly string[];
  /** Whether the path leads to a text that was used. */
  isAbove(path: Path): boolean;
  isEmpty: boolean;
}

export function marksOf(marks: readonly Mark[]): Marks {
  const uses = new Map<string, string[]>();
  const above = new Set<string>();
  for (const { path, field } of marks) {
    const known = uses.get(keyOf(path)) ?? [];
    if (!known.includes(field)) uses.set(keyOf(path), [...known, field]);
    for (const end of path.keys()) above.add(keyOf(path.slice(0, end)));
  }
  return {
    usesOf: (path) => uses.get(keyOf(path)) ?? [],
    isAbove: (path) => above.has(keyOf(path)),
    isEmpty: uses.size === 0,
  };
}

const ID_LENGTH = 12;

/** Of the element that shows a place of a tree: names of claims may be long, and have any character. */
export function idOf(tree: string, path: Path): string {
  return `${tree}-${hash('sha256', keyOf(path), 'base64url').slice(0, ID_LENGTH)}`;
}

/** @returns undefined where the event has nothing there */
export function valueAt(event: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    event,
  );
}
