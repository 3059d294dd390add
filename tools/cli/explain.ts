/** How a response came about, for people: the explanation of a decision as short tables. */

import type { SourceTrace } from '../../lib/profile/groups/groupTable.ts';
import { showable } from '../../lib/text.ts';
import type { ExplainedField, ExplainedGroups, ExplainedRule } from '../explain/account.ts';
import { type Explanation, explanationOf } from '../explain/explanation.ts';
import type { HandlerRead, HandlerReads } from '../explain/reads.ts';
import { plainSentenceOf, shortName, shortPath } from '../explain/sentence.ts';
import type { InvocationResult } from '../local/invocation.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { ownMessage } from '../shared/ownWords.ts';
import { table } from '../shared/table.ts';

export interface Explained {
  answered: InvocationResult;
  /** What was answered, as it arrives. */
  event: unknown;
  /** `openidLoggedIn` or `samlLoggedIn`. */
  functionName: string;
  /** Whether the texts of the event are shown. They are read from the event: the function logs none. */
  showsValues: boolean;
  /** Null where no handler of code decided. */
  reads: HandlerReads | null;
}

/** In characters. */
const MAX_VALUE = 60;
const MAX_LINE = 100;

export function explain({ answered, event, functionName, showsValues, reads }: Explained): string {
  const login = answered.records.find((record) => record.event === 'login');
  if (!login) return 'The login has no log record.';
  const head = [`response ${login.answer}`, `reason   ${login.reason}`, `handler  ${login.handler}`];
  if (login.issuer !== undefined) head.push(`issuer   ${login.issuer}`);
  const own = ownMessage(String(answered.response?.message ?? ''));
  if (own) head.push(`message  standard, in ${own.language}`);
  if (Array.isArray(login.problems)) head.push(...login.problems.map((problem) => `problem  ${problem}`));
  if (Array.isArray(login.droppedFields)) head.push(`dropped  ${login.droppedFields.join(', ')}`);
  const explanation = explanationOf(answered, event, functionName);
  head.unshift(showsValues ? showable(explanation.sentence) : plainSentenceOf(answered), '');
  const values: Values = showsValues ? (value) => [value === null ? '-' : shownValue(value)] : () => [];
  const parts = explanation.isTraced ? decisionParts(explanation, values) : [noTrace(login, reads)];
  return [head.join('\n'), ...parts, ...(reads === null ? [] : readParts(reads))].join('\n\n');
}

/** The cells of a value: one, or none where values are not shown. */
type Values = (value: string | null) => string[];

function decisionParts(explanation: Explanation, values: Values): string[] {
  const { fields, groups, rules, decided, received } = explanation;
  const others = received?.others ? [`${received.others} under other names`] : [];
  return [
    ...(fields.length > 0 ? [fieldTable(fields, values)] : []),
    ...notFound(fields),
    ...(groups ? groupParts(groups, values) : []),
    ...(rules.length > 0 ? [ruleTable(rules)] : []),
    ...(decided ? [`decided ${decided}; the handler returned another response`] : []),
    listed('received', [...(received?.names ?? []), ...others]),
  ];
}

function fieldTable(fields: readonly ExplainedField[], values: Values): string {
  const rows = fields.map(({ field, from, path, note, value }) => [
    field,
    shortName(from ?? '-'),
    path,
    note,
    ...values(value),
  ]);
  return table(['field', 'from', 'at', 'note', ...valueTitle(values)], rows);
}

/** What was tried for each field without a value, and what to do about it. */
function notFound(fields: readonly ExplainedField[]): string[] {
  return fields
    .filter(({ from }) => from === null)
    .map(({ field, tried, hint }) => [listed(`${field}: tried`, tried), ...(hint ? [hint] : [])].join('\n'));
}

function groupParts(groups: ExplainedGroups, shown: Values): string[] {
  const { known, received, mapped, unmatched, note, sources, values, everybody } = groups;
  const count = known ? `${received} received, ${mapped} mapped, ${unmatched} unmatched` : 'not known';
  const sourceRows = sources.map((source) => [source.from, shortName(source.name), gaveWords(source)]);
  const groupRows = values.map(({ path, rows, value }) => [
    path,
    rows.map(shortPath).join(', ') || 'no row',
    ...shown(value),
  ]);
  return [
    table(['groups.from', 'name', 'gave'], sourceRows),
    ...(everybody.length > 0
      ? [
          table(
            ['everybody', 'user group'],
            everybody.map(({ path, uuid }) => [shortPath(path), uuid]),
          ),
        ]
      : []),
    ...(groupRows.length > 0 ? [table(['group at', 'row', ...valueTitle(shown)], groupRows)] : []),
    `groups  ${count}${note ? ` (${note})` : ''}`,
  ];
}

function gaveWords({ gave, count }: SourceTrace): string {
  if (gave === 'groups') return count === 1 ? '1 group' : `${count} groups`;
  if (gave === 'unused') return 'unused: other texts take precedence';
  if (gave === 'overage') return 'overage: the provider left groups out';
  return gave === 'other_form' ? 'in a form that is not read' : gave;
}

function ruleTable(rules: readonly ExplainedRule[]): string {
  const rows = rules.map(({ path, verdict, isDecisive }) => [
    shortPath(path),
    isDecisive ? `${verdict}: this decided` : verdict,
  ]);
  const notes = rules.map(({ note }) => note).filter((note) => note !== '');
  return [table(['rule', 'verdict'], rows), ...notes].join('\n');
}

/** A response of code has the decision of a mapping in it only where the code returns what the mapping returned. */
function noTrace({ handler, reason }: LogRecord, reads: HandlerReads | null): string {
  if (reads === null) return `No handler decided this: the login ended before (${reason}).`;
  return `The code of ${handler} decided this, and not a mapping in it.`;
}

/** The places of the event that a handler of code read. Their names are in the event: a cell cannot move the cursor. */
function readParts({ reads, problem }: HandlerReads): string[] {
  if (problem !== null) return [problem];
  const rows = reads.map(({ place, what, count }) => [
    showable(place),
    WHAT[what],
    count > 1 ? `${count} places` : '',
  ]);
  return [table(['the handler read', '', ''], rows)];
}

const WHAT: Readonly<Record<HandlerRead['what'], string>> = {
  value: '',
  whole: 'the whole of it',
  names: 'the names in it',
  absent: 'absent',
};

function valueTitle(values: Values): string[] {
  return values('').length > 0 ? ['value'] : [];
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
