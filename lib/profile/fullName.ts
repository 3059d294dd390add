import { MAX_NAME_LENGTH, trimmed } from '../text.ts';

/**
 * Splits a full name: "Lovelace, Ada" at the comma, otherwise the last word is the family name. A single word is
 * a first name. A text with `@` is not a name: providers put addresses there.
 */
export function splitFullName(fullName: string): { first_name: string | null; last_name: string | null } {
  const name = fullName.trim();
  if (name.includes('@') || name.length > MAX_NAME_LENGTH) return { first_name: null, last_name: null };
  const comma = name.indexOf(',');
  if (comma >= 0)
    return { first_name: trimmed(name.slice(comma + 1)), last_name: trimmed(name.slice(0, comma)) };
  const lastSpace = name.search(/\s\S+$/);
  if (lastSpace < 0) return { first_name: trimmed(name), last_name: null };
  return { first_name: trimmed(name.slice(0, lastSpace)), last_name: trimmed(name.slice(lastSpace)) };
}
