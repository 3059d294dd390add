/** What the functions of a stage logged, in CloudWatch Logs. */
import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { type LogRecord, recordsOf } from '../local/process/logRecords.ts';
import { REQUEST_TIMEOUTS } from '../shared/awsAccess.ts';
import { requestFailure } from '../shared/awsFailures.ts';
import { UnusableInput } from '../shared/commandLine.ts';
import { withProgress } from '../shared/progress.ts';
import { deployedName, FUNCTION_NAMES } from '../shared/projectFunctions.ts';
import { counted } from '../shared/readable.ts';

export const DAY_MS = 86_400_000;
/** Of a request that is throttled, each after a longer pause. */
const MAX_ATTEMPTS = 10;

export interface LogGroup {
  functionName: string;
  /** E.g. `/aws/lambda/login-hooks-prod-samlLoggedIn`. */
  name: string;
  /** Null where records stay for ever. */
  retentionDays: number | null;
  /** Whether AWS searches it by a pattern: not where its class is Infrequent Access. */
  isSearchable: boolean;
}

export interface Logged {
  functionName: string;
  /** In milliseconds since 1970. */
  atMs: number;
  record: LogRecord;
}

export interface Span {
  /** In milliseconds since 1970. */
  fromMs: number;
  toMs: number;
}

interface Search {
  /** Of the lines that AWS sends. */
  pattern: string;
  isWanted: (record: LogRecord) => boolean;
  /** Asked after each day, whose beginning it is given. Default: never. */
  isEnough?: (found: readonly Logged[], startMs: number) => boolean;
}

export class LoginLogs {
  readonly #client: CloudWatchLogsClient;
  readonly groups: readonly LogGroup[];

  private constructor(client: CloudWatchLogsClient, groups: readonly LogGroup[]) {
    this.#client = client;
    this.groups = groups;
  }

  /** @throws {UnusableInput} where AWS does not say which groups there are, or the stage has none */
  static async open(stage: string, region: string): Promise<LoginLogs> {
    const client = new CloudWatchLogsClient({
      region,
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: REQUEST_TIMEOUTS,
    });
    const groups: LogGroup[] = [];
    for (const functionName of FUNCTION_NAMES) groups.push(...(await groupOf(client, stage, functionName)));
    if (groups.length > 0) return new LoginLogs(client, groups);
    throw new UnusableInput(
      `the functions of ${stage} have no log in ${region}: deploy the stage, or give another --stage or --region`,
    );
  }

  /**
   * Goes back day by day, with one request at a time.
   *
   * @throws {UnusableInput} where AWS does not answer
   */
  async search({ fromMs, toMs }: Span, { isEnough = () => false, ...search }: Search): Promise<Logged[]> {
    const found: Logged[] = [];
    const days = daysBack(fromMs, toMs);
    let searched = 0;
    let isOver = false;
    const searchDay = async (day: Day) => {
      if (isOver) return;
      for (const group of this.groups) found.push(...(await recordsIn(this.#client, group, day, search)));
      searched += 1;
      isOver = isEnough(found, day.startTime);
    };
    try {
      await withProgress(days, 'days searched', searchDay, 1);
      return found;
    } catch (error) {
      const failure = requestFailure(error as Error, 'logs:FilterLogEvents');
      const early = `the look ended early, after ${searched} of ${counted(days.length, 'day')}`;
      const again = 'Run it again, or for fewer days with --since';
      throw new UnusableInput(searched === 0 ? failure : `${early}: ${failure}. ${again}`);
    }
  }
}

/** @returns an empty list where there is none */
async function groupOf(
  client: CloudWatchLogsClient,
  stage: string,
  functionName: string,
): Promise<LogGroup[]> {
  const name = `/aws/lambda/${deployedName(stage, functionName)}`;
  const { logGroups = [] } = await client
    .send(new DescribeLogGroupsCommand({ logGroupNamePrefix: name }))
    .catch((error) => {
      throw new UnusableInput(requestFailure(error, 'logs:DescribeLogGroups'));
    });
  return logGroups
    .filter(({ logGroupName }) => logGroupName === name)
    .map(({ retentionInDays: retentionDays = null, logGroupClass = 'STANDARD' }) => ({
      functionName,
      name,
      retentionDays,
      isSearchable: logGroupClass === 'STANDARD',
    }));
}

async function recordsIn(
  client: CloudWatchLogsClient,
  { name, functionName }: LogGroup,
  day: Day,
  { pattern, isWanted }: Search,
): Promise<Logged[]> {
  const query = { logGroupName: name, filterPattern: pattern, ...day };
  // A page without records may have a next one.
  const pages = await Array.fromAsync(paginateFilterLogEvents({ client }, query));
  return pages
    .flatMap(({ events = [] }) => events)
    .flatMap(({ message = '', timestamp = 0 }) =>
      recordsOf(message)
        .filter(isWanted)
        .map((record) => ({ functionName, atMs: timestamp, record })),
    );
}

interface Day {
  startTime: number;
  endTime: number;
}

/** The newest first. */
function daysBack(fromMs: number, toMs: number): Day[] {
  return Array.from({ length: Math.ceil((toMs - fromMs) / DAY_MS) }, (_, day) => ({
    startTime: Math.max(fromMs, toMs - (day + 1) * DAY_MS),
    endTime: toMs - day * DAY_MS,
  }));
}
