/** Thrown when a function did what it must not do. */
class Broken extends Error {}

export function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Broken(what);
}
