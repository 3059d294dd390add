/** Who was refused lately, in a list and in counts. */
import { shortened } from '../../lib/text.ts';
import { shortPath } from '../explain/explanation.ts';
import { timeText } from '../shared/readable.ts';
import { table } from '../shared/table.ts';
import { type Logged, type LoginLogs, searchLogs } from './loginLogs.ts';

/** In the languages of CloudWatch Logs. */
export const REFUSAL = {
  pattern: '{ $.message.event = "login" && $.message.answer != "AuthorizedUserResponse" }',
  insights: 'message.event = "login" and message.answer != "AuthorizedUserResponse"',
};

interface Wanted {
  /** How far back, in milliseconds. */
  sinceMs: number;
  issuer: string | undefined;
  reason: string | undefined;
}

/** @returns null where there is none */
export async function refusalLists(
  logs: LoginLogs,
  { sinceMs, issuer, reason }: Wanted,
): Promise<string | null> {
  const found = await searchLogs(logs, {
    ...{ sinceMs, pattern: REFUSAL.pattern },
    isWanted: (record) =>
      record.event === 'login' &&
      record.answer !== 'AuthorizedUserResponse' &&
      (issuer === undefined || record.issuer === shortened(issuer)) &&
      (reason === undefined || record.reason === reason),
  });
  if (found.length === 0) return null;
  const sorted = found.toSorted((one, other) => one.atMs - other.atMs);
  const kinds = Map.groupBy(sorted, (one) => [...causeOf(one), nearOf(one)].join('\n'));
  const counts = [...kinds].toSorted(([, one], [, other]) => other.length - one.length);
  return [
    table(
      ['time', 'reason', 'rule', 'reference'],
      sorted.map((one) => [timeText(one.atMs), ...causeOf(one), String(one.record.requestId)]),
    ),
    table(
      ['refusals', 'reason', 'rule', 'near miss'],
      counts.map(([kind, { length }]) => [String(length), ...kind.split('\n')]),
    ),
  ].join('\n\n');
}

function causeOf({ record: { reason, explanation } }: Logged): [reason: string, rule: string] {
  const { rule } = (explanation ?? {}) as { rule?: string };
  return [String(reason), rule === undefined ? '-' : shortPath(rule)];
}

function nearOf({ record: { near } }: Logged): string {
  return Array.isArray(near) ? near.join(', ') : '-';
}
