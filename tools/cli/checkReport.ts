/** What `check`, `test` and `verify --try` print of a run. */
import { styleText } from 'node:util';
import { cardOf } from '../explain/card.ts';
import {
  type Difference,
  differencesOf,
  type GroupNames,
  groupNamesIn,
  nameAfter,
} from '../explain/differences.ts';
import { type Verdict, wronglyIn } from '../explain/judgedSamples.ts';
import { isOwnSample, labelOf } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { findingText, inOrder } from '../shared/finding.ts';
import { table } from '../shared/table.ts';
import type { Before, CheckedRow, Compared, RunResult } from './checked.ts';
import { coverageText } from './coverageReport.ts';
import { cardText } from './explain.ts';
import { droppedLines, failureLines } from './failure.ts';

export interface ReportOptions {
  /** Whether each event has a row. */
  hasRows: boolean;
  /** Whether samples that login-hooks ships are shown like one's own. */
  showsAll: boolean;
}

/** A row an event, what differs, what was found, what answers, and a last line with the counts. */
export function runReport(
  { events, problems, findings, coverage, inForce, totals }: RunResult,
  { hasRows, showsAll }: ReportOptions,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  const shown = showsAll ? events : events.filter((one) => !isCollapsed(one));
  const parts = [
    ...(hasRows ? eventsTable(shown, stream) : []),
    ...detailsOf(shown, stream),
    ...droppedFields(shown),
    ...(coverage === null || !hasRows ? [] : [coverageText(coverage)]),
    ...problems,
    ...inOrder(findings).map((finding) => findingText(finding, stream)),
    [...inForce, ...lastLines(events, showsAll, totals)].join('\n'),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

export function isWrong({ events, problems, findings }: RunResult): boolean {
  return (
    problems.length > 0 ||
    findings.some(({ level }) => level === 'error') ||
    events.some(({ verdict }) => verdict.kind === 'differs' || verdict.kind === 'failed')
  );
}

/** A row an event, those first that get in and should not; an empty list where there is none. */
export function eventsTable(all: readonly CheckedRow[], stream: NodeJS.WriteStream): string[] {
  if (all.length === 0) return [];
  const isIn = ({ verdict }: CheckedRow) => Number(wronglyIn(verdict) !== null);
  const rows = all.toSorted((one, other) => isIn(other) - isIn(one)).map((one) => rowOf(one, stream));
  return [table(['event', 'handler', 'response', 'reason', 'ms', ''], rows)];
}

function rowOf({ sample, handler, answered, verdict }: CheckedRow, stream: NodeJS.WriteStream): string[] {
  const { response, reason, ms } = answered;
  const wrong = wronglyIn(verdict);
  const remark = wrong === null ? shown(verdict) : styleText('red', wrong, { stream });
  return [labelOf(sample), handler, String(response?.type ?? '-'), reason, ms.toFixed(1), remark];
}

function shown(verdict: Verdict): string {
  if (verdict.kind === 'other') return `expects ${verdict.handler}`;
  return { expected: '', unknown: 'no expected response', failed: 'FAILED', differs: 'DIFFERS' }[
    verdict.kind
  ];
}

/** What is wrong with responses, each mistake once: below the first event that has it. */
export function detailsOf(all: readonly CheckedRow[], stream: NodeJS.WriteStream): string[] {
  const names = groupNamesIn(all.map(({ answered }) => answered));
  const labels = Map.groupBy(all, (checked) => detailOf(checked, stream, names));
  return [...labels].flatMap(([detail, [first, ...others]]) => {
    if (detail === '' || first === undefined) return [];
    const label = labelOf(first.sample);
    const heading = others.length > 0 ? `${others.length + 1} events, the first is ${label}` : label;
    return [[heading, detail, ...whyLines(first)].join('\n')];
  });
}

/** What decided a login that is not answered as expected. The differences above show its values too. */
function whyLines({
  sample: { event, functionName },
  answered,
  verdict,
  reads = null,
}: CheckedRow): string[] {
  if (verdict.kind !== 'differs') return [];
  const card = cardText(cardOf({ answered, event, functionName }, { reads }), true);
  return card.split('\n').map((line) => `    ${line}`);
}

/** Lines; an empty text where nothing is wrong. */
export function detailOf(
  { answered, verdict }: CheckedRow,
  stream: NodeJS.WriteStream,
  names = groupNamesIn([answered]),
): string {
  // An expected failure needs no cure.
  if (verdict.kind === 'expected') return '';
  const differences = verdict.kind === 'differs' ? differenceLines(verdict.differences, names, stream) : [];
  return [...differences, ...failureLines({ ...answered, droppedFields: [] }, stream, '  ')].join('\n');
}

function differenceLines(
  differences: readonly Difference[],
  names: GroupNames,
  stream: NodeJS.WriteStream,
): string[] {
  const paint = (style: 'red' | 'green', text: string) => styleText(style, text, { stream });
  return differences.map((difference) => {
    if ('before' in difference) {
      const { field, before, after } = difference;
      return `  ${field}: ${paint('red', textOf(before))} → ${paint('green', textOf(after))}`;
    }
    const { field, added, removed } = difference;
    const items = [
      ...removed.map((item) => paint('red', `- ${textOf(item)}${nameAfter(item, names)}`)),
      ...added.map((item) => paint('green', `+ ${textOf(item)}${nameAfter(item, names)}`)),
    ];
    return `  ${field}: ${items.join(', ')}`;
  });
}

function textOf(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

function droppedFields(all: readonly CheckedRow[]): string[] {
  const names = [...new Set(all.flatMap(({ answered }) => answered.droppedFields))];
  return droppedLines(names);
}

/** A line for the samples that login-hooks ships, where they have no rows; and the last, which counts what was compared and what not. */
export function lastLines(
  all: readonly CheckedRow[],
  showsAll: boolean,
  totals: readonly string[],
): string[] {
  const collapsed = showsAll ? [] : all.filter(isCollapsed);
  const counted = [...counts(all.filter((one) => !collapsed.includes(one))), ...totals];
  return [...collapsedLine(collapsed), ...(counted.length > 0 ? [counted.join(', ')] : [])];
}

function counts(all: readonly CheckedRow[]): string[] {
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

/** Whether nothing has to be said of an event: login-hooks ships it, and it is as expected or for another handler. */
export function isCollapsed({ sample, verdict }: Pick<CheckedRow, 'sample' | 'verdict'>): boolean {
  return !isOwnSample(sample) && (verdict.kind === 'expected' || verdict.kind === 'other');
}

/** What is told of events without a row; none where each has one. */
export function collapsedLine(all: readonly Pick<CheckedRow, 'sample' | 'verdict'>[]): string[] {
  const collapsed = all.filter(isCollapsed);
  if (collapsed.length === 0) return [];
  const expected = collapsed.filter(({ verdict }) => verdict.kind === 'expected').length;
  const others = collapsed.length - expected;
  const parts = [
    ...(expected > 0 ? [`${expected} as expected`] : []),
    ...(others > 0 ? [`${others} for another handler`] : []),
  ];
  return [`Samples of login-hooks: ${parts.join(', ')}; --all shows each`];
}

/** @param than with what is compared, e.g. `than is expected at main` */
export function compareReport(
  all: Compared[],
  than: string,
  stream: NodeJS.WriteStream,
): { text: string; differ: number } {
  const details = all.flatMap(({ sample, before, after }) => {
    const lines = changedLines(before, after, stream);
    return lines.length === 0 ? [] : [[labelOf(sample), ...lines].join('\n')];
  });
  const differ = details.length;
  return {
    differ,
    text: [...details, `${differ} of ${all.length} events have another response ${than}`].join('\n\n'),
  };
}

export function changedLines(before: Before, after: InvocationResult, stream: NodeJS.WriteStream): string[] {
  if (before.failed === null && after.failed === null) {
    const lines = differenceLines(differencesOf(before, after), groupNamesIn([before, after]), stream);
    return lines.length === 0 ? [] : [...lines, ...failureLines(after, stream, '  ')];
  }
  const side = (sign: string, { failed, response, reason }: Before) =>
    `  ${sign} ${failed === null ? `${response?.type} ${reason}` : `failed: ${failed}`}`;
  return [side('-', before), side('+', after), ...failureLines(after, stream, '  ')];
}
