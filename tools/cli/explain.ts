/** How a response came about, for people: the trace of a decision as short tables. */

import type { GroupsTrace, RuleTrace, SourceTrace, Trace } from '../../lib/profile/decision.ts';
import { showable } from '../../lib/text.ts';
import type { Answered } from '../engine/answered.ts';
import { guessedNodes, textAt } from '../engine/eventNodes.ts';
import { shortName, shortPath } from '../engine/sentence.ts';
import { table } from './table.ts';

export interface Explained {
  answered: Pick<Answered, 'records' | 'response'>;
  /** What was answered, as it arrives. */
  event: unknown;
  /** Whether the texts of the event are shown. They are read from the event: the function logs none. */
  showsValues: boolean;
}

/** In characters. */
const MAX_VALUE = 60;
const MAX_LINE = 100;

export function explain({ answered: { records, response }, ...explained }: Explained): string {
  const login = records.find(({ event }) => event === 'login');
  if (!login) return 'There is no log record of the login.';
  const traced = records.find(({ trace }) => trace !== undefined);
  const head = [`answer   ${login.answer}`, `reason   ${login.reason}`, `handler  ${login.handler}`];
  if (login.issuer !== undefined) head.push(`issuer   ${login.issuer}`);
  if (Array.isArray(login.problems)) head.push(...login.problems.map((problem) => `problem  ${problem}`));
  if (Array.isArray(login.droppedFields)) head.push(`dropped  ${login.droppedFields.join(', ')}`);
  const parts = traced ? explainTrace(traced.trace as Trace, explained) : explainGuess(response, explained);
  return [head.join('\n'), ...parts].join('\n\n');
}

type Shown = Omit<Explained, 'answered'>;

function explainTrace(trace: Trace, shown: Shown): string[] {
  const { fields, groups, rules, rule, decided, received } = trace;
  const others = received.others > 0 ? [`${received.others} under other names`] : [];
  return [
    ...(Object.keys(fields).length > 0 ? [fieldTable(fields, shown)] : []),
    ...notFound(fields),
    ...(groups ? groupParts(groups, shown) : []),
    ...(rules && rules.length > 0 ? [ruleTable(rules, rule)] : []),
    ...(rule && !rules ? [`refused by ${rule}`] : []),
    ...(decided ? [`decided ${decided}; the handler answered something else`] : []),
    listed('received', [...received.names, ...others]),
  ];
}

function fieldTable(fields: Trace['fields'], shown: Shown): string {
  const rows = Object.entries(fields).map(([field, { found, path = '', note = '' }]) => [
    field,
    shortName(found ?? '-'),
    path,
    note,
    ...valueCells(path, shown),
  ]);
  return table(['field', 'from', 'at', 'note', ...valueTitle(shown)], rows);
}

/** What was tried for each field without a value, and what to do about it. */
function notFound(fields: Trace['fields']): string[] {
  return Object.entries(fields)
    .filter(([, { found }]) => found === null)
    .map(([field, { tried, hint }]) =>
      [listed(`${field}: tried`, tried), ...(hint ? [hint] : [])].join('\n'),
    );
}

function groupParts({ sources = [], values = [], ...counts }: GroupsTrace, shown: Shown): string[] {
  const { known, received, mapped, unmatched, note, table: rowsTable } = counts;
  const count = known ? `${received} received, ${mapped} mapped, ${unmatched} unmatched` : 'not known';
  const summary = `groups  ${count}${note ? ` (${note})` : ''}`;
  const sourceRows = sources.map((source) => [source.from, shortName(source.name), gaveWords(source)]);
  const groupRows = values.map(({ path, rows }) => [
    path,
    rows.map((row) => `${shortPath(rowsTable?.path)}[${row}]`).join(', ') || 'no row',
    ...valueCells(path, shown),
  ]);
  return [
    table(['groups.from', 'name', 'gave'], sourceRows),
    ...(groupRows.length > 0 ? [table(['group at', 'row', ...valueTitle(shown)], groupRows)] : []),
    summary,
  ];
}

function gaveWords({ gave, count }: SourceTrace): string {
  if (gave === 'groups') return count === 1 ? '1 group' : `${count} groups`;
  if (gave === 'unused') return 'unused: other texts go before its own';
  return gave === 'overage' ? 'overage: the provider left groups out, or sent another form' : gave;
}

function ruleTable(rules: readonly RuleTrace[], decisive: string | undefined): string {
  const rows = rules.map(({ path, verdict }) => [
    shortPath(path),
    path === decisive ? `${verdict}: this decided` : verdict,
  ]);
  return table(['rule', 'verdict'], rows);
}

function explainGuess(response: Answered['response'], shown: Shown): string[] {
  const none = 'No default handler and no mapping decided this: there is no trace.';
  const nodes = response?.type === 'AuthorizedUserResponse' ? guessedNodes(shown.event, response) : [];
  if (nodes.length === 0) return [none];
  const rows = nodes.map(({ field, path, isWhole, text }) => [
    field,
    path,
    isWhole ? 'the whole text' : 'a part',
    ...(shown.showsValues ? [shownValue(text)] : []),
  ]);
  const guess = 'A guess: texts of the event that occur in the response.';
  return [`${none}\n${guess}`, table(['field', 'event', 'has', ...valueTitle(shown)], rows)];
}

function valueTitle({ showsValues }: Shown): string[] {
  return showsValues ? ['value'] : [];
}

function valueCells(path: string, { event, showsValues }: Shown): string[] {
  if (!showsValues) return [];
  const text = path === '' ? null : textAt(event, path);
  return [text === null ? '-' : shownValue(text)];
}

/** A value cannot move the cursor or hide what is beside it. */
function shownValue(text: string): string {
  const whole = JSON.stringify(showable(text));
  return whole.length > MAX_VALUE ? `${whole.slice(0, MAX_VALUE)}…` : whole;
}

/** Items after a title, in lines that begin below the first item. */
function listed(title: string, items: readonly string[]): string {
  const lines: string[] = [];
  for (const word of (items.join(', ') || 'nothing').split(' ')) {
    const line = lines.pop();
    if (line === undefined) lines.push(word);
    else if (line.length + word.length < MAX_LINE) lines.push(`${line} ${word}`);
    else lines.push(line, word);
  }
  return `${title}  ${lines.join(`\n${' '.repeat(title.length + 2)}`)}`;
}
