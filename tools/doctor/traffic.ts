/** What Lambda counted of a stage's functions in the last day, and how long their logs are kept. */
import { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { Aws } from './aws.ts';
import { DAY_MS, type DoctorFinding, finding } from './examination.ts';
import type { LoginFunction, Stack } from './stack.ts';

const HOUR_SECONDS = 3_600;

export async function traffic(aws: Aws, { name }: LoginFunction, nowMs: number): Promise<DoctorFinding[]> {
  const queryOf = (MetricName: string) => ({
    Id: MetricName.toLowerCase(),
    MetricStat: {
      Metric: { Namespace: 'AWS/Lambda', MetricName, Dimensions: [{ Name: 'FunctionName', Value: name }] },
      Period: HOUR_SECONDS,
      Stat: 'Sum',
    },
  });
  const answer = await aws.ask('cloudwatch:GetMetricData', name, () =>
    aws.metrics.send(
      new GetMetricDataCommand({
        StartTime: new Date(nowMs - DAY_MS),
        EndTime: new Date(nowMs),
        MetricDataQueries: [queryOf('Throttles'), queryOf('Errors')],
      }),
    ),
  );
  const sumOf = (id: string) => {
    const values = answer?.MetricDataResults?.find(({ Id }) => Id === id)?.Values ?? [];
    return values.reduce((sum, value) => sum + value, 0);
  };
  const [throttles, errors] = [sumOf('throttles'), sumOf('errors')];
  return [
    ...(throttles > 0
      ? [
          finding(
            'logins_throttled',
            name,
            `Lambda refused ${throttles} logins in the last day, because its concurrency was used up`,
            "raise RESERVED_CONCURRENCY, or the account's limit of concurrent executions",
          ),
        ]
      : []),
    ...(errors > 0
      ? [
          finding(
            'logins_crashed',
            name,
            `${errors} logins of the last day ended without a response`,
            "see the function's log for time-outs and crashes",
          ),
        ]
      : []),
  ];
}

export async function logRetention(aws: Aws, stack: Stack): Promise<DoctorFinding[]> {
  const groups = stack.ofType('AWS::Logs::LogGroup');
  const found = await Promise.all(
    groups.map(({ id, properties }) => ofLogGroup(aws, stack.nameOf(id), Number(properties.RetentionInDays))),
  );
  return found.flat();
}

/** @param expected in days; not a number where they are kept without end */
async function ofLogGroup(aws: Aws, logGroupNamePrefix: string, expected: number): Promise<DoctorFinding[]> {
  const answer = await aws.ask('logs:DescribeLogGroups', logGroupNamePrefix, () =>
    aws.logs.send(new DescribeLogGroupsCommand({ logGroupNamePrefix })),
  );
  if (!answer) return [];
  const group = answer.logGroups?.find(({ logGroupName }) => logGroupName === logGroupNamePrefix);
  if (group === undefined)
    return [
      finding(
        'log_group_missing',
        logGroupNamePrefix,
        'it was deployed and is gone: Lambda makes another, which keeps logs without end and has no metrics',
        'remove the stack and deploy it again, or make it by hand',
      ),
    ];
  const days = group.retentionInDays;
  if (Object.is(days ?? Number.NaN, expected)) return [];
  const told = (one: number | undefined) => (one ? `${one} days` : 'without end');
  return [
    finding(
      'log_retention_edited',
      logGroupNamePrefix,
      `logs are kept ${told(days)}, expected ${told(expected)}`,
      'aws logs put-retention-policy, or set LOG_RETENTION_DAYS and deploy',
    ),
  ];
}
