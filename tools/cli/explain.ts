/** How an answer came about, for people: the trace of a decision as tables. */
import type { Trace } from '../../lib/profile/decision.ts';
import type { LogRecord } from '../lambda/records.ts';
import { table } from './table.ts';

export function explain(records: readonly LogRecord[]): string {
  const login = records.find(({ event }) => event === 'login');
  if (!login) return 'There is no log record of the login.';
  const traced = records.find(({ trace }) => trace !== undefined);
  const lines = [`answer  ${login.answer}`, `reason  ${login.reason}`, `handler ${login.handler}`];
  if (Array.isArray(login.problems)) lines.push(...login.problems.map((problem) => `problem ${problem}`));
  if (Array.isArray(login.droppedFields)) lines.push(`dropped ${login.droppedFields.join(', ')}`);
  if (!traced)
    return [...lines, '', 'Neither a default handler nor a mapping looked at this event.'].join('\n');
  return [...lines, '', ...explainTrace(traced.trace as Trace)].join('\n');
}

function explainTrace({ fields, received, groups, rule, decided }: Trace): string[] {
  const rows = Object.entries(fields).map(([field, trace]) => [
    field,
    trace.found ?? '-',
    trace.note ?? '',
    trace.tried.join(', '),
  ]);
  const lines = [table(['field', 'found', 'note', 'tried, in this order'], rows), ''];
  for (const { hint } of Object.values(fields)) if (hint) lines.push(hint, '');
  if (groups) {
    const { known, mapped, unmatched, note } = groups;
    const count = known
      ? `${groups.received} received, ${mapped} mapped, ${unmatched} unmatched`
      : 'not known';
    lines.push(`groups    ${count}${note ? ` (${note})` : ''}`);
  }
  if (rule) lines.push(`refused by ${rule}`);
  if (decided) lines.push(`decided   ${decided}; the handler answered something else`);
  const others = received.others > 0 ? `, and ${received.others} under other names` : '';
  lines.push(`received  ${received.names.join(', ') || 'nothing'}${others}`);
  return lines;
}
