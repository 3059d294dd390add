/** What the functions of a stage logged, in CloudWatch Logs. */
import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { shortened } from '../../lib/text.ts';
import { shortPath } from '../explain/explanation.ts';
import { type LogRecord, recordsOf } from '../local/process/logRecords.ts';
import { REQUEST_TIMEOUTS, requestFailure } from '../shared/awsAccess.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { deployedName, FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { counted, table, timeText } from '../shared/readable.ts';

const DAY_MS = 86_400_000;
/** Of a request that is throttled, each after a longer pause. */
const MAX_ATTEMPTS = 10;

interface LogGroup {
  functionName: string;
  /** E.g. `/aws/lambda/login-hooks-prod-samlLoggedIn`. */
  name: string;
  /** How long records stay, e.g. `for 14 days`. */
  retention: string;
  /** Whether AWS searches it by a pattern: not where its class is Infrequent Access. */
  isSearchable: boolean;
}

export interface LoginLogs {
  client: CloudWatchLogsClient;
  groups: readonly LogGroup[];
}

export interface Logged {
  functionName: string;
  /** In milliseconds since 1970. */
  atMs: number;
  record: LogRecord;
}

interface Search {
  /** How far back, in milliseconds. */
  sinceMs: number;
  /** Of the lines that AWS sends. */
  pattern: string;
  /** Asked after each day. Default: never. */
  isEnough?: (found: readonly Logged[]) => boolean;
}

/** @throws {UnusableInput} where AWS does not say which groups there are, or the stage has none */
export async function openLogs(stage: string, region: string): Promise<LoginLogs> {
  const options = { maxAttempts: MAX_ATTEMPTS, requestHandler: REQUEST_TIMEOUTS };
  const client = new CloudWatchLogsClient({ region, ...options });
  const groups: LogGroup[] = [];
  for (const functionName of FUNCTION_NAMES) {
    const name = `/aws/lambda/${deployedName(stage, functionName)}`;
    const { logGroups = [] } = await client
      .send(new DescribeLogGroupsCommand({ logGroupNamePrefix: name }))
      .catch((error) => {
        throw new UnusableInput(requestFailure(error, 'logs:DescribeLogGroups'));
      });
    const found = logGroups.find(({ logGroupName }) => logGroupName === name);
    if (found === undefined) continue;
    const { retentionInDays, logGroupClass = 'STANDARD' } = found;
    const retention = retentionInDays === undefined ? 'for ever' : `for ${retentionInDays} days`;
    groups.push({ functionName, name, retention, isSearchable: logGroupClass === 'STANDARD' });
  }
  if (groups.length > 0) return { client, groups };
  throw new UnusableInput(
    `the functions of ${stage} have no log in ${region}: deploy the stage, or give another --stage or AWS_REGION`,
  );
}

/** Goes back day by day, with one request at a time. @throws {UnusableInput} where AWS does not answer */
export async function searchLogs(
  { client, groups }: LoginLogs,
  { sinceMs, pattern, isEnough = () => false }: Search,
): Promise<Logged[]> {
  const now = Date.now();
  const days = Array.from({ length: Math.ceil(sinceMs / DAY_MS) }, (_, day) => ({
    startTime: now - Math.min(sinceMs, (day + 1) * DAY_MS),
    endTime: now - day * DAY_MS,
  }));
  const found: Logged[] = [];
  let searched = 0;
  try {
    for (const day of days) {
      if (isEnough(found)) break;
      for (const { name, functionName } of groups) {
        const query = { logGroupName: name, filterPattern: pattern, ...day };
        // A page without records may have a next one.
        for await (const { events = [] } of paginateFilterLogEvents({ client }, query))
          for (const { message = '', timestamp: atMs = 0 } of events)
            for (const record of recordsOf(message)) found.push({ functionName, atMs, record });
      }
      searched += 1;
    }
    return found;
  } catch (error) {
    const failure = requestFailure(error as Error, 'logs:FilterLogEvents');
    const early = `the look ended early, after ${searched} of ${counted(days.length, 'day')}`;
    const again = 'Run it again, or for fewer days with --since';
    throw new UnusableInput(searched === 0 ? failure : `${early}: ${failure}. ${again}`);
  }
}

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
  const refusals = await searchLogs(logs, { sinceMs, pattern: REFUSAL.pattern });
  const found = refusals.filter(
    ({ record }) =>
      (issuer === undefined || record.issuer === shortened(issuer)) &&
      (reason === undefined || record.reason === reason),
  );
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
