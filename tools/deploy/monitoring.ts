/** What an operator sees of logins in CloudWatch: metrics out of the log records, and alarms when logins fail. */
import { allFail, watchedIssuers } from './issuerMetrics.ts';
import { loginFunctions } from './loginFunctions.ts';
import { countsOfMissing, rising } from './missingFields.ts';
import type { Naming, Service } from './service.ts';

const PERIOD_SECONDS = 15 * 60;
/** Fewer logins in a period may all be one person's bad luck. */
const MIN_LOGINS = 5;
const MAX_ERROR_PERCENT = 50;

/** On Lambda, a record stands under `message` of the line that Lambda writes. */
const RECORD = '$.message.event = "login"';
/** A caller that is not the service raises no alarm. */
const LOGIN = `${RECORD} && $.message.status != 401`;

/** Levels at which the records of most logins are not written. */
const TOO_QUIET = ['WARN', 'ERROR', 'FATAL'];

/** Counted out of the records, without dimensions, so that alarms can reckon with them. */
const COUNTS = {
  Logins: LOGIN,
  Authorized: `${LOGIN} && $.message.answer = "AuthorizedUserResponse"`,
  Errors: `${LOGIN} && $.message.answer = "ErrorResponse"`,
};

/** Where several logins run in one process, one that never yields blocks others. */
const MANAGED_COUNTS = { WorkerBlocked: '$.message.event = "worker_blocked"' };

const MISSING = countsOfMissing(LOGIN);

const OF_ISSUER = { ...MISSING, Logins: COUNTS.Logins, Errors: COUNTS.Errors };

/** All logins, those whose process ended without a record too. */
const TOTAL = 'FILL(logins, 0) + FILL(crashes, 0)';

interface Watched {
  /** What its resources' ids begin with, e.g. `OpenidLoggedIn`. */
  logicalId: string;
  /** In Lambda. */
  functionName: string;
  /** Where alarms go, an SNS topic; null for nowhere. */
  topicArn: string | object | null;
  /** Those that have metrics of their own. */
  issuers: readonly string[];
  /** Whether it runs on managed instances. */
  isManaged: boolean;
}

/** The CloudFormation resources that watch one function. */
function monitoringOf(watched: Watched): Record<string, object> {
  const { logicalId, functionName, topicArn, issuers, isManaged } = watched;
  const namespace = `login-hooks/${functionName}`;
  const filter = (metric: string, pattern: string, how?: object) => ({
    Type: 'AWS::Logs::MetricFilter',
    Properties: {
      LogGroupName: { Ref: `${logicalId}LogGroup` },
      FilterPattern: `{ ${pattern} }`,
      MetricTransformations: [
        { MetricNamespace: namespace, MetricName: metric, MetricValue: '1', Unit: 'Count', ...how },
      ],
    },
  });
  const alarm = (title: string, description: string, condition: object) => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `${functionName}-${title}`,
      AlarmDescription: description,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
      ...(topicArn && { AlarmActions: [topicArn], OKActions: [topicArn] }),
      ...condition,
    },
  });
  const ofIssuer = (pattern: string, count: string): [string, object] => [
    `${count}ByIssuerMetric`,
    filter(count, `${pattern} && $.message.issuerListed IS TRUE`, {
      Dimensions: [{ Key: 'Issuer', Value: '$.message.issuer' }],
    }),
  ];
  const counts: Record<string, string> = {
    ...COUNTS,
    ...(isManaged && MANAGED_COUNTS),
  };
  const counted = {
    logins: metric(namespace, 'Logins'),
    authorized: metric(namespace, 'Authorized'),
    errors: metric(namespace, 'Errors'),
    crashes: metric('AWS/Lambda', 'Errors', functionName),
  };
  const errorPercent = `IF(${TOTAL} >= ${MIN_LOGINS}, 100 * (FILL(errors, 0) + FILL(crashes, 0)) / (${TOTAL}), 0)`;
  const isNobodyIn = `IF(${TOTAL} >= ${MIN_LOGINS} AND FILL(authorized, 0) < 1, 1, 0)`;

  const resources: Record<string, object> = {
    ...mapValues(counts, (pattern, count) => [`${count}Metric`, filter(count, pattern, { DefaultValue: 0 })]),
    AnswersMetric: filter('Answers', RECORD, {
      Dimensions: [
        { Key: 'Answer', Value: '$.message.answer' },
        { Key: 'Reason', Value: '$.message.reason' },
      ],
    }),
    // Without a value where nothing is missing: then it costs nothing.
    ...mapValues(MISSING, (pattern, count) => [`${count}Metric`, filter(count, pattern)]),
    ...(issuers.length > 0 && mapValues(OF_ISSUER, ofIssuer)),
    ErrorsAlarm: alarm(
      'errors',
      `More than ${MAX_ERROR_PERCENT} % of logins end with an error. See "reason" in the function's log.`,
      reckoned(counted, errorPercent, 'GreaterThanThreshold', MAX_ERROR_PERCENT),
    ),
    NobodyAuthorizedAlarm: alarm(
      'nobody-authorized',
      'People log in, and nobody is authorized. See "reason" in the function\'s log.',
      reckoned(counted, isNobodyIn, 'GreaterThanOrEqualToThreshold', 1),
    ),
    MissingAlarm: alarm(
      'missing',
      'A field of the profile is missing for more people than the day before. See "missing" in the function\'s log.',
      rising((name) => metric(namespace, name)),
    ),
    ...Object.fromEntries(
      issuers.map((issuer, index) => [
        `IssuerFails${index + 1}Alarm`,
        alarm(
          `issuer-fails-${index + 1}`,
          `All logins of ${issuer} end with an error. See "reason" in the function's log.`,
          allFail(namespace, issuer),
        ),
      ]),
    ),
    ThrottlesAlarm: alarm(
      'throttles',
      'Lambda refuses logins: its concurrency is used up.',
      any(metric('AWS/Lambda', 'Throttles', functionName)),
    ),
    ...(isManaged && {
      WorkerBlockedAlarm: alarm(
        'worker-blocked',
        'A handler never yielded, and its thread stopped. See "worker_blocked" in the function\'s log.',
        any(metric(namespace, 'WorkerBlocked')),
      ),
    }),
  };
  return mapValues(resources, (resource, suffix) => [logicalId + suffix, resource]);
}

function metric(Namespace: string, MetricName: string, functionName?: string) {
  const Dimensions = functionName ? [{ Name: 'FunctionName', Value: functionName }] : [];
  return {
    Metric: { Namespace, MetricName, ...(functionName && { Dimensions }) },
    Period: PERIOD_SECONDS,
    Stat: 'Sum',
  };
}

/** An alarm at the first one. */
function any({ Metric, Stat, Period }: ReturnType<typeof metric>) {
  return { ...Metric, Statistic: Stat, Period, ComparisonOperator: 'GreaterThanThreshold', Threshold: 0 };
}

/** An alarm over an expression of several metrics. */
function reckoned(
  metrics: Record<string, object>,
  Expression: string,
  ComparisonOperator: string,
  Threshold: number,
) {
  const counted = Object.entries(metrics).map(([Id, MetricStat]) => ({ Id, MetricStat, ReturnData: false }));
  return {
    Metrics: [{ Id: 'result', Expression, ReturnData: true }, ...counted],
    ComparisonOperator,
    Threshold,
  };
}

function mapValues<TValue>(
  object: Record<string, TValue>,
  entryOf: (value: TValue, key: string) => [key: string, resource: object],
): Record<string, object> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => entryOf(value, key)));
}

/**
 * Adds metrics and alarms to the service, where they are wanted: they cost money.
 *
 * @returns what is wrong with the settings
 */
export function watch(service: Service, naming: Pick<Naming, 'getNormalizedFunctionName'>): string[] {
  const { monitoring, alarmTopicArn: topicArn = null, managedInstances } = service.custom ?? {};
  if (monitoring !== 'on') return [];
  const functions = loginFunctions(service);
  const levels = [service.provider, ...functions.map(({ fn }) => fn)].map(
    ({ logs }) => (logs?.lambda ?? logs)?.applicationLogLevel,
  );
  if (levels.some((level = '') => TOO_QUIET.includes(level))) {
    return ['MONITORING: expected off, because logins are not logged at that applicationLogLevel'];
  }
  const resources = functions.map(({ name, fn, code, settings }) =>
    monitoringOf({
      logicalId: naming.getNormalizedFunctionName(name),
      functionName: fn.name,
      topicArn,
      issuers: watchedIssuers(settings, code),
      isManaged: Boolean(managedInstances?.providerArn),
    }),
  );
  service.resources ??= {};
  service.resources.Resources = Object.assign({}, service.resources.Resources, ...resources);
  return [];
}
