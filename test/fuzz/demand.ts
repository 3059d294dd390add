/** @throws where something does not hold */
export function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}
