/** The card of a login: what decided it, in the rows that apply. Each fact is said once, and the heading has one of them. */
import type { Detail } from './detail.ts';
import { type Path, valueAt } from './marks.ts';
import { NOTES } from './words.ts';

export interface CardRow {
  title: 'Rule' | 'Found' | 'Expected' | 'Change' | 'The person reads' | 'Warning';
  text: string;
  /** In the event; null where it is not from there. */
  at: Path | null;
}

/** The rows of what decides are of the explanation; here they get the titles of the card. */
const TITLES: Readonly<Record<string, CardRow['title']>> = {
  'Allowed by': 'Rule',
  Handler: 'Rule',
  Rule: 'Rule',
  Groups: 'Found',
  Found: 'Found',
  Arrived: 'Found',
  Missing: 'Expected',
  Expected: 'Expected',
  Cure: 'Change',
  Refused: 'Change',
  'The person reads': 'The person reads',
};
const ORDER: readonly CardRow['title'][] = [
  'Warning',
  'Rule',
  'Found',
  'Expected',
  'Change',
  'The person reads',
];

/** Of what code read, the first. */
const MAX_READS = 5;

export function cardOf(detail: Detail): CardRow[] {
  const { evidence, outcome } = detail;
  if (outcome === 'failed') return [];
  const rows: CardRow[] = evidence.flatMap(({ title, text, at }) => {
    const known = TITLES[title];
    return known === undefined ? [] : [{ title: known, text, at }];
  });
  const notes = evidence.flatMap(({ title, text }) => (title === 'Why' ? text.split(/(?<=\.) /) : []));
  const hasFound = rows.some(({ title }) => title === 'Found');
  if (!hasFound) rows.push(...found(detail, notes[0]));
  const [fix = ''] = fixes(detail, notes.slice(1).join(' '), rows);
  const others = rows.filter(({ title }) => title !== 'Change');
  const all = [...others, plain('Change', fix), ...warningsOf(detail)];
  const isSaid = new Set<string>();
  return all
    .filter(
      ({ title, text }) => text !== '' && !isSaid.has(`${title} ${text}`) && isSaid.add(`${title} ${text}`),
    )
    .toSorted((one, other) => ORDER.indexOf(one.title) - ORDER.indexOf(other.title));
}

function plain(title: CardRow['title'], text: string): CardRow {
  return { title, text, at: null };
}

/** Where nothing fitting was found, that is what there is to say. */
function found({ explanation, outcome, reads, record, event }: Detail, note: string | undefined): CardRow[] {
  const { groups, fields } = explanation;
  const absent = (groups?.sources ?? []).filter(({ gave }) => gave === 'absent').map(({ name }) => name);
  if (outcome === 'authorized') {
    const email = fields.find(({ field, value }) => field === 'email' && value !== null);
    return email ? [plain('Found', `${email.value} (${email.from})`)] : [];
  }
  if (note) return [plain('Found', note)];
  if (Array.isArray(record?.problems)) return record.problems.map((one) => plain('Found', String(one)));
  if (absent.length > 0) return [plain('Found', `nothing: ${absent.join(' and ')} are absent`)];
  const read = (reads?.reads ?? []).filter(({ what, count }) => what === 'value' && count === 1);
  const rows = read.slice(0, MAX_READS).map(({ path }) => ({
    title: 'Found' as const,
    text: String(valueAt(event, path)),
    at: path,
  }));
  return rows.length > 0 ? rows : [plain('Found', 'nothing')];
}

/** What mends a refusal that nobody expects: as it is known of the provider, or else as the mapping has it. */
function fixes(
  { findings, login: { answered, verdict } }: Detail,
  advice: string,
  rows: readonly CardRow[],
): string[] {
  if (verdict.kind === 'expected') return [];
  const known = findings.filter(({ code }) => code === answered.reason).map(({ change }) => change ?? '');
  const told = rows.filter(({ title }) => title === 'Change').map(({ text }) => text);
  return [...known, ...told, advice].filter((text) => text !== '');
}

/** Of somebody who gets in with an address that nobody vouches for. */
function warningsOf({ outcome, explanation: { fields } }: Detail): CardRow[] {
  if (outcome !== 'authorized') return [];
  return fields
    .filter(({ field, note }) => field === 'email' && NOTES[note] !== undefined)
    .flatMap(({ note, hint }) => [plain('Warning', `${NOTES[note]}. ${hint}`.trim())]);
}
