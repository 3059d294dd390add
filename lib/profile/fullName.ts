/** Names of people: what can be shown of one, and the two parts of a full name. */

import { MAX_NAME_LENGTH, showable, trimmed } from '../text.ts';

/** The parts of a full name as they can be shown; null for a part that is not there. */
export function namesIn(fullName: string): ReturnType<typeof splitFullName> {
  const { first_name, last_name } = splitFullName(fullName);
  return {
    first_name: first_name && usableName(first_name),
    last_name: last_name && usableName(last_name),
  };
}

/** A name as it can be shown; null where nothing of it is left. */
export function usableName(value: string): string | null {
  return value.length > MAX_NAME_LENGTH ? null : trimmed(showable(value));
}

/**
 * Splits a full name: "Lovelace, Ada" at the comma, otherwise the last word is the family name. A single word is
 * a first name. A text with `@` is not a name: providers put addresses there.
 */
function splitFullName(fullName: string): { first_name: string | null; last_name: string | null } {
  const name = fullName.trim();
  if (name.includes('@') || name.length > MAX_NAME_LENGTH) return { first_name: null, last_name: null };
  const comma = name.indexOf(',');
  if (comma >= 0)
    return { first_name: trimmed(name.slice(comma + 1)), last_name: trimmed(name.slice(0, comma)) };
  const lastSpace = name.search(/\s\S+$/);
  if (lastSpace < 0) return { first_name: trimmed(name), last_name: null };
  return { first_name: trimmed(name.slice(0, lastSpace)), last_name: trimmed(name.slice(lastSpace)) };
}
