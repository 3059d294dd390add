/** What a run finds, and what `check`, `test` and `verify --try` print of it, and `npm start` of its events. */
import { styleText } from 'node:util';
import { cardOf } from '../explain/card.ts';
import { type Difference, type GroupNames, groupNamesIn, nameAfter } from '../explain/differences.ts';
import { explanationOf } from '../explain/explanation.ts';
import { type Judged, type Verdict, wronglyIn } from '../explain/judgedSamples.ts';
import type { HandlerReads } from '../explain/reads.ts';
import { labelOf } from '../local/events.ts';
import { type Finding, findingText, inOrder } from '../shared/finding.ts';
import { table } from '../shared/readable.ts';
import { cardText } from './explain.ts';
import { droppedLines, failureLines } from './failure.ts';

export interface Checked extends Judged {
  /** What a handler of code read, where the response is not the expected one. */
  reads?: HandlerReads | null;
  /** What is told of its response: that it is written as the expected one, or why it is not. */
  written?: Finding;
}

/** As events and reports name what answered: the handler as it was given or configured, or `default`. */
export function handlerOf({ handler }: Pick<Judged, 'handler'>): string {
  return handler?.given ?? 'default';
}

/** E.g. `Authorized` for `AuthorizedUserResponse`. */
export function shortType(type: unknown): string {
  return String(type ?? 'no response').replace(/(?:User)?Response$/, '');
}

export interface RunResult {
  events: readonly Checked[];
  /** What the compiler and the bundler say. */
  problems: readonly string[];
  findings: readonly Finding[];
  /** Which checks are off in an attack, and what answers each function; empty where not all events were asked. */
  inForce: readonly string[];
  /** What the last line says after the count of the events. */
  totals: readonly string[];
}

/**
 * Rows, what differs, what was found, what answers, and a last line with the counts.
 *
 * @param rows events that have a row each
 * @param details those of which it is told what is wrong
 */
export function runReport(
  { events, problems, findings, inForce, totals }: RunResult,
  rows: readonly Checked[],
  details = events,
): string {
  const parts = [
    ...eventsTable(rows),
    ...detailsOf(details),
    ...droppedLines(details.flatMap(({ answered }) => answered.droppedFields)),
    ...problems,
    ...inOrder(findings).map((finding) => findingText(finding)),
    [...inForce, [...countsOf(events), ...totals].join(', ')].filter(Boolean).join('\n'),
  ];
  return parts.join('\n\n');
}

export function isWrong({ events, problems, findings }: RunResult): boolean {
  return (
    problems.length > 0 ||
    findings.some(({ level }) => level === 'error') ||
    events.some(({ verdict }) => verdict.kind === 'differs' || verdict.kind === 'failed')
  );
}

/** A row an event, those first that get in and should not; an empty list where there is none. */
export function eventsTable(all: readonly Judged[]): string[] {
  if (all.length === 0) return [];
  const isIn = ({ verdict }: Judged) => Number(wronglyIn(verdict) !== null);
  const rows = all.toSorted((one, other) => isIn(other) - isIn(one)).map(rowOf);
  return [table(['event', 'handler', 'response', 'reason', 'ms', ''], rows)];
}

function rowOf(judged: Judged): string[] {
  const { sample, answered, verdict } = judged;
  const { response, reason, ms } = answered;
  const wrong = wronglyIn(verdict);
  const remark = wrong === null ? remarkOn(verdict) : painted('red', wrong);
  return [
    ...[labelOf(sample), handlerOf(judged), String(response?.type ?? '-')],
    ...[reason, ms.toFixed(1), remark],
  ];
}

const REMARKS = { expected: '', unknown: 'no expected response', failed: 'FAILED', differs: 'DIFFERS' };

function remarkOn(verdict: Verdict): string {
  return verdict.kind === 'other' ? `expects ${verdict.handler}` : REMARKS[verdict.kind];
}

/** What is wrong with responses, each mistake once: below the first event that has it. */
export function detailsOf(all: readonly Checked[]): string[] {
  const names = groupNamesIn(all.map(({ answered }) => answered));
  const labels = Map.groupBy(all, (checked) => detailOf(checked, names));
  return [...labels].flatMap(([detail, [first, ...others]]) => {
    if (detail === '' || first === undefined) return [];
    const label = labelOf(first.sample);
    const heading = others.length > 0 ? `${others.length + 1} events, the first is ${label}` : label;
    return [[heading, detail, ...whyLines(first)].join('\n')];
  });
}

/** What decided a login that is not answered as expected. The differences above show its values too. */
function whyLines({ sample: { event, functionName }, answered, verdict, reads = null }: Checked): string[] {
  if (verdict.kind !== 'differs') return [];
  const card = cardText(cardOf(explanationOf({ answered, event, functionName }), { reads }), true);
  return card.split('\n').map((line) => `    ${line}`);
}

/** Lines; an empty text where nothing is wrong: an expected failure needs no cure. */
function detailOf({ answered, verdict }: Checked, names: GroupNames): string {
  if (verdict.kind === 'expected') return '';
  const differences = verdict.kind === 'differs' ? verdict.differences : [];
  return [
    ...differences.map((difference) => differenceLine(difference, names)),
    ...failureLines({ ...answered, droppedFields: [] }, process.stdout, '  '),
  ].join('\n');
}

function differenceLine(difference: Difference, names: GroupNames): string {
  if ('before' in difference) {
    const { field, before, after } = difference;
    return `  ${field}: ${painted('red', textOf(before))} → ${painted('green', textOf(after))}`;
  }
  const { field, added, removed } = difference;
  const items = [
    ...removed.map((item) => painted('red', `- ${textOf(item)}${nameAfter(item, names)}`)),
    ...added.map((item) => painted('green', `+ ${textOf(item)}${nameAfter(item, names)}`)),
  ];
  return `  ${field}: ${items.join(', ')}`;
}

function painted(style: 'red' | 'green', text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

function textOf(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

/** What was compared, and what not. */
export function countsOf(all: readonly Judged[]): string[] {
  if (all.length === 0) return [];
  const count = (...kinds: Verdict['kind'][]) =>
    all.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
  const [others, unknown] = [count('other'), count('unknown')];
  return [
    `${count('expected')} of ${count('expected', 'differs', 'failed')} events as expected`,
    ...(others > 0 ? [`${others} not compared (they expect another handler)`] : []),
    ...(unknown > 0 ? [`${unknown} without an expected response (--update writes it)`] : []),
  ];
}
