/** Which texts of an event belong to which part of its explanation. */
import type { Mark } from '../../../explain/account.ts';

export type Path = Mark['path'];

/** Tells paths apart: keys may have any character. */
export function keyOf(path: Path): string {
  return JSON.stringify(path);
}

const GROUPS = 'groups';
/** What the text was used for that decided the login. */
export const DECISION = 'decision';

export function decisionMark(path: Path): Mark {
  return { path, field: DECISION };
}

/** In a claim set or a statement: of more, the first are shown. */
const MAX_CLAIMS = 100;

/** What is shown of an event at first: what is marked, an attribute with its names, or else its claims or attributes. */
export function shownPaths(event: unknown, marks: readonly Mark[]): Path[] {
  return marks.length > 0 ? marks.flatMap(({ path }) => [path, ...namesBeside(path)]) : claimPaths(event);
}

function namesBeside(path: Path): Path[] {
  if (path.at(-1) !== 'attributeValue') return [];
  return ['attributeName', 'attributeFriendlyName'].map((name) => [...path.slice(0, -1), name]);
}

function claimPaths(event: unknown): Path[] {
  const places = [
    ['idToken', 'otherClaims'],
    ['assertion', 'assertionAttributeStatement'],
  ];
  return places.flatMap((path) => {
    const claims = valueAt(event, path);
    if (Array.isArray(claims)) return claims.slice(0, MAX_CLAIMS).map((_, index) => [...path, index]);
    return Object.keys(claims ?? {})
      .slice(0, MAX_CLAIMS)
      .map((name) => [...path, name]);
  });
}

export function marksOfField(marks: readonly Mark[], { field }: { field: string }): Mark[] {
  return marks.filter((mark) => mark.field === field);
}

/** Marks of a group, by its text: an explanation names its place in another form. */
export function marksOfGroup(marks: readonly Mark[], event: unknown, value: string | null): Mark[] {
  return marks.filter(
    ({ field, path }) => field === GROUPS && value !== null && valueAt(event, path) === value,
  );
}

/** The fields for which the text at a path was used. */
export function fieldsByPath(marks: readonly Mark[]): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const { path, field } of marks) {
    const known = fields.get(keyOf(path)) ?? [];
    if (!known.includes(field)) fields.set(keyOf(path), [...known, field]);
  }
  return fields;
}

/** How many texts below a node were used, by the key of the node. */
export function usedInside(marks: readonly Mark[]): Map<string, number> {
  const counts = new Map<string, number>();
  const paths = new Map(marks.map(({ path }) => [keyOf(path), path]));
  for (const path of paths.values()) {
    const nodes = path.map((_, end) => keyOf(path.slice(0, end)));
    for (const node of nodes) counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return counts;
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
