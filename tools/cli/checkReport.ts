/** What `npm run check` prints. */
import { styleText } from 'node:util';
import { type Difference, differencesOf } from '../explain/differences.ts';
import { type GroupNames, groupNamesIn, nameAfter } from '../explain/groupNames.ts';
import type { Verdict } from '../explain/judgedSamples.ts';
import type { Answered } from '../local/answered.ts';
import type { SampleEvent } from '../local/events.ts';
import { table } from '../shared/table.ts';
import { failureLines } from './failure.ts';

export interface Checked {
  sample: SampleEvent;
  /** `default`, or what was given or configured. */
  handler: string;
  answered: Answered;
  verdict: Verdict;
}

export interface Compared {
  sample: SampleEvent;
  before: Answered;
  after: Answered;
}

export function labelOf({ functionName, name }: SampleEvent): string {
  return `${functionName}/${name}`;
}

/** A row an event, then what differs, then the count. */
export function checkReport(all: Checked[], stream: NodeJS.WriteStream): string {
  const rows = all.map(rowOf);
  const names = groupNamesIn(all.map(({ answered }) => answered));
  const parts = [
    table(['event', 'handler', 'response', 'reason', 'ms', ''], rows),
    ...all.flatMap((checked) => detailOf(checked, stream, names)),
    ...droppedFields(all),
    summary(all),
  ];
  return parts.join('\n\n');
}

function rowOf({ sample, handler, answered, verdict }: Checked): string[] {
  const { response, reason, ms } = answered;
  return [labelOf(sample), handler, String(response?.type ?? '-'), reason, ms.toFixed(1), shown(verdict)];
}

function shown(verdict: Verdict): string {
  if (verdict.kind === 'other') return `expects ${verdict.handler}`;
  return { expected: '', unknown: 'no expected response', failed: 'FAILED', differs: 'DIFFERS' }[
    verdict.kind
  ];
}

/** What is wrong with a response; an empty list where nothing is. */
export function detailOf(
  { sample, answered, verdict }: Checked,
  stream: NodeJS.WriteStream,
  names = groupNamesIn([answered]),
): string[] {
  // An expected failure needs no cure.
  const lines =
    verdict.kind === 'expected' ? [] : failureLines({ ...answered, droppedFields: [] }, stream, '  ');
  if (verdict.kind === 'differs') lines.unshift(...differenceLines(verdict.differences, names, stream));
  return lines.length === 0 ? [] : [[labelOf(sample), ...lines].join('\n')];
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

function droppedFields(all: Checked[]): string[] {
  const names = [...new Set(all.flatMap(({ answered }) => answered.droppedFields))];
  return names.length === 0 ? [] : [`Unknown fields of responses, which are left out: ${names.join(', ')}`];
}

export function summary(all: Checked[]): string {
  const count = (...kinds: Verdict['kind'][]) =>
    all.filter(({ verdict }) => kinds.includes(verdict.kind)).length;
  const compared = count('expected', 'differs', 'failed');
  const lines = [`${count('expected')} of ${compared} events as expected`];
  if (count('other') > 0) lines.push(`${count('other')} not compared: they expect another handler`);
  if (count('unknown') > 0)
    lines.push(`${count('unknown')} without an expected response: --update writes it`);
  return lines.join('\n');
}

/** @param against the handler whose responses are compared with those of the handlers in force */
export function compareReport(
  all: Compared[],
  against: string,
  stream: NodeJS.WriteStream,
): { text: string; differ: number } {
  const details = all.flatMap(({ sample, before, after }) => {
    const lines = changedLines(before, after, stream);
    return lines.length === 0 ? [] : [[labelOf(sample), ...lines].join('\n')];
  });
  const differ = details.length;
  return {
    differ,
    text: [
      ...details,
      `${differ} of ${all.length} events have another response from ${against} than from ${handlersOf(all)}`,
    ].join('\n\n'),
  };
}

/** The handlers in force, by the log. */
function handlersOf(all: Compared[]): string {
  return [...new Set(all.map(({ before }) => before.handler))].join(', ');
}

export function changedLines(before: Answered, after: Answered, stream: NodeJS.WriteStream): string[] {
  if (before.failed === null && after.failed === null) {
    const lines = differenceLines(differencesOf(before, after), groupNamesIn([before, after]), stream);
    return lines.length === 0 ? [] : [...lines, ...failureLines(after, stream, '  ')];
  }
  const side = (sign: string, { failed, response, reason }: Answered) =>
    `  ${sign} ${failed === null ? `${response?.type} ${reason}` : `failed: ${failed}`}`;
  return [side('-', before), side('+', after), ...failureLines(after, stream, '  ')];
}
