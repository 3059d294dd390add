/** What `npm run check` prints. */
import { styleText } from 'node:util';
import { type Difference, differencesOf } from '../explain/differences.ts';
import { type GroupNames, groupNamesIn, nameAfter } from '../explain/groupNames.ts';
import { type Verdict, wronglyIn } from '../explain/judgedSamples.ts';
import { labelOf, type SampleEvent } from '../local/events.ts';
import type { InvocationResult } from '../local/invocation.ts';
import { table } from '../shared/table.ts';
import { collapsedLine, isCollapsed } from './collapsed.ts';
import { droppedLines, failureLines } from './failure.ts';

export interface Checked {
  sample: SampleEvent;
  /** `default`, or what was given or configured. */
  handler: string;
  answered: InvocationResult;
  verdict: Verdict;
}

/** What an event was answered before, or was expected to be. */
export type Before = Pick<InvocationResult, 'status' | 'response' | 'failed' | 'reason' | 'records'>;

export interface Compared {
  sample: SampleEvent;
  before: Before;
  after: InvocationResult;
}

/** A row an event, then what differs, then the count. */
export function checkReport(all: readonly Checked[], stream: NodeJS.WriteStream, showsAll: boolean): string {
  const shown = showsAll ? all : all.filter((one) => !isCollapsed(one));
  const parts = [
    ...eventsTable(shown, stream),
    ...detailsOf(shown, stream),
    ...droppedFields(shown),
    totals(all, showsAll),
  ];
  return parts.join('\n\n');
}

/** A row an event, those first that get in and should not; an empty list where there is none. */
export function eventsTable(all: readonly Checked[], stream: NodeJS.WriteStream): string[] {
  if (all.length === 0) return [];
  const isIn = ({ verdict }: Checked) => Number(wronglyIn(verdict) !== null);
  const rows = all.toSorted((one, other) => isIn(other) - isIn(one)).map((one) => rowOf(one, stream));
  return [table(['event', 'handler', 'response', 'reason', 'ms', ''], rows)];
}

function rowOf({ sample, handler, answered, verdict }: Checked, stream: NodeJS.WriteStream): string[] {
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
export function detailsOf(all: readonly Checked[], stream: NodeJS.WriteStream): string[] {
  const names = groupNamesIn(all.map(({ answered }) => answered));
  const labels = Map.groupBy(all, (checked) => detailOf(checked, stream, names));
  return [...labels].flatMap(([detail, [first, ...others]]) => {
    if (detail === '' || first === undefined) return [];
    const label = labelOf(first.sample);
    const heading = others.length > 0 ? `${others.length + 1} events, the first is ${label}` : label;
    return [`${heading}\n${detail}`];
  });
}

/** Lines; an empty text where nothing is wrong. */
export function detailOf(
  { answered, verdict }: Checked,
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

function droppedFields(all: readonly Checked[]): string[] {
  const names = [...new Set(all.flatMap(({ answered }) => answered.droppedFields))];
  return droppedLines(names);
}

/** How many are as expected, and what was not compared. */
export function totals(all: readonly Checked[], showsAll: boolean): string {
  if (showsAll) return summary(all).join('\n');
  return [...summary(all.filter((one) => !isCollapsed(one))), ...collapsedLine(all)].join('\n');
}

function summary(all: readonly Checked[]): string[] {
  if (all.length === 0) return [];
  const count = (...kinds: Verdict['kind'][]) =>
    all.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
  const compared = count('expected', 'differs', 'failed');
  const [others, unknown] = [count('other'), count('unknown')];
  return [
    compared > 0
      ? `${count('expected')} of ${compared} events as expected`
      : `No event has an expected response of the handler in force${unknown > 0 ? '' : ': save a login in events/, and --update writes it'}`,
    ...(others > 0 ? [`${others} not compared: they expect another handler`] : []),
    ...(unknown > 0 ? [`${unknown} without an expected response: --update writes it`] : []),
  ];
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
