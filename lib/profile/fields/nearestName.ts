/** Which of the names that arrived an operator may have meant. */
import { distance } from 'fastest-levenshtein';
import { asciiLowerCase, inWords, showableNames } from '../../text.ts';
import type { RuleReader } from './reader.ts';

/** More than this part of the longer name differs between names that mean different things. */
const MAX_DIFFERENCE = 0.4;
/** Of a name that is another one with words beside it, such as `groups_direct`. */
const MORE_WORDS = 0.3;

/**
 * "Did not arrive: memberOff (similar name that arrived: memberOf) and roles." Of names one level below others only one that is
 * the same is shown, because others may be values.
 *
 * @param fix what the operator can do
 */
export function notArrived(
  wanted: readonly string[],
  reader: Pick<RuleReader, 'allNames' | 'nestedNames'>,
  fix: string,
): { note: string } {
  const received = showableNames(reader.allNames()).names;
  const nested = reader.nestedNames();
  const told = wanted.map((name) => {
    if (received.includes(name)) return `${name} (null arrived)`;
    const deeper = nested.filter(({ key }) => key === name).map((one) => one.name);
    const nearest = showableNames(deeper).names[0] ?? nearestName(name, received);
    return nearest === null ? name : `${name} (similar name that arrived: ${nearest})`;
  });
  return { note: `Did not arrive: ${inWords(told, 'and')}. ${fix}` };
}

/** The name that is most like another one; null where none is like it. Of URIs, the last part counts. */
export function nearestName(wanted: string, names: readonly string[]): string | null {
  const own = ownPart(wanted);
  let nearest: string | null = null;
  let least = MAX_DIFFERENCE;
  for (const name of names) {
    const difference = differenceOf(own, ownPart(name));
    if (difference < least) [nearest, least] = [name, difference];
  }
  return nearest;
}

function ownPart(name: string): string {
  return asciiLowerCase(name).replace(/.*[/#:]/, '');
}

function differenceOf(one: string, other: string): number {
  const [shorter, longer] = [one, other].sort((a, b) => a.length - b.length) as [string, string];
  if (shorter === '') return 1;
  const difference = distance(shorter, longer) / longer.length;
  return wordsOf(longer).includes(wordsOf(shorter)) ? Math.min(difference, MORE_WORDS) : difference;
}

function wordsOf(name: string): string {
  return `_${name.replace(/[.-]/g, '_')}_`;
}
