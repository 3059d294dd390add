/** JSON values, looked at by plain code; without recursion where an input may be nested to any depth. */

export type JsonObject = Record<string, unknown>;

/** The bundle's limits for what it copies out of an event are not below these. */
const MODEST_DEPTH = 90;
const MODEST_PARTS = 15_000;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** A JSON number without a fraction; what is too large for a number is none. */
export function isWhole(value: unknown): value is number {
  return typeof value === 'number' && value % 1 === 0;
}

export function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

/** The value of an own key; a key that nobody sent has none, whatever its name. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether no limit of the bundle can be what it was refused for. */
export function isModest(value: unknown): boolean {
  let parts = 0;
  for (const { depth } of partsOf(value)) {
    parts += 1;
    if (depth > MODEST_DEPTH || parts > MODEST_PARTS) return false;
  }
  return true;
}

/** Whether it has a key that could change a prototype. */
export function hasForbiddenKey(value: unknown): boolean {
  for (const { key, part } of partsOf(value)) {
    if (key === '__proto__') return true;
    if (key === 'constructor' && typeof part === 'object' && part && Object.hasOwn(part, 'prototype'))
      return true;
  }
  return false;
}

export function isSameJson(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return Object.is(left, right);
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const [leftKeys, rightKeys] = [Object.keys(left), Object.keys(right)];
  return (
    leftKeys.length === rightKeys.length &&
    leftKeys.every(
      (key) => Object.hasOwn(right, key) && isSameJson((left as JsonObject)[key], (right as JsonObject)[key]),
    )
  );
}

function* partsOf(whole: unknown): Generator<{ key: string; part: unknown; depth: number }> {
  const left = [{ key: '', part: whole, depth: 0 }];
  for (let next = left.pop(); next; next = left.pop()) {
    yield next;
    const { part, depth } = next;
    if (typeof part !== 'object' || part === null) continue;
    for (const key of Object.keys(part))
      left.push({ key, part: (part as JsonObject)[key], depth: depth + 1 });
  }
}
