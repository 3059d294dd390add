/** CloudWatch Logs as far as `why` asks it. An empty page comes before each page with records. */
import type { IncomingMessage, ServerResponse } from 'node:http';
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

export class CloudWatchLogs {
  groups: LogGroup[] = [];
  /** Whether patterns count; otherwise each of them passes every record. */
  isFiltering = true;
  /** What is refused: an action, after how many answers, how often, and by which exception. */
  refusal = { action: '', after: 0, times: 0, by: '' };
  /** What was asked. */
  asked: { action: string; input: Input }[] = [];
  #close = async () => {};
  url = '';

  static async start(): Promise<CloudWatchLogs> {
    const logs = new CloudWatchLogs();
    const { url, close } = await httpServer((...request) => logs.#answer(...request));
    logs.url = url;
    logs.#close = close;
    return logs;
  }

  close(): Promise<void> {
    return this.#close();
  }

  #answer({ headers }: IncomingMessage, response: ServerResponse, body: string): void {
    const [, action = ''] = String(headers['x-amz-target']).split('.');
    const input = JSON.parse(body) as Input;
    const before = this.asked.filter((one) => one.action === action).length;
    this.asked.push({ action, input });
    const { by, after, times } = this.refusal;
    const isRefused = action === this.refusal.action && before >= after && before < after + times;
    if (isRefused) sendJson(response, { __type: by }, 400);
    else sendJson(response, action === 'DescribeLogGroups' ? this.#describe(input) : this.#filter(input));
  }

  #describe({ logGroupNamePrefix }: Input) {
    return { logGroups: this.groups.filter((one) => one.logGroupName.startsWith(logGroupNamePrefix)) };
  }

  #filter({ logGroupName, filterPattern: pattern, startTime, endTime, nextToken }: Input) {
    if (nextToken === undefined) return { events: [], nextToken: 'next' };
    const isMatch = this.isFiltering ? filterPattern(pattern) : () => true;
    const { events = [] } = this.groups.find((one) => one.logGroupName === logGroupName) ?? {};
    return {
      events: events.filter(
        ({ timestamp, message }) =>
          timestamp >= startTime && timestamp <= endTime && isMatch(JSON.parse(message)),
      ),
    };
  }
}
