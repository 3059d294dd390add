/** CloudWatch Logs as far as `why` asks it. An empty page comes before each page with records. */
import { filterPattern } from './filterPattern.ts';
import { httpServer, sendJson } from './servers.ts';

interface LogGroup {
  logGroupName: string;
  retentionInDays?: number;
  logGroupClass?: string;
  events: { timestamp: number; message: string }[];
}

interface Input {
  logGroupNamePrefix: string;
  logGroupName: string;
  filterPattern: string;
  startTime: number;
  endTime: number;
  nextToken?: string;
}

export type CloudWatchLogs = Awaited<ReturnType<typeof cloudWatchLogs>>;

export async function cloudWatchLogs() {
  const { url, close } = await httpServer(({ headers }, response, body) => {
    const [, action = ''] = String(headers['x-amz-target']).split('.');
    const input = JSON.parse(body) as Input;
    const before = logs.asked.filter((one) => one.action === action).length;
    logs.asked.push({ action, input });
    const { by, after, times } = logs.refusal;
    const isRefused = action === logs.refusal.action && before >= after && before < after + times;
    if (isRefused) sendJson(response, { __type: by }, 400);
    else if (action === 'DescribeLogGroups') sendJson(response, { logGroups: groupsOf(input) });
    else sendJson(response, found(input));
  });
  const logs = {
    url,
    close,
    groups: [] as LogGroup[],
    /** Whether patterns count; otherwise each of them passes every record. */
    isFiltering: true,
    /** What is refused: an action, after how many answers, how often, and by which exception. */
    refusal: { action: '', after: 0, times: 0, by: '' },
    /** What was asked. */
    asked: [] as { action: string; input: Input }[],
  };
  const groupsOf = ({ logGroupNamePrefix }: Input) =>
    logs.groups.filter(({ logGroupName }) => logGroupName.startsWith(logGroupNamePrefix));
  const found = ({ logGroupName, filterPattern: pattern, startTime, endTime, nextToken }: Input) => {
    if (nextToken === undefined) return { events: [], nextToken: 'next' };
    const isMatch = logs.isFiltering ? filterPattern(pattern) : () => true;
    const { events = [] } = logs.groups.find((one) => one.logGroupName === logGroupName) ?? {};
    const isIn = (timestamp: number) => timestamp >= startTime && timestamp <= endTime;
    return {
      events: events.filter(({ timestamp, message }) => isIn(timestamp) && isMatch(JSON.parse(message))),
    };
  };
  return logs;
}
