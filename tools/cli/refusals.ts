/** Who was refused lately, in a list and in counts. */
import { shortened } from '../../lib/text.ts';
import { shortPath } from '../explain/explanation.ts';
import type { LogRecord } from '../local/process/logRecords.ts';
import { timeText } from '../shared/readable.ts';
import { table } from '../shared/table.ts';
import type { LoginLogs, Span } from './loginLogs.ts';

/** In the languages of CloudWatch Logs. */
export const REFUSAL = {
  pattern: '{ $.message.event = "login" && $.message.answer != "AuthorizedUserResponse" }',
  insights: 'message.event = "login" and message.answer != "AuthorizedUserResponse"',
};

export function isLogin({ event }: LogRecord): boolean {
  return event === 'login';
}

/** @returns null where there is none */
export async function refusalLists(
  logs: LoginLogs,
  span: Span,
  { issuer, reason }: { issuer: string | undefined; reason: string | undefined },
): Promise<string | null> {
  const found = await logs.search(span, {
    pattern: REFUSAL.pattern,
    isWanted: (record) =>
      isLogin(record) &&
      record.answer !== 'AuthorizedUserResponse' &&
      (issuer === undefined || record.issuer === shortened(issuer)) &&
      (reason === undefined || record.reason === reason),
  });
  if (found.length === 0) return null;
  const refusals = found
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ atMs, record }) => ({ time: timeText(atMs), ...cellsOf(record) }));
  const counts = Map.groupBy(refusals, ({ reason, rule, near }) => JSON.stringify([reason, rule, near]));
  const counted = Array.from(counts, ([kind, { length }]) => ({ kind: JSON.parse(kind), length }));
  return [
    table(
      ['time', 'reason', 'rule', 'reference'],
      refusals.map(({ time, reason, rule, reference }) => [time, reason, rule, reference]),
    ),
    table(
      ['refusals', 'reason', 'rule', 'near miss'],
      counted
        .toSorted((one, other) => other.length - one.length)
        .map(({ kind, length }) => [String(length), ...kind]),
    ),
  ].join('\n\n');
}

function cellsOf({ reason, requestId, explanation, near }: LogRecord) {
  const { rule } = (explanation ?? {}) as { rule?: string };
  return {
    reason: String(reason),
    rule: rule === undefined ? '-' : shortPath(rule),
    reference: String(requestId),
    near: Array.isArray(near) ? near.join(', ') : '-',
  };
}
