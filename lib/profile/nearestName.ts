/** Which of the names that arrived an operator may have meant. */
import { asciiLowerCase, inWords } from '../text.ts';

/** More than this part of the longer name differs between names that mean different things. */
const MAX_DIFFERENCE = 0.4;

/** "Did not arrive: memberOff (similar name that arrived: memberOf) and roles." */
export function notArrived(wanted: readonly string[], received: readonly string[]): string {
  const told = wanted.map((name) => {
    const nearest = nearestName(name, received);
    return nearest === null ? name : `${name} (similar name that arrived: ${nearest})`;
  });
  return `Did not arrive: ${inWords(told, 'and')}.`;
}

/** The name that is most like another one; null where none is like it. Of URIs, the last part counts. */
export function nearestName(wanted: string, names: readonly string[]): string | null {
  const own = ownPart(wanted);
  let nearest: string | null = null;
  let least = MAX_DIFFERENCE;
  for (const name of names) {
    const other = ownPart(name);
    const difference = editDistance(own, other) / Math.max(own.length, other.length);
    if (difference < least) [nearest, least] = [name, difference];
  }
  return nearest;
}

function ownPart(name: string): string {
  return asciiLowerCase(name).replace(/.*[/#:]/, '');
}

/** How many characters have to be added, taken out or replaced (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, character] of Array.from(from).entries()) {
    const next = [index + 1];
    for (const [at, other] of Array.from(to).entries()) {
      const replaced = (row[at] as number) + (character === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row.at(-1) as number;
}
