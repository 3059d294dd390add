/** Scoped affiliations, one in a text or several joined without anything between them. */
import { asciiLower } from './evidence.ts';

const VOCABULARY = [
  ...['faculty', 'student', 'staff', 'alum', 'member', 'affiliate', 'employee', 'library-walk-in'],
];

export interface ScopedAffiliation {
  affiliation: string;
  scope: string;
}

/** Several in one text count only where there is exactly one way to read it, at scopes that are listed whole. */
export function affiliationsIn(text: string, scopes: readonly string[]): ScopedAffiliation[] {
  const at = text.split('@');
  if (at.length <= 2) return at.length === 2 ? [{ affiliation: at[0] ?? '', scope: at[1] ?? '' }] : [];
  const pieces = VOCABULARY.flatMap((affiliation) =>
    scopes.filter((scope) => !scope.startsWith('*')).map((scope) => `${affiliation}@${asciiLower(scope)}`),
  );
  const [only, ...others] = waysToRead(asciiLower(text), [...new Set(pieces)]);
  if (!only || others.length > 0) return [];
  return only.map((piece) => {
    const [affiliation = '', scope = ''] = piece.split('@');
    return { affiliation, scope };
  });
}

/** Two of them at most: from the second on, they are too many. */
function waysToRead(text: string, pieces: readonly string[]): string[][] {
  const ways: string[][][] = [[[]]];
  for (let end = 1; end <= text.length; end++) {
    ways[end] = pieces
      .filter((piece) => text.slice(0, end).endsWith(piece))
      .flatMap((piece) => (ways[end - piece.length] ?? []).map((way) => [...way, piece]))
      .slice(0, 2);
  }
  return ways[text.length] ?? [];
}
