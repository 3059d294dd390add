/** What an operator sees of logins in CloudWatch: metrics out of the log records, and four alarms. */
import { loginFunctions, type Service } from './service.ts';

const QUARTER_SECONDS = 15 * 60;
const HOUR_SECONDS = 60 * 60;
/** Fewer logins in a period may all be one person's bad luck. */
const MIN_LOGINS = 5;
const MAX_ERROR_PERCENT = 50;
/** Of the slowest tenth of logins. People who wait longer begin again. */
const MAX_DURATION_MS = 5_000;

/** Levels at which the records of most logins are not written. */
const TOO_QUIET = ['WARN', 'ERROR', 'FATAL'];

/** On Lambda, a record stands under `message` of the line that Lambda writes. A caller that is not the service raises no alarm. */
const LOGIN = '$.message.event = "login" && $.message.status != 401';
/** Where provider, mapping and settings no longer agree, these refuse people who should get in; the last two are of checks. */
const UNEXPECTED = [
  ...['groups_unknown', 'groups_ambiguous', 'assurance_unknown', 'claim_unknown', 'external_id_missing'],
  ...['external_id_refused', 'profile_incomplete', 'token_*', 'assertion_*'],
];

/** Counted out of the records, without dimensions, so that alarms can reckon with them. */
const COUNTS = {
  Logins: LOGIN,
  Authorized: `${LOGIN} && $.message.answer = "AuthorizedUserResponse"`,
  Errors: `${LOGIN} && $.message.answer = "ErrorResponse"`,
  Failures: '$.message.event = "login" && ($.message.status = 500 || $.message.status = 504)',
  Unexpected: `${LOGIN} && (${UNEXPECTED.map((code) => `$.message.reason = "${code}"`).join(' || ')})`,
};
type Count = keyof typeof COUNTS;

/** All logins, those whose process ended without a record too; a metric without a value counts as 0. */
const [TOTAL, FAILED, ENDED_WITH_ERROR] = ['logins', 'failures', 'errors'].map(
  (count) => `(FILL(${count}, 0) + FILL(crashes, 0))`,
);
const ERRORS = `${FAILED} >= ${MIN_LOGINS} OR (${TOTAL} >= ${MIN_LOGINS} AND 100 * ${ENDED_WITH_ERROR} > ${MAX_ERROR_PERCENT} * ${TOTAL})`;
const REFUSALS = `FILL(unexpected, 0) >= ${MIN_LOGINS} OR (${TOTAL} >= ${MIN_LOGINS} AND FILL(authorized, 0) < 1)`;

/** The CloudFormation resources that watch one function, by the ends of their ids. */
function monitoringOf(functionName: string, LogGroupName: object, topicArn: string | object | null) {
  const MetricNamespace = `login-hooks/${functionName}`;
  const filters = Object.entries(COUNTS).map(([MetricName, pattern]) => {
    const counting = { MetricNamespace, MetricName, MetricValue: '1', Unit: 'Count', DefaultValue: 0 };
    const FilterPattern = `{ ${pattern} }`;
    const Properties = { LogGroupName, FilterPattern, MetricTransformations: [counting] };
    return [`${MetricName}Metric`, { Type: 'AWS::Logs::MetricFilter', Properties }];
  });
  const Dimensions = [{ Name: 'FunctionName', Value: functionName }];
  const ofLambda = (MetricName: string) => ({ Namespace: 'AWS/Lambda', MetricName, Dimensions });
  /** An alarm where this holds of these counts, and of processes that end without a record. */
  const where = (condition: string, Period: number, counts: readonly Count[]) => {
    const metrics = [
      ...counts.map((MetricName) => [MetricName.toLowerCase(), { Namespace: MetricNamespace, MetricName }]),
      ['crashes', ofLambda('Errors')],
    ];
    const counted = metrics.map(([Id, Metric]) => {
      const MetricStat = { Metric, Period, Stat: 'Sum' };
      return { Id, MetricStat, ReturnData: false };
    });
    const result = { Id: 'result', Expression: `IF(${condition}, 1, 0)`, ReturnData: true };
    return { Metrics: [result, ...counted], Threshold: 0 };
  };
  const alarm = (title: string, AlarmDescription: string, condition: object) => ({
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `${functionName}-${title}`,
      AlarmDescription,
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
      ...(topicArn && { AlarmActions: [topicArn], OKActions: [topicArn] }),
      ...condition,
    },
  });
  return {
    ...Object.fromEntries(filters),
    ErrorsAlarm: alarm(
      'errors',
      'Logins end with an error. See "reason" in the function\'s log.',
      where(ERRORS, QUARTER_SECONDS, ['Logins', 'Failures', 'Errors']),
    ),
    RefusalsAlarm: alarm(
      'refusals',
      'People are refused who should get in, or nobody gets in. See "reason" in the function\'s log.',
      where(REFUSALS, HOUR_SECONDS, ['Logins', 'Authorized', 'Unexpected']),
    ),
    ThrottlesAlarm: alarm('throttles', 'Lambda refuses logins: its concurrency is used up.', {
      ...ofLambda('Throttles'),
      Statistic: 'Sum',
      Period: QUARTER_SECONDS,
      Threshold: 0,
    }),
    SlowAlarm: alarm('slow', `One login in ten takes more than ${MAX_DURATION_MS / 1_000} seconds.`, {
      ...ofLambda('Duration'),
      ExtendedStatistic: 'p90',
      Period: QUARTER_SECONDS,
      Threshold: MAX_DURATION_MS,
    }),
  };
}

/**
 * Adds metrics and alarms to the service, where they are wanted: they cost money.
 *
 * @returns `problems`: what is wrong with the settings; `notes`: what nobody will see of logins
 */
export function watch(service: Service): { problems: string[]; notes: string[] } {
  const { monitoring, alarmTopicArn = null } = service.custom;
  const functions = loginFunctions(service);
  const levels = [service.provider, ...functions.map(({ fn }) => fn)].map(
    ({ logs }) => (logs?.lambda ?? logs)?.applicationLogLevel,
  );
  const isTooQuiet = levels.some((level = '') => TOO_QUIET.includes(level));
  const unlogged = 'applicationLogLevel is above INFO: no record says why somebody was refused';
  if (monitoring !== 'on') return { problems: [], notes: isTooQuiet ? [unlogged] : [] };
  const unwatched = 'MONITORING: expected off, because logins are not logged at that applicationLogLevel';
  if (isTooQuiet) return { problems: [unwatched], notes: [] };
  const resources = functions.flatMap(({ id, fn }) => {
    const made = monitoringOf(fn.name, { Ref: `${id}LogGroup` }, alarmTopicArn);
    return Object.entries(made).map(([suffix, resource]) => [id + suffix, resource]);
  });
  service.resources ??= {};
  service.resources.Resources = { ...service.resources.Resources, ...Object.fromEntries(resources) };
  const untold = ['ALARM_TOPIC_ARN is not set: alarms are raised, and nobody is told'];
  return { problems: [], notes: alarmTopicArn ? [] : untold };
}
