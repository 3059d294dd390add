/** The list of logins: what asks for attention is first. */
import { kindOf } from '../../../shared/functions.ts';
import type { LoginRow } from '../../api.ts';
import { isFailing, ORIGINS, typeWord, VERDICTS } from '../words.ts';

export interface Section {
  title: string;
  rows: LoginRow[];
  /** Whether its rows wait for a click. */
  isFolded: boolean;
}

type Placed = { title: string; holds: (row: LoginRow) => boolean };

const SHIPPED = 'Samples of login-hooks';

/** A login stands in the first of these that holds. */
const SECTIONS: readonly Placed[] = [
  { title: 'Should not get in', holds: ({ isWronglyIn }) => isWronglyIn },
  { title: 'Failed', holds: isFailing },
  { title: 'Changed', holds: ({ changes, isShipped }) => changes.length > 0 && !isShipped },
  { title: 'Not as expected', holds: ({ verdict }) => verdict === 'differs' },
  { title: 'Signed in', holds: ({ origin }) => origin === 'signed in' },
  { title: 'Received', holds: ({ origin }) => origin === 'received' },
  { title: 'Pasted', holds: ({ origin }) => origin === 'pasted' },
  { title: 'Samples', holds: ({ isShipped }) => !isShipped },
  { title: SHIPPED, holds: () => true },
];

/** Sections that have logins, one's own first, by name; those that came are by time, the last one first. */
export function sectionsOf(logins: readonly LoginRow[], filter: string): Section[] {
  const found = matching(logins, filter);
  const titles = Map.groupBy(found, (row) => SECTIONS.find(({ holds }) => holds(row))?.title ?? '');
  return SECTIONS.flatMap(({ title }) => {
    const rows = titles.get(title);
    return rows ? [{ title, rows: rows.toSorted(inOrder), isFolded: title === SHIPPED }] : [];
  });
}

const collator = new Intl.Collator('en', { numeric: true });

function inOrder(one: LoginRow, other: LoginRow): number {
  return (
    Number(one.isShipped) - Number(other.isShipped) ||
    (other.at ?? 0) - (one.at ?? 0) ||
    collator.compare(one.name, other.name) ||
    collator.compare(one.functionName, other.functionName)
  );
}

/** Logins whose texts have every word of the filter, in any case. */
function matching(logins: readonly LoginRow[], filter: string): LoginRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...logins];
  return logins.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function textOf({ type, verdict, origin, ...row }: LoginRow): string {
  const { name, person, issuer, sentence, reason, handler, functionName } = row;
  const words = [typeWord(type).word, VERDICTS[verdict].word, ORIGINS[origin], kindOf(functionName)];
  return [name, person, issuer, sentence, reason, handler, functionName, ...words].join('\n');
}

/** The login that is open before one is chosen: the last real one, else the first failure, else the first of the list. */
export function openedFirst(logins: readonly LoginRow[]): LoginRow | null {
  const isReal = ({ origin }: LoginRow) => origin === 'received' || origin === 'signed in';
  const [last] = logins.filter(isReal).toSorted(inOrder);
  return last ?? sectionsOf(logins, '')[0]?.rows[0] ?? null;
}
