/** Which texts of an event were used, and for what; and the id of each place on the page. */
import { hash } from 'node:crypto';
import type { Place } from '../explain/places.ts';

interface Mark {
  path: Place;
  field: string;
}

/** Tells places apart: keys may have any character. */
const keyOf = (place: Place) => JSON.stringify(place);

export type Marks = ReturnType<typeof marksOf>;

export function marksOf(marks: readonly Mark[]) {
  const uses = Map.groupBy(marks, ({ path }) => keyOf(path));
  const above = new Set(
    marks.flatMap(({ path }) => Array.from(path.keys(), (end) => keyOf(path.slice(0, end)))),
  );
  return {
    /** For what the text at a place was used; empty where it was not. */
    usesOf(place: Place): readonly string[] {
      return [...new Set(uses.get(keyOf(place))?.map(({ field }) => field))];
    },
    /** Whether a text below it was used. */
    isAbove(place: Place): boolean {
      return above.has(keyOf(place));
    },
    isEmpty: marks.length === 0,
  };
}

const ID_LENGTH = 12;

/** Of the element that shows a place of a tree: names of claims may be long, and have any character. */
export function idOf(tree: string, place: Place): string {
  return `${tree}-${hash('sha256', keyOf(place), 'base64url').slice(0, ID_LENGTH)}`;
}
