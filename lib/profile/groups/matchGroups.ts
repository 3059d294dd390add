/** Which of an operator's groups a value names: by whole text, by its beginning, or by its distinguished name. */
import { parseDistinguishedName } from '../schema/distinguishedName.ts';
import type { Group } from '../schema/mappingSchema.ts';

interface Matching {
  /** The positions of the groups that the value names. */
  matches: number[];
  /** Whether the value may be a group that is given by its distinguished name: it cannot be read as one, or also as another one. */
  isUnclear: boolean;
}

/** A text with a colon before its first `=` is a URI, such as an entitlement: no attribute type has a colon. */
const LOOKS_LIKE_A_NAME = /^[^:=]*=/;

/**
 * Each value is read once, however many groups there are.
 *
 * @param form the form in which texts compare; default: as they are
 * @returns takes a value, and the value in that form where it is known
 */
export function groupMatcher(
  groups: readonly Group[],
  form: (text: string) => string = (text) => text,
): (value: string, text?: string) => Matching {
  const exact = new Map<string, number[]>();
  const prefixes: [string, number][] = [];
  const names = new NameTable(form);
  const suffixes = new NameTable(form);
  for (const [index, group] of groups.entries()) {
    if (typeof group === 'string') add(exact, form(group), index);
    else if ('prefix' in group) prefixes.push([form(group.prefix), index]);
    else if ('dn' in group) names.add(group.dn, index);
    else suffixes.add(group.dn_suffix, index);
  }
  const readsNames = names.lengths.size + suffixes.lengths.size > 0;

  return (value, text = form(value)) => {
    const matches = [...(exact.get(text) ?? [])];
    for (const [prefix, index] of prefixes) if (text.startsWith(prefix)) matches.push(index);
    if (!readsNames || !LOOKS_LIKE_A_NAME.test(value)) return { matches, isUnclear: false };
    const name = parseDistinguishedName(value);
    if (name === null) return { matches, isUnclear: true };
    const parts = name.parts.map(form);
    matches.push(...names.at(parts, parts.length));
    for (const length of suffixes.lengths) matches.push(...suffixes.at(parts, length));
    return { matches, isUnclear: name.hasOtherReading };
  };
}

/** The text of a group that is a text or begins with one; null for a distinguished name. */
export function textOf(group: Group): string | null {
  if (typeof group === 'string') return group;
  return 'prefix' in group ? group.prefix : null;
}

/** The distinguished name of a group, or of those below it; null for a text. */
export function distinguishedNameOf(group: Group): string | null {
  if (typeof group === 'string' || 'prefix' in group) return null;
  return 'dn' in group ? group.dn : group.dn_suffix;
}

/** Distinguished names by their last parts. Only the lengths that occur are looked up: joining every one is quadratic. */
class NameTable {
  readonly lengths = new Set<number>();
  readonly #entries = new Map<string, number[]>();
  readonly #form: (text: string) => string;

  constructor(form: (text: string) => string) {
    this.#form = form;
  }

  /** What is not a distinguished name names no group. */
  add(name: string, index: number): void {
    const read = parseDistinguishedName(name);
    if (read === null) return;
    this.lengths.add(read.parts.length);
    add(this.#entries, keyOf(read.parts.map(this.#form)), index);
  }

  /** The entries that equal the last `length` parts, which are in the form in which texts compare. */
  at(parts: readonly string[], length: number): number[] {
    if (length > parts.length) return [];
    return this.#entries.get(keyOf(parts.slice(parts.length - length))) ?? [];
  }
}

/** Commas inside parts are escaped: joined parts stay distinct. */
function keyOf(parts: readonly string[]): string {
  return parts.join(',');
}

function add(map: Map<string, number[]>, key: string, index: number): void {
  const indexes = map.get(key);
  if (indexes) indexes.push(index);
  else map.set(key, [index]);
}
